// A PEFT adapter on one base model: what it changes in the base's blocks, and the head it brings. Immutable.
// Paper: arXiv:2106.09685. Reference: peft, tuners/lora/layer.py and utils/save_and_load.py.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "core/linear/row_updates.h"
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

struct Adapter {
  std::string name;
  std::string path;
  core::AdapterUpdates updates;
  int64_t first_block = 0;  // blocks before this one are the base's, unchanged; all of them if it changes none
  std::optional<core::ClassificationHead> head;    // none: it adapts embeddings
  models::Labels labels;                           // of the head
  std::map<std::string, at::Tensor> head_tensors;  // what the head is made of, by names without the encoder's prefix
  int64_t rank = 0;                                // the highest of its modules
  int64_t parameters = 0;                          // its own, head included
  int64_t head_parameters = 0;                     // those of them that are the head's
  int64_t bytes_in_memory = 0;
};

// Loads adapter_config.json and adapter_model.safetensors of `path`, and the labels in id2label.json or config.json.
// Throws kNotFound, kIo, kParse, kWeights for tensors that do not fit the config or the base (naming both sides),
// kUnsupported for kinds of adapters that vsr does not run.
std::shared_ptr<const Adapter> load_adapter(const std::string& name, const std::string& path, const AdapterBase& base);

}  // namespace vsr::lora
