#include "routing/request/text_as_bytes.h"

#include <catch2/catch.hpp>
#include <string>

using namespace vsr::routing;

namespace {

constexpr const char* kText = "dGhlIHphbnppYmFyIHBsb3Q=";   // the zanzibar plot
constexpr const char* kImage = "iVBORw0KGgoAAAANSUhEUgAA";  // the head of a PNG

bool brings(const std::string& object) { return brings_text_as_bytes(RequestJson(object).root()); }
std::string typed(const std::string& name, const std::string& type) {
  return "{\"" + name + "\":\"" + type + "\",\"data\":\"" + kImage + "\"}";
}

}  // namespace

TEST_CASE("text as bytes: an address is a text's unless its type is known as another", "[routing]") {
  for (const char* text :
       {"data:text/plain;base64,", "data:;base64,", "data:,", "data:;charset=utf-8;base64,", " data:text/plain,",
        "da\nta:text/csv,", "DATA:Application/SQL;base64,", "data:application/toml;base64,",
        "data:message/rfc822;base64,", "data:application/vnd.api+json;base64,", "data:application/octet-stream,",
        "data:image/svg+xml;base64,", "data:image/svg+xml,"}) {
    CAPTURE(text);
    CHECK(is_text_address(std::string(text) + kText));
  }
  for (const char* other :
       {"data:image/png;base64,", "data:application/pdf;base64,", "https://example.com/,",
        "data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,", "", "data"}) {
    CAPTURE(other);
    CHECK_FALSE(is_text_address(std::string(other) + kText));
  }
  CHECK(is_text_address(std::string("data:application/octet-stream;base64,") + kText));
  CHECK_FALSE(is_text_address("data:text/plain"));
  CHECK_FALSE(is_text_address(std::string("data:application/octet-stream;base64,") + kImage));
}

TEST_CASE("text as bytes: a media type says what bytes are, in any spelling", "[routing]") {
  for (const char* name : {"media_type", "mediaType", "Media_Type", "mimeType", "mime-type", "content_type"}) {
    CAPTURE(name);
    CHECK(brings(typed(name, "text/plain")));
    CHECK(brings(typed(name, " Text/Plain ; charset=utf-8")));
    CHECK_FALSE(brings(typed(name, "application/pdf")));
  }
  CHECK(brings(R"({"media_type":"text/plain","media_type":"application/pdf","data":"AAAA"})"));
  CHECK(brings(R"({"media_type":"application/pdf","media_type":"text/plain","data":"AAAA"})"));
  CHECK_FALSE(brings(R"({"media_type":"text/plain"})"));
}

TEST_CASE("text as bytes: bytes without a type are looked at", "[routing]") {
  const auto untyped = [](const std::string& name, const std::string& bytes, const std::string& more = "") {
    return brings("{\"" + name + "\":\"" + bytes + "\"" + more + "}");
  };
  CHECK(untyped("data", kText));
  CHECK(untyped("file_data", kText, R"(,"filename":"x.txt")"));
  CHECK(untyped("data", kText, R"(,"media_type":"application/octet-stream")"));
  CHECK(untyped("data", "dGhlIHph\\nbnppYmFyIHBsb3Q"));
  CHECK(untyped("data", "4pi64pi64pi64pi6"));                                  // beyond ASCII
  CHECK(untyped("data", "G3RoZSB6YW56aWJhciBwbG90"));                          // ESC before a text
  CHECK(untyped("data", "dABoAGUAIAB6AGEAbgB6AGkAYgBhAHIAIABwAGwAbwB0AA=="));  // UTF-16 without a mark
  CHECK_FALSE(untyped("data", kImage));
  CHECK_FALSE(untyped("data", "UklGRg==", R"(,"format":"wav")"));
  CHECK_FALSE(untyped("data", "JVBERi0xLjQK"));
  CHECK_FALSE(untyped("data", ""));
  CHECK_FALSE(untyped("data", "https://example.com/dGhl"));
}
