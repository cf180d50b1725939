#include "base/error.h"

#include <catch2/catch.hpp>
#include <string>

using namespace vsr::base;

TEST_CASE("error: a message is one line whatever it quotes", "[base][error]") {
  const Error error(Status::kParse, std::string("a\nb\r\tc\x7F", 7) + std::string(1, '\0') + "d");
  CHECK(std::string(error.what()) == "a b  c  d");
  CHECK(error.status() == Status::kParse);
}

TEST_CASE("error: fail joins its parts as a stream would", "[base][error]") {
  try {
    fail(Status::kLimit, "x is ", 3, ", expected ", 2.5, " or \"", std::string("y"), '"');
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "x is 3, expected 2.5 or \"y\"");
    CHECK(error.status() == Status::kLimit);
    return;
  }
  FAIL("fail() returned");
}
