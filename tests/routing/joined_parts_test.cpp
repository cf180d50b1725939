#include "routing/request/joined_parts.h"

#include <catch2/catch.hpp>
#include <initializer_list>

using vsr::routing::JoinedParts;

namespace {

std::string joined(std::initializer_list<std::string_view> parts) {
  JoinedParts reader;
  for (const std::string_view part : parts) reader.add(part);
  return reader.take();
}

}  // namespace

TEST_CASE("joined parts: nothing is put between parts, and nothing is read where no two meet", "[routing]") {
  CHECK(joined({}).empty());
  CHECK(joined({"one"}).empty());
  CHECK(joined({"one", ""}).empty());
  CHECK(joined({"one\n", "two", "\nthree"}).empty());
  CHECK(joined({"o", "", "n", "e\n", "tw", "o"}) == "one\ntwo");
}

TEST_CASE("joined parts: of long parts what is near their ends is read, in whole characters", "[routing]") {
  const std::string a(5000, 'a'), b(5000, 'b'), near_a(1024, 'a'), near_b(1024, 'b');
  CHECK(joined({a}).empty());
  CHECK(joined({a, b}) == near_a + near_b);
  CHECK(joined({a, "-", b, "c"}) == near_a + "-" + near_b + "\n" + near_b + "c");
  std::string wide;
  for (int i = 0; i < 2000; ++i) wide += "\u6C34";
  CHECK(joined({wide, wide}) == wide.substr(0, 1023) + wide.substr(0, 1023));
}
