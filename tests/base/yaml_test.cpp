#include "base/yaml.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr::base;
using vsr::test::Failure;
using vsr::test::failure_of;

namespace {

YamlNode parse(std::string_view text) { return parse_yaml(text, "r.yaml"); }

std::string message_of(std::string_view text) {
  const Failure failure = failure_of([&] { parse(text); });
  CHECK(failure.status == Status::kParse);
  return failure.message;
}

template <class Read>
std::string read_failure(std::string_view text, Read&& read) {
  const YamlNode root = parse(text);
  const Failure failure = failure_of([&] { read(root); });
  CHECK(failure.status == Status::kParse);
  return failure.message;
}

}  // namespace

TEST_CASE("yaml: values are read by type, in the file's order", "[base][yaml]") {
  const YamlNode root = parse("z: 1\na: [x, 2.5]\nb: {c: yes}\nn: ~\ns: \"07\"\n");
  CHECK(root.required("z").as_integer() == 1);
  CHECK(root.required("a").items().at(0).as_string() == "x");
  CHECK(root.required("a").items().at(1).as_number() == 2.5);
  CHECK(root.required("b").required("c").as_bool());
  CHECK(root.required("s").as_string() == "07");
  CHECK_FALSE(root.optional("n"));
  CHECK_FALSE(root.optional("absent"));
  CHECK(root.entries().front().first == "z");
  CHECK(root.entries().size() == 5);
  CHECK(root.required("b").is_map());
  CHECK(root.required("a").is_list());
  CHECK(root.required("z").is_scalar());
}

TEST_CASE("yaml: an empty document is an empty map", "[base][yaml]") {
  for (const char* text : {"", "# nothing\n", "---\n", "~"}) {
    CAPTURE(text);
    CHECK(parse(text).entries().empty());
    CHECK_FALSE(parse(text).optional("a"));
    CHECK(parse(text).where().find(":0") == std::string::npos);
  }
}

TEST_CASE("yaml: errors give file, line, column and key", "[base][yaml]") {
  const std::string text = "a:\n  b: [1, x]\n  c: {}\n";
  const auto a = [](const YamlNode& root) { return root.required("a"); };
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("b").as_number(); }) ==
        R"(r.yaml:2:6: "b" is a list, expected a number)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("b").items()[1].as_number(); }) ==
        R"(r.yaml:2:10: "b[1]" is "x", expected a number)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("b").items()[1].as_integer(); }) ==
        R"(r.yaml:2:10: "b[1]" is "x", expected an integer)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("c").as_string(); }) ==
        R"(r.yaml:3:6: "c" is a map, expected a string)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("c").items(); }) ==
        R"(r.yaml:3:6: "c" is a map, expected a list)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("b").required("k"); }) ==
        R"(r.yaml:2:6: "b" is a list, expected a map)");
  CHECK(read_failure(text, [&](const YamlNode& r) { a(r).required("d"); }) == R"(r.yaml:2:3: "a" has no "d")");
  CHECK(read_failure(text, [&](const YamlNode& r) { r.required("z"); }) == R"(r.yaml:1:1: the document has no "z")");
}

TEST_CASE("yaml: an unknown key is rejected with the nearest known one", "[base][yaml]") {
  CHECK(read_failure("a: 1\nmodls: 2\n", [](const YamlNode& r) {
          r.allow_keys({"a", "models", "tasks"});
        }) == R"(r.yaml:2:1: "modls" is not a key of the document (did you mean "models"?))");
  CHECK(read_failure("m: {zzzzz: 1}\n", [](const YamlNode& r) { r.required("m").allow_keys({"path"}); }) ==
        R"(r.yaml:1:5: "zzzzz" is not a key of "m")");
}

TEST_CASE("yaml: a key given twice is rejected where it is", "[base][yaml]") {
  CHECK(message_of("a:\n  b: 1\n  c: 2\n  b: 3\n") == R"(r.yaml:4:3: "b" is given twice)");
  CHECK(message_of("{a: 1, a: 2}") == R"(r.yaml:1:8: "a" is given twice)");
}

TEST_CASE("yaml: numbers must be finite and whole where asked", "[base][yaml]") {
  for (const char* value : {".nan", ".inf", "-.inf", "1e999", "\"\"", "1.5x"}) {
    CAPTURE(value);
    CHECK(failure_of([&] { parse(std::string("k: ") + value).required("k").as_number(); }).status == Status::kParse);
  }
  for (const char* value : {"1.0", "99999999999999999999", "0x10", "1_000", "- 1"}) {
    CAPTURE(value);
    CHECK(failure_of([&] { parse(std::string("k: ") + value).required("k").as_integer(); }).status == Status::kParse);
  }
  CHECK(parse("k: -12").required("k").as_integer() == -12);
  CHECK(failure_of([] { parse("k: 1").required("k").as_bool(); }).status == Status::kParse);
}

TEST_CASE("yaml: what is not YAML is rejected with its place", "[base][yaml]") {
  CHECK(message_of("a: [1, 2\nb: 3\n").find("r.yaml:") == 0);
  CHECK(message_of("a: b: c").find("r.yaml:1:5:") == 0);
  CHECK(message_of("\tkey: 1\n").find("r.yaml:1:") == 0);
  CHECK(message_of("a: *nowhere").find("r.yaml:1:") == 0);
  CHECK(message_of("? [a]\n: 1\n") == "r.yaml:1:3: a key is not a single value");
}

TEST_CASE("yaml: a second document is not ignored", "[base][yaml]") {
  CHECK(message_of("a: 1\n---\nb: 2\n") == "r.yaml:2:1: a second document");
  CHECK(message_of(", two: 1\n") == "r.yaml:1:1: no value can begin here");
  CHECK(message_of("a: 1\n}\n").find("r.yaml:2:1:") == 0);
  CHECK(parse("---\na: 1\n...\n").required("a").as_integer() == 1);
}

TEST_CASE("yaml: absurd nesting and aliases of aliases end in an error", "[base][yaml]") {
  CHECK(message_of("a: " + std::string(65, '[') + std::string(65, ']')).find("nested deeper than 64 levels") !=
        std::string::npos);
  CHECK(message_of(std::string(100000, '[')).find("r.yaml:") == 0);
  CHECK(message_of(std::string(100000, '{')).find("r.yaml:") == 0);
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) laughs += ", " + before;
    laughs += "]\n";
  }
  CHECK_THAT(message_of(laughs), Catch::Matches("r\\.yaml:[0-9]+:[0-9]+: the file has more than 1000000 values"));
  CHECK(message_of("a: &a [*a]").find("nested deeper") != std::string::npos);
}

TEST_CASE("yaml: a file's path is in its errors", "[base][yaml]") {
  const vsr::test::TempFolder folder;
  const std::string path = folder.write("c.yaml", "a: 1\na: 2\n");
  CHECK(failure_of([&] { read_yaml_file(path); }) == Failure{Status::kParse, path + ":2:1: \"a\" is given twice"});
  CHECK(failure_of([&] { read_yaml_file(folder / "none.yaml"); }).status == Status::kNotFound);
}
