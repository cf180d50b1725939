// What a decoder adds to an encoder: it reads on where it stopped, and predicts the next token. Implementations live in
// src/models.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "base/call_limits.h"
#include "core/batch/batch.h"
#include "core/nn/kv_cache.h"

namespace vsr::core {

class CausalLm {
 public:
  virtual ~CausalLm() = default;
  // A cache of a sequence that has not begun.
  virtual KvCache new_cache() const = 0;
  // Reads the batch's only sequence, whose positions go on where `cache` ends, and adds it to `cache`. Returns what the
  // encoder's forward pass over all of it would give for the new tokens: float32 [total_tokens, hidden_size].
  // Throws kCancelled or kDeadline between two blocks; the cache is of no use then.
  virtual at::Tensor read(const PackedBatch& batch, KvCache& cache, const base::CallLimits& limits = {}) const = 0;
  // What comes after each row of `hidden`: float32 [rows, vocab_size].
  virtual at::Tensor logits(const at::Tensor& hidden) const = 0;
};

}  // namespace vsr::core
