#include "base/http_field.h"

#include <catch2/catch.hpp>
#include <string>

using namespace vsr::base;

TEST_CASE("http field: a name is a token of RFC 9110", "[base]") {
  for (const std::string_view name : {"x-tier", "X-Tier", "a", "!#$%&'*+-.^_`|~09"}) {
    CAPTURE(name);
    CHECK(is_field_name(name));
  }
  for (const std::string_view name : {"", ":path", "a b", "a\r\nb", "\xC3\xA9", "a:", "a\t", "(a)", "a/b", "\x7F"}) {
    CAPTURE(name);
    CHECK_FALSE(is_field_name(name));
  }
  CHECK_FALSE(is_field_name(std::string_view("a\0b", 3)));
}

TEST_CASE("http field: a value has no control characters but the tab", "[base]") {
  CHECK(is_field_value(""));
  CHECK(is_field_value("tab\tand \xC3\xA9"));
  for (const std::string& value : {std::string("a\r\nb: c"), std::string("a\nb"), std::string("a\rb"),
                                   std::string("a\0b", 3), std::string("\x7F"), std::string("\x1B[0m")}) {
    CAPTURE(value);
    CHECK_FALSE(is_field_value(value));
  }
}
