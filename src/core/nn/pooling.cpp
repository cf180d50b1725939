#include "core/nn/pooling.h"

#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"

namespace vsr::core {
namespace {

constexpr std::array<std::pair<std::string_view, Pooling>, 5> kNames{
    {{"cls", Pooling::kCls},
     {"mean", Pooling::kMean},
     {"max", Pooling::kMax},
     {"lasttoken", Pooling::kLastToken},
     {"mean_sqrt_len_tokens", Pooling::kMeanSqrtLength}}};

// rows: [length, size] of one sequence
at::Tensor pool_rows(Pooling pooling, const at::Tensor& rows) {
  switch (pooling) {
    case Pooling::kCls:
      return rows[0];
    case Pooling::kLastToken:
      return rows[rows.size(0) - 1];
    case Pooling::kMean:
      return rows.mean(0);
    case Pooling::kMax:
      return rows.amax(0);
    case Pooling::kMeanSqrtLength:
      return rows.sum(0).div_(std::sqrt(static_cast<double>(rows.size(0))));
  }
  base::fail(base::Status::kInternal, "pooling ", static_cast<int>(pooling), " has no function");
}

at::Tensor pool_sequence(Pooling pooling, const at::Tensor& rows, int64_t from) {
  if (from == 0) return pool_rows(pooling, rows);
  if (from < rows.size(0)) return pool_rows(pooling, rows.narrow(0, from, rows.size(0) - from));
  return pooling == Pooling::kCls ? rows[0] : at::zeros_like(rows[0]);
}

}  // namespace

Pooling pooling_named(const std::string& name, const std::string& where) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == kNames.end())
    base::fail(base::Status::kUnsupported, where, ": pooling \"", name, "\" is not one of vsr's");
  return found->second;
}

std::string_view pooling_name(Pooling pooling) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == pooling; })->first;
}

at::Tensor pool(Pooling pooling, const at::Tensor& hidden, const PackedBatch& batch) {
  std::vector<at::Tensor> rows;
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    const int64_t from = batch.pooled_from.empty() ? 0 : batch.pooled_from[static_cast<size_t>(i)];
    rows.push_back(pool_sequence(pooling, hidden.narrow(0, batch.begin(i), batch.length(i)), from));
  }
  return at::stack(rows);
}

TokenRange pooled_tokens(Pooling pooling, const PackedBatch& batch, int64_t i) {
  const int64_t length = batch.length(i);
  if (!batch.pooled_from.empty()) return batch.whole(i);
  if (pooling == Pooling::kCls) return {0, 1};
  return pooling == Pooling::kLastToken ? TokenRange{length - 1, length} : batch.whole(i);
}

TokenRange last_unpadded(const PackedBatch& batch, int64_t i, int64_t pad_token_id) {
  const int64_t* ids = batch.input_ids.const_data_ptr<int64_t>() + batch.begin(i);
  int64_t token = batch.length(i) - 1;
  while (token > 0 && ids[token] == pad_token_id) --token;
  return {token, token + 1};
}

at::Tensor pool_last_unpadded(const at::Tensor& hidden, const PackedBatch& batch, int64_t pad_token_id) {
  std::vector<at::Tensor> rows;
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    rows.push_back(hidden[batch.begin(i) + last_unpadded(batch, i, pad_token_id).begin]);
  }
  return at::stack(rows);
}

}  // namespace vsr::core
