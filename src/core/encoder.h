// What a model gives to the tasks: hidden states from tokens. Implementations live in src/models.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/batch.h"

namespace vsr::core {

struct EncoderInfo {
  int64_t num_hidden_layers = 0;
  int64_t hidden_size = 0;
  int64_t num_attention_heads = 0;
  int64_t intermediate_size = 0;
  int64_t vocab_size = 0;
  int64_t type_vocab_size = 0;  // token type ids run from 0 to this - 1; 0: the model has no types and ignores them
  int64_t max_position_embeddings = 0;
};

struct RunOptions {
  int64_t layers = 0;  // stop after this many blocks, then apply the final norm; 0: all
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  // Hidden states, float32 [total_tokens, hidden_size].
  virtual at::Tensor forward(const PackedBatch& batch, const RunOptions& options) const = 0;
  virtual const EncoderInfo& info() const = 0;
};

}  // namespace vsr::core
