#include "routing/config/reader/router_schema.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/yaml.h"
#include "support/data.h"

using vsr::base::YamlNode;
using Json = nlohmann::json;

namespace {

// As much of JSON Schema as the router's uses: properties, items, $ref, anyOf. Returns the first key that is not there.
class Keys {
 public:
  explicit Keys(const Json& schema) : root_(schema) {}

  std::string unknown(const YamlNode& node, const Json& schema) const {
    if (schema.is_boolean()) return "";
    if (schema.contains("$ref"))
      return unknown(node, root_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
    if (schema.contains("anyOf")) return unknown_of_all(node, schema["anyOf"]);
    if (schema.contains("enum") && node.is_scalar()) return unknown_value(node, schema["enum"]);
    if (node.is_list() && schema.contains("items")) {
      for (const YamlNode& item : node.items()) {
        if (const std::string found = unknown(item, schema["items"]); !found.empty()) return found;
      }
    }
    if (node.is_map() && schema.contains("properties")) return unknown_member(node, schema);
    return "";
  }

 private:
  std::string unknown_of_all(const YamlNode& node, const Json& schemas) const {
    std::string last;
    for (const Json& schema : schemas) {
      last = unknown(node, schema);
      if (last.empty()) return "";
    }
    return last;
  }

  static std::string unknown_value(const YamlNode& node, const Json& values) {
    for (const Json& value : values) {
      if (!value.is_string() || value == node.as_string()) return "";
    }
    return node.where() + ": " + node.as_string();
  }

  std::string unknown_member(const YamlNode& node, const Json& schema) const {
    for (const auto& [key, value] : node.entries()) {
      if (schema["properties"].contains(key)) {
        if (const std::string found = unknown(value, schema["properties"][key]); !found.empty()) return found;
      } else if (schema.value("additionalProperties", Json(true)) == false) {
        return value.where() + ": " + key;
      }
    }
    return "";
  }

  const Json& root_;
};

}  // namespace

TEST_CASE("router schema: it is JSON, and its references resolve", "[routing][schema]") {
  const Json schema = Json::parse(vsr::routing::router_schema());
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  const auto& keyword = schema["properties"]["routing"]["properties"]["signals"]["properties"]["keywords"]["items"];
  CHECK(keyword["required"] == Json({"name", "keywords"}));
  CHECK(keyword["properties"]["operator"]["enum"] == Json({"AND", "OR", "NOR"}));
  CHECK(keyword["properties"]["ngram_threshold"]["maximum"] == 1.0);
  const std::string text = schema.dump();
  const std::string prefix = "\"$ref\":\"#";
  size_t references = 0;
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1), ++references) {
    const size_t begin = at + prefix.size();
    const std::string pointer = text.substr(begin, text.find('"', begin) - begin);
    CAPTURE(pointer);
    CHECK(schema.contains(Json::json_pointer(pointer)));
  }
  CHECK(references > 50);
}

TEST_CASE("router schema: it has every key of the real configurations", "[routing][schema]") {
  const auto folder = vsr::test::shared_data("router-configs/config");
  if (!folder) return;
  const Json schema = Json::parse(vsr::routing::router_schema());
  const Keys keys(schema);
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml" || name == "probes.yaml" || name == "metadata.yaml") continue;
    ++files;
    CHECK(keys.unknown(vsr::base::read_yaml_file(entry.path().string()), schema) == "");
  }
  CHECK(files > 20);
}

TEST_CASE("router schema: it finds a key that is none", "[routing][schema]") {
  const Json schema = Json::parse(vsr::routing::router_schema());
  const auto unknown = [&](const char* text) { return Keys(schema).unknown(vsr::base::parse_yaml(text, "r"), schema); };
  CHECK(unknown("routing: {signals: {keywords: [{nam: x}]}}") == "r:1:38: nam");
  CHECK(unknown("routing: {decisions: [{rules: {type: keyword, nme: x}}]}") != "");
  CHECK(unknown("routing: {decisions: [{plugins: [{type: system_promt}]}]}") != "");
}
