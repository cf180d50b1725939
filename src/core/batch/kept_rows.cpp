#include "core/batch/kept_rows.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

namespace vsr::core {
namespace {

bool are_whole(const PackedBatch& batch, const std::vector<TokenRange>& ranges) {
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    if (ranges[static_cast<size_t>(i)] != batch.whole(i)) return false;
  }
  return true;
}

}  // namespace

KeptRows::KeptRows(const PackedBatch& source, std::vector<TokenRange> ranges) : source_(&source) {
  if (are_whole(source, ranges)) return;
  ranges_ = std::move(ranges);
  kept_.cu_seqlens.push_back(0);
  for (const TokenRange& range : ranges_) kept_.cu_seqlens.push_back(kept_.total_tokens() + range.end - range.begin);
  rows_ = at::empty({kept_.total_tokens()}, at::kLong);
  auto* row = rows_.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < source.sequences(); ++i) {
    const int64_t length = kept_.length(i);
    std::iota(row, row + length, source.begin(i) + range(i).begin);
    row += length;
  }
  kept_.input_ids = take(source.input_ids);
  kept_.type_ids = take(source.type_ids);
  kept_.position_ids = take(source.position_ids);
  for (const RowGroup& group : source.adapted) {
    kept_.adapted.push_back({kept_before(group.begin), kept_before(group.end), group.updates});
  }
}

TokenRange KeptRows::range(int64_t i) const {
  return keeps_all() ? source_->whole(i) : ranges_[static_cast<size_t>(i)];
}

int64_t KeptRows::kept_before(int64_t row) const {
  if (row == source_->total_tokens()) return kept_.total_tokens();
  const auto& starts = source_->cu_seqlens;
  const int64_t sequence = std::upper_bound(starts.begin(), starts.end(), row) - starts.begin() - 1;
  const int64_t first = source_->begin(sequence) + range(sequence).begin;
  return kept_.begin(sequence) + std::clamp<int64_t>(row - first, 0, kept_.length(sequence));
}

at::Tensor KeptRows::take(const at::Tensor& rows) const {
  return keeps_all() ? rows : at::index_select(rows, 0, rows_.to(rows.device()));
}

at::Tensor KeptRows::spread(const at::Tensor& kept) const {
  if (keeps_all()) return kept;
  std::vector<int64_t> sizes = kept.sizes().vec();
  sizes.front() = source_->total_tokens();
  return at::zeros(sizes, kept.options()).index_copy_(0, rows_.to(kept.device()), kept);
}

}  // namespace vsr::core
