#include "base/json.h"

#include <catch2/catch.hpp>

#include "base/error.h"

using namespace vsr::base;

namespace {

JsonObject parse(std::string_view text) { return JsonObject(parse_json(text, "c.json")); }

template <class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("json: values are read by type", "[base][json]") {
  const JsonObject json = parse(R"({"i": -3, "d": 2, "s": "x", "b": true, "l": [1, 2], "m": {"k": 1}, "n": null})");
  CHECK(json.required<int32_t>("i") == -3);
  CHECK(json.required<double>("d") == 2.0);
  CHECK(json.required<std::string>("s") == "x");
  CHECK(json.required<bool>("b"));
  CHECK(json.required<std::vector<int64_t>>("l") == std::vector<int64_t>{1, 2});
  CHECK(json.required<std::map<std::string, int>>("m").at("k") == 1);
  CHECK_FALSE(json.contains("n"));
  CHECK(json.optional<int>("n", 7) == 7);
  CHECK(json.optional<int>("absent", 7) == 7);
  CHECK(json.keys() == std::vector<std::string>{"b", "d", "i", "l", "m", "n", "s"});
}

TEST_CASE("json: an error names the file and the way to the key", "[base][json]") {
  const JsonObject json = parse(R"({"a": {"b": [0, 1, 2, {"c": "x"}]}, "big": 5000000000, "huge": 1e30})");
  const JsonObject deep = json.required<JsonObject>("a").required<std::vector<JsonValue>>("b").at(3).as<JsonObject>();
  CHECK(message_of([&] { deep.required<int>("c"); }) == R"(c.json: "a.b[3].c" is a string, expected an integer)");
  CHECK(message_of([&] { deep.required<int>("d"); }) == R"(c.json: "a.b[3].d" is missing)");
  CHECK(message_of([&] { json.required<int32_t>("big"); }) == R"(c.json: "big" is 5000000000, out of range)");
  CHECK(message_of([&] { json.required<int64_t>("huge"); }) ==
        R"(c.json: "huge" is a fractional number, expected an integer)");
  CHECK(message_of([&] { json.required<JsonObject>("big"); }) == R"(c.json: "big" is an integer, expected an object)");
  CHECK(message_of([&] { parse("[]"); }) == "c.json: the document is an array, expected an object");
}

TEST_CASE("json: malformed documents name the byte", "[base][json]") {
  CHECK(message_of([] { parse("{\"a\": 1,\n  x}"); }) == "c.json: not valid JSON at byte 11 (line 2, column 3)");
  CHECK(message_of([] { parse("{\"a\": "); }) == "c.json: not valid JSON at byte 6 (line 1, column 7)");
  CHECK(message_of([] { parse(" \n"); }) == "c.json: empty, expected JSON");
  CHECK(message_of([] { parse("{\"a\": \"\xff\"}"); }).find("not valid JSON at byte") != std::string::npos);
  CHECK(message_of([] { parse("{} {}"); }).find("not valid JSON at byte") != std::string::npos);
}

TEST_CASE("json: a key given twice is rejected by its full name", "[base][json]") {
  CHECK(message_of([] { parse(R"({"a": [{"k": 1, "k": 2}]})"); }) == R"(c.json: "a[0].k" is given twice)");
  CHECK(message_of([] { parse(R"({"a": [{"j": {}, "k": [{}, {"x": 1, "x": 2}]}]})"); }) ==
        R"(c.json: "a[0].k[1].x" is given twice)");
}

TEST_CASE("json: absurd nesting is rejected", "[base][json]") {
  const std::string deep = "{\"a\":" + std::string(100000, '[');
  CHECK(message_of([&] { parse(deep); }) == "c.json: nested deeper than 128 levels");
}
