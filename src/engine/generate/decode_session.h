// A text that a causal LM reads token by token, with what it predicts after the last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/call_limits.h"
#include "core/nn/kv_cache.h"
#include "engine/model/loaded_model.h"

namespace vsr::engine {

class DecodeSession {
 public:
  // `limits` outlives the session.
  DecodeSession(const LoadedModel& model, const base::CallLimits& limits);

  // Reads on, long texts in blocks. Throws kLimit beyond the model's tokens, kWeights for values that are not finite,
  // kCancelled and kDeadline between two blocks of the model.
  void read(std::span<const int32_t> ids);
  // Of the token after the last that was read: one per word of the vocabulary. Empty before the first.
  std::span<const float> logits() const { return logits_; }
  size_t tokens() const { return static_cast<size_t>(cache_.size()); }

  // A place to go back to.
  struct Mark {
    int64_t tokens;
    std::vector<float> logits;
  };
  Mark mark() const { return {cache_.size(), logits_}; }
  void rewind(const Mark& mark);

 private:
  void read_block(std::span<const int32_t> ids, bool last);
  const LoadedModel& model_;
  const base::CallLimits& limits_;
  core::KvCache cache_;
  std::vector<float> logits_;
};

}  // namespace vsr::engine
