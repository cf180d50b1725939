// The shape of an attention, whatever computes it.
#pragma once

#include <cstdint>
#include <optional>

namespace vsr::core {

struct AttentionSpec {
  int64_t heads;
  int64_t kv_heads;  // a divisor of heads: each serves heads / kv_heads neighbouring query heads
  int64_t head_dim;
  double scale;                                  // of the scores, before the softmax
  bool causal = false;                           // token i sees j <= i
  std::optional<int64_t> window = std::nullopt;  // token i sees |i - j| <= window; without one, all of its sequence
};

}  // namespace vsr::core
