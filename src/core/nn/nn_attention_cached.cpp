#include "core/nn/nn_attention_cached.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <optional>

#include "core/nn/nn_attention_dense.h"

namespace vsr::core {
namespace {

using at::Tensor;

// Queries that share one mask, so that it stays small.
constexpr int64_t kQueries = 512;

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
  return attend_dense(heads, keys, values, std::nullopt, false, spec.scale).reshape(query.sizes());
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
        band_mask(end - begin, last - first, past + begin - first, {spec.window, /*causal=*/true}, query);
    by_head(output.slice(0, begin, end), spec)
        .copy_(
            attend_dense(by_head(query.slice(0, begin, end), spec), keys(key), keys(value), mask, false, spec.scale));
  }
  return output;
}

}  // namespace vsr::core
