// A PEFT adapter on one base model: what it changes in the base's blocks, and the head it brings. Immutable.
// Paper: arXiv:2106.09685. Reference: peft, tuners/lora/layer.py and utils/save_and_load.py.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/linear/row_updates.h"
#include "core/nn/heads.h"
#include "models/labels.h"

namespace vsr::lora {

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

}  // namespace vsr::lora
