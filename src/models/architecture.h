// What an architecture's file tells of it: how its models are made, and what its checkpoints call things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/causal_lm.h"
#include "core/encoder.h"
#include "core/nn/heads.h"
#include "core/nn/pooling.h"
#include "core/weights/weights.h"

namespace vsr::models {

// What a factory reads.
struct ModelSource {
  base::JsonObject config;
  core::WeightScope weights;
  int64_t num_labels;  // of the head, if there is one: the size of id2label, else num_labels, else 2

  // The first entry of "architectures", which says what head the checkpoint has; empty when there is none.
  std::string architecture() const {
    const auto names = config.optional<std::vector<std::string>>("architectures", {});
    return names.empty() ? "" : names.front();
  }
};

// What it makes. A checkpoint without a head has embeddings only.
struct LoadedParts {
  std::unique_ptr<core::Encoder> encoder;
  const core::CausalLm* causal_lm = nullptr;  // the encoder itself, where the checkpoint predicts tokens
  std::optional<core::ClassificationHead> head;
  core::Pooling default_pooling = core::Pooling::kMean;  // where the checkpoint has no modules.json
  size_t encoder_modules = 0;  // the first of WeightStore::modules() are the encoder's, the others the head's
};

// What transformers calls things in checkpoints.
struct Naming {
  std::string_view prefix;      // of the encoder's tensors where the checkpoint has a head: "bert."
  std::string_view classifier;  // the layer that gives the logits: "classifier", "score"
  // Values of "architectures"; empty where there is no such head.
  std::string_view sequence_architecture;
  std::string_view token_architecture;
};
struct Architecture {
  std::string_view model_type;  // in config.json
  LoadedParts (*make)(const ModelSource& source);
  // A head alone: make_head() of the registry.
  core::ClassificationHead (*make_head)(const ModelSource& source, core::HeadKind kind);
  Naming naming;
};

}  // namespace vsr::models
