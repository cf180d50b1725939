// The table of architectures: a checkpoint's `model_type` selects the file in this folder that reads it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/causal_lm.h"
#include "core/encoder.h"
#include "core/heads.h"
#include "core/weights.h"

namespace vsr::models {

// What a factory reads.
struct ModelSource {
  base::JsonObject config;
  core::WeightScope weights;
  int64_t num_labels;  // of the head, if there is one: the size of id2label, else num_labels, else 2

  // The first entry of "architectures", which says what head the checkpoint has; empty when there is none.
  std::string architecture() const;
};

// What it makes. A checkpoint without a head has embeddings only.
struct LoadedParts {
  std::unique_ptr<core::Encoder> encoder;
  const core::CausalLm* causal_lm = nullptr;  // the encoder itself, where the checkpoint predicts tokens
  std::optional<core::ClassificationHead> head;
  core::Pooling default_pooling = core::Pooling::kMean;  // where the checkpoint has no modules.json
};

// Builds the model and checks that every tensor has its place. Throws kUnsupported for an unknown `model_type` or head,
// kParse for a config that is incomplete or contradicts itself, kWeights for tensors that do not fit it.
LoadedParts make_model(const ModelSource& source);

// The factories of the table.
LoadedParts make_bert(const ModelSource& source);
LoadedParts make_gemma3(const ModelSource& source);
LoadedParts make_modernbert(const ModelSource& source);
LoadedParts make_qwen3(const ModelSource& source);

}  // namespace vsr::models
