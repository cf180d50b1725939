// The matrix with which a causal LM turns hidden states into logits.
#pragma once

#include <ATen/core/Tensor.h>

#include "models/registry.h"

namespace vsr::models {

// [vocab_size, hidden_size]: lm_head.weight where the checkpoint has one of its own; `words`, which is
// "embed_tokens.weight" of `weights`, where config.json ties the two; undefined where the checkpoint does not predict
// tokens.
at::Tensor take_output_words(const ModelSource& source, const core::WeightScope& weights, const at::Tensor& words,
                             bool tied_by_default);

}  // namespace vsr::models
