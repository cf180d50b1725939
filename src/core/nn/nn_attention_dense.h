// Attention by LibTorch's own operator, with masks: what the other forms of attention are checked against, and what
// runs where they cannot.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace vsr::core {

// query: [..., queries, head_dim]; key, value: [..., keys, head_dim]; mask: [queries, keys], added to the scores.
at::Tensor attend_dense(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                        const std::optional<at::Tensor>& mask, bool causal, double scale);

// What a query sees of the keys around it.
struct Band {
  std::optional<int64_t> window;  // |i - j| <= window; without one, all
  bool causal;                    // j <= i
};

// 0 where a query sees a key and -inf elsewhere, in the type and where `like` lives: [queries, keys]. `shift` is the
// first query's position less the first key's.
at::Tensor band_mask(int64_t queries, int64_t keys, int64_t shift, const Band& band, const at::Tensor& like);

}  // namespace vsr::core
