#include "core/nn_attention_cached.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace vsr::core {
namespace {

using at::Tensor;

// Queries that share one mask, so that it stays small.
constexpr int64_t kQueries = 512;

Tensor attend_dense(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& mask,
                    double scale) {
  return at::scaled_dot_product_attention(query, key, value, mask, 0.0, false, scale);
}

// rows [tokens, heads * head_dim] -> [kv_heads, heads / kv_heads, tokens, head_dim], a view
Tensor by_head(const Tensor& rows, const AttentionSpec& spec) {
  return rows.unflatten(1, {spec.kv_heads, -1, spec.head_dim}).permute({1, 2, 0, 3});
}

int64_t first_key(int64_t position, const AttentionSpec& spec) {
  return spec.window ? std::max<int64_t>(position - *spec.window, 0) : 0;
}

// One token sees all keys alike: the heads of a group are its queries, and no key is read twice.
Tensor attend_one(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec) {
  const int64_t first = first_key(key.size(0) - 1, spec);
  const Tensor heads = query.view({spec.kv_heads, 1, -1, spec.head_dim});
  const Tensor keys = by_head(key.slice(0, first), spec);
  const Tensor values = by_head(value.slice(0, first), spec);
  return attend_dense(heads, keys, values, std::nullopt, spec.scale).reshape(query.sizes());
}

// 0 where a query sees a key and -inf elsewhere; `shift` is the first query's position less the first key's.
Tensor causal_mask(int64_t queries, int64_t keys, int64_t shift, const std::optional<int64_t>& window) {
  const auto options = at::TensorOptions().dtype(at::kLong);
  const Tensor distance = at::arange(shift, shift + queries, options).unsqueeze(1) - at::arange(keys, options);
  Tensor seen = distance.ge(0);
  if (window) seen = seen.logical_and_(distance.le(*window));
  const auto zero = at::zeros({}, at::TensorOptions().dtype(at::kFloat));
  return at::where(seen, zero, zero - std::numeric_limits<double>::infinity());
}

}  // namespace

Tensor attend_cached(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec) {
  const int64_t count = query.size(0);
  if (count == 1) return attend_one(query, key, value, spec);
  const int64_t past = key.size(0) - count;
  const int64_t group = spec.heads / spec.kv_heads;
  Tensor output = at::empty(query.sizes(), query.options());
  for (int64_t begin = 0; begin < count; begin += kQueries) {
    const int64_t end = std::min(begin + kQueries, count);
    const int64_t first = first_key(past + begin, spec);
    const int64_t last = past + end;
    const auto keys = [&](const Tensor& rows) {
      return by_head(rows.slice(0, first, last), spec).expand({-1, group, -1, -1});
    };
    const Tensor mask =
        causal_mask(end - begin, last - first, past + begin - first, spec.window).to(query.scalar_type());
    by_head(output.slice(0, begin, end), spec)
        .copy_(attend_dense(by_head(query.slice(0, begin, end), spec), keys(key), keys(value), mask, spec.scale));
  }
  return output;
}

}  // namespace vsr::core
