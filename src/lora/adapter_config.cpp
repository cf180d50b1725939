#include "lora/adapter_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace vsr::lora {
namespace {

using base::JsonObject;
using base::JsonValue;

// Keys that vsr reads, and keys that say how the adapter was made but not what it computes.
constexpr std::array<std::string_view, 17> kRead{"peft_type",
                                                 "task_type",
                                                 "r",
                                                 "lora_alpha",
                                                 "use_rslora",
                                                 "use_dora",
                                                 "target_modules",
                                                 "exclude_modules",
                                                 "layers_to_transform",
                                                 "layers_pattern",
                                                 "rank_pattern",
                                                 "alpha_pattern",
                                                 "modules_to_save",
                                                 "bias",
                                                 "fan_in_fan_out",
                                                 "lora_bias",
                                                 "init_lora_weights"};
constexpr std::array<std::string_view, 11> kHistory{
    "auto_mapping",  "base_model_name_or_path", "revision",   "peft_version", "inference_mode",
    "lora_dropout",  "megatron_core",           "eva_config", "loftq_config", "qalora_group_size",
    "runtime_config"};

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What peft writes for "not used".
bool is_off(const JsonValue& value) {
  const auto& node = value.node();
  return node.is_null() || node == false || ((node.is_object() || node.is_array()) && node.empty());
}

// A key that vsr does not know may mean another forward pass, so only its absence is harmless.
void check_keys(const JsonObject& json) {
  for (const std::string& key : json.keys()) {
    if (is_one_of(kRead, key) || is_one_of(kHistory, key)) continue;
    if (!json.contains(key) || is_off(json.at(key))) continue;
    json.at(key).fail_unsupported("is set, which vsr does not run");
  }
}

// These initialisations also change the base's weights, so that the adapter fits the changed ones only.
void check_initialisation(const JsonObject& json) {
  if (!json.contains("init_lora_weights") || !json.at("init_lora_weights").is_string()) return;
  const auto name = json.required<std::string>("init_lora_weights");
  constexpr std::array<std::string_view, 3> kLeaveBaseAlone{"gaussian", "eva", "orthogonal"};
  if (is_one_of(kLeaveBaseAlone, name)) return;
  json.at("init_lora_weights")
      .fail_unsupported("is \"" + name +
                        "\", which changes the base's weights (hint: convert the adapter with peft's "
                        "path_initial_model_for_weight_conversion)");
}

void read_targets(const JsonObject& json, AdapterConfig& config) {
  if (!json.contains("target_modules")) return;
  const JsonValue targets = json.at("target_modules");
  if (targets.is_string()) {
    config.target_expression = targets.as<std::string>();
  } else {
    config.target_modules = targets.as<std::vector<std::string>>();
  }
}

void read_scaling(const JsonObject& json, AdapterConfig& config) {
  constexpr int64_t kMaxRank = 65536;
  config.rank = json.optional<int64_t>("r", 8);
  if (config.rank < 1 || config.rank > kMaxRank) json.at("r").fail("is out of range");
  config.alpha = json.optional<double>("lora_alpha", 8);
  if (!std::isfinite(config.alpha)) json.at("lora_alpha").fail("is not finite");
  config.use_rslora = json.optional<bool>("use_rslora", false);
  config.use_dora = json.optional<bool>("use_dora", false);
}

}  // namespace

AdapterConfig parse_adapter_config(const JsonObject& json) {
  if (const auto type = json.required<std::string>("peft_type"); type != "LORA") {
    json.at("peft_type").fail_unsupported("is \"" + type + "\", expected \"LORA\"");
  }
  check_keys(json);
  check_initialisation(json);
  if (json.optional<bool>("fan_in_fan_out", false)) json.at("fan_in_fan_out").fail_unsupported("is true");

  AdapterConfig config{.path = json.path(), .json = json, .task_type = json.optional<std::string>("task_type", "")};
  read_scaling(json, config);
  read_targets(json, config);
  config.modules_to_save = json.optional<std::vector<std::string>>("modules_to_save", {});
  config.bias = json.optional<std::string>("bias", "none");
  if (config.bias != "none" && config.bias != "lora_only" && config.bias != "all") {
    json.at("bias").fail("is \"" + config.bias + "\", expected \"none\", \"lora_only\" or \"all\"");
  }
  return config;
}

AdapterConfig read_adapter_config(const std::string& folder) {
  return parse_adapter_config(base::read_json_file((std::filesystem::path(folder) / "adapter_config.json").string()));
}

}  // namespace vsr::lora
