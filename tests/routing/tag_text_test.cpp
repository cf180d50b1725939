#include "routing/request/tag_text.h"

#include <catch2/catch.hpp>

#include "base/utf8.h"

using vsr::routing::read_tag_text;

namespace {

std::string tags(std::string_view text) {
  std::string out;
  for (const char c : text) vsr::base::append_utf8(out, 0xE0000U + static_cast<unsigned char>(c));
  return out;
}

}  // namespace

TEST_CASE("tag text: tags become ASCII among what is around them, other characters stay", "[routing]") {
  CHECK(read_tag_text("").empty());
  CHECK(read_tag_text("plain \xF3\xA0\x84\x80 and \xF0\x9F\x8F\xB4").empty());  // a variation selector, a flag
  CHECK(read_tag_text(tags("say it")) == "say it");
  CHECK(read_tag_text("a" + tags("bc") + "d" + tags("~ ") + "\xC3\xA9") == "abcd~ \xC3\xA9");
  CHECK(read_tag_text("a\xF3\xA0\x80\x81" + tags("b\x7F\x1F") + "c") == "abc");  // language tag, cancel tag, a control
}

TEST_CASE("tag text: a kilobyte around each run is read, once, in whole characters", "[routing]") {
  const std::string far(5000, '.'), near(1024, '.');
  CHECK(read_tag_text(far + tags("x") + far) == near + "x" + near);
  CHECK(read_tag_text(far + tags("x") + far + tags("y")) == near + "x" + near + "\n" + near + "y");
  CHECK(read_tag_text(tags("x") + std::string(1500, '-') + tags("y")) ==
        "x" + std::string(1024, '-') + "\n" + std::string(476, '-') + "y");
  CHECK(read_tag_text(tags("x") + near + tags("y")) == "x" + near + "y");
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\xE2\x82\xAC";
  CHECK(read_tag_text(wide + tags("x") + wide) == wide.substr(0, 1026) + "x" + wide.substr(0, 1026));
}
