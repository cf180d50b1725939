// Tiny adapters with the outputs that peft has for them, and their base models; see make_adapter_goldens.py.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/batch/batch.h"
#include "lora/load_adapter.h"
#include "lora/shared_pass.h"
#include "models/registry.h"
#include "support/data.h"

namespace vsr::test {

inline std::string adapter_folder(const std::string& name) { return source_path("tests/goldens/adapters/" + name); }

// A base model of tests/goldens/models.
struct GoldenBase {
  explicit GoldenBase(const std::string& name, at::Device device = at::kCPU,
                      core::LinearType type = core::LinearType::kFloat32);
  lora::AdapterBase view() const;

  std::string path;
  base::JsonObject config;
  models::Labels labels;
  std::shared_ptr<core::WeightStore> store;
  models::LoadedParts parts;
};

core::PackedBatch pack_sequences(const std::vector<std::vector<int32_t>>& sequences);

// What the golden's outputs are: logits of the text or of its tokens, or the mean of the hidden states.
at::Tensor outputs_of(const lora::Adapter& adapter, const lora::BranchStates& states);

// The largest difference from a golden's "outputs" of one sequence; of logits that of their probabilities.
double difference(const at::Tensor& outputs, const nlohmann::json& expected, bool are_logits);

}  // namespace vsr::test
