// The table of architectures: a checkpoint's `model_type` selects the file in this folder that reads it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/causal_lm.h"
#include "core/encoder.h"
#include "core/nn/heads.h"
#include "core/weights/weights.h"

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
  size_t encoder_modules = 0;  // the first of WeightStore::modules() are the encoder's, the others the head's
};

// Builds the model and checks that every tensor has its place. Throws kUnsupported for an unknown `model_type` or head,
// kParse for a config that is incomplete or contradicts itself, kWeights for tensors that do not fit it.
LoadedParts make_model(const ModelSource& source);

// Builds a head alone, which an adapter brings along for a model of this config. The names of `source.weights` are
// those of a checkpoint without a head: neither "bert." nor "model." stands before them. Throws kUnsupported for a head
// that the architecture does not have, kWeights for tensors that do not fit.
core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind);

// What transformers calls things in checkpoints of the config's model_type. Throws kUnsupported for an unknown one.
struct Naming {
  std::string_view prefix;      // of the encoder's tensors where the checkpoint has a head: "bert."
  std::string_view classifier;  // the layer that gives the logits: "classifier", "score"
  // Values of "architectures"; empty where there is no such head.
  std::string_view sequence_architecture;
  std::string_view token_architecture;
};
const Naming& naming_of(const base::JsonObject& config);

// The factories of the table.
LoadedParts make_bert(const ModelSource& source);
core::ClassificationHead make_bert_head(const ModelSource& source, core::HeadKind kind);
LoadedParts make_gemma3(const ModelSource& source);
core::ClassificationHead make_gemma3_head(const ModelSource& source, core::HeadKind kind);
LoadedParts make_modernbert(const ModelSource& source);
core::ClassificationHead make_modernbert_head(const ModelSource& source, core::HeadKind kind);
LoadedParts make_qwen3(const ModelSource& source);
core::ClassificationHead make_qwen3_head(const ModelSource& source, core::HeadKind kind);

}  // namespace vsr::models
