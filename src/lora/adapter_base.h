// The model that an adapter is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "core/nn/heads.h"
#include "core/weights/weights.h"
#include "models/labels.h"

namespace vsr::lora {

// The base as an adapter sees it. All of it stays as it is.
struct AdapterBase {
  std::string path;
  const base::JsonObject& config;  // config.json
  const core::WeightStore& weights;
  size_t encoder_modules;  // of weights.modules()
  int64_t layers;
  std::optional<core::HeadKind> head;  // of the base's own head
  const models::Labels& labels;
};

}  // namespace vsr::lora
