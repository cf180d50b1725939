// Readers for fields that config.json has in several architectures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace vsr::models {

// Throw kParse for an absent key, unless there is a default, and for a value below 1.
int64_t positive(const base::JsonObject& json, const std::string& key);
int64_t positive(const base::JsonObject& json, const std::string& key, int64_t otherwise);
// An epsilon or a scale: more than 0 and finite.
double positive_number(const base::JsonObject& json, const std::string& key, double otherwise);

// An object that may be absent, null or empty, which all mean the same.
std::optional<base::JsonObject> find_object(const base::JsonObject& json, const std::string& key);

enum class LayerType { kFull, kSliding };
// "layer_types" where the config has it, else `otherwise` of each layer. Throws kParse for a wrong number of them,
// kUnsupported for types beyond "full_attention" and "sliding_attention".
std::vector<LayerType> read_layer_types(const base::JsonObject& json, int64_t num_hidden_layers,
                                        const std::function<LayerType(int64_t layer)>& otherwise);

// Throws kParse unless num_key_value_heads divides num_attention_heads.
void check_groups(const base::JsonObject& json, int64_t num_attention_heads, int64_t num_key_value_heads);

}  // namespace vsr::models
