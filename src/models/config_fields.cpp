#include "models/config_fields.h"

#include <cmath>

#include "base/error.h"

namespace vsr::models {

using base::fail;
using base::JsonObject;
using base::Status;

int64_t positive(const JsonObject& json, const std::string& key) {
  const auto value = json.required<int64_t>(key);
  if (value < 1) fail(Status::kParse, json.path(), ": \"", key, "\" is ", value, ", expected at least 1");
  return value;
}

int64_t positive(const JsonObject& json, const std::string& key, int64_t otherwise) {
  return json.contains(key) ? positive(json, key) : otherwise;
}

double positive_number(const JsonObject& json, const std::string& key, double otherwise) {
  const auto value = json.optional<double>(key, otherwise);
  if (!std::isfinite(value) || value <= 0) {
    fail(Status::kParse, json.path(), ": \"", key, "\" is ", value, ", expected more than 0");
  }
  return value;
}

std::optional<JsonObject> find_object(const JsonObject& json, const std::string& key) {
  if (!json.contains(key)) return std::nullopt;
  const auto object = json.required<JsonObject>(key);
  if (object.keys().empty()) return std::nullopt;
  return object;
}

std::vector<LayerType> read_layer_types(const JsonObject& json, int64_t num_hidden_layers,
                                        const std::function<LayerType(int64_t layer)>& otherwise) {
  std::vector<LayerType> types;
  if (!json.contains("layer_types")) {
    for (int64_t i = 0; i < num_hidden_layers; ++i) types.push_back(otherwise(i));
    return types;
  }
  for (const base::JsonValue& item : json.at("layer_types").items()) {
    const auto name = item.as<std::string>();
    if (name != "full_attention" && name != "sliding_attention") {
      item.fail_unsupported("is \"" + name + "\", expected \"full_attention\" or \"sliding_attention\"");
    }
    types.push_back(name == "full_attention" ? LayerType::kFull : LayerType::kSliding);
  }
  if (static_cast<int64_t>(types.size()) != num_hidden_layers) {
    json.at("layer_types")
        .fail("has " + std::to_string(types.size()) + " entries, num_hidden_layers is " +
              std::to_string(num_hidden_layers));
  }
  return types;
}

void check_groups(const JsonObject& json, int64_t num_attention_heads, int64_t num_key_value_heads) {
  if (num_attention_heads % num_key_value_heads != 0) {
    fail(Status::kParse, json.path(), ": num_attention_heads ", num_attention_heads,
         " is not a multiple of num_key_value_heads ", num_key_value_heads);
  }
}

}  // namespace vsr::models
