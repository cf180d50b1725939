// Classification heads: what runs between hidden states and logits. Models choose the parts and name the weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "core/nn/nn_activation.h"
#include "core/nn/nn_linear.h"
#include "core/nn/nn_norm.h"
#include "core/nn/pooling.h"

namespace vsr::core {

enum class HeadKind { kSequence, kToken };

// A dense layer with its activation in front of the classifier, as in BERT's pooler; ModernBERT's ends with a norm.
struct HeadDense {
  Linear linear;
  Activation activation;
  std::optional<LayerNorm> norm = std::nullopt;
};

struct ClassificationHead {
  HeadKind kind;
  std::optional<Pooling> pooling;  // kSequence only
  std::optional<HeadDense> dense;
  Linear classifier;
  std::optional<int64_t> pad_token_id = std::nullopt;  // kLastToken only: the last token that is another one

  // hidden [total_tokens, hidden_size] -> logits [sequences, labels], or [total_tokens, labels] of a token head.
  at::Tensor forward(const at::Tensor& hidden, const PackedBatch& batch) const;
  // The tokens of sequence i whose hidden states that takes.
  TokenRange tokens_read(const PackedBatch& batch, int64_t i) const;
};

}  // namespace vsr::core
