// adapter_config.json as peft's LoraConfig writes it. Reference: peft, tuners/lora/config.py.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"

namespace vsr::lora {

struct AdapterConfig {
  std::string path;
  base::JsonObject json;
  std::string task_type;  // "SEQ_CLS", "TOKEN_CLS", "FEATURE_EXTRACTION", ...; empty: not said
  int64_t rank = 8;
  double alpha = 8;
  bool use_rslora = false;  // scales by alpha / sqrt(rank) instead of alpha / rank (arXiv:2312.03732)
  bool use_dora = false;
  std::vector<std::string> target_modules = {};                 // ends of names
  std::optional<std::string> target_expression = std::nullopt;  // or one expression for whole names
  std::vector<std::string> modules_to_save = {};
  std::string bias = "none";  // which biases were trained and saved: "none", "lora_only", "all"
};

// Throws kParse, and kUnsupported for what would change the forward pass in a way that vsr does not run; both name the
// key.
AdapterConfig parse_adapter_config(const base::JsonObject& json);

// Of the file in `folder`; throws kNotFound and kIo too.
AdapterConfig read_adapter_config(const std::string& folder);

}  // namespace vsr::lora
