// Tiny checkpoints with the outputs that the reference implementation has for them; see make_encoder_goldens.py.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "core/weights/weights.h"
#include "models/registry.h"

namespace vsr::test {

struct LoadedGolden {
  std::shared_ptr<core::WeightStore> store;
  models::LoadedParts parts;
};

// The checkpoint tests/goldens/models/<name>; `edit` may change its config first.
using ConfigEdit = std::function<void(nlohmann::json& config)>;
LoadedGolden load_golden(const std::string& name, const ConfigEdit& edit = {});

// What loading says is wrong with the edited checkpoint, without the path before it; empty when nothing is.
std::string load_error(const std::string& name, const ConfigEdit& edit);

core::PackedBatch pack_ids(const std::vector<std::vector<int32_t>>& sequences);

// Compares hidden states, early exits, logits or their probabilities with the stored ones, each text alone and all of
// them in one batch.
void check_golden(const std::string& name);

}  // namespace vsr::test
