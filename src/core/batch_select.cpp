#include "core/batch_select.h"

#include <ATen/ops/cat.h>

#include <utility>
#include <vector>

namespace vsr::core {
namespace {

// Neighbouring rows as they stand, others copied.
at::Tensor rows_of(const at::Tensor& all, const std::vector<TokenRange>& ranges) {
  if (ranges.size() == 1) return all.narrow(0, ranges.front().begin, ranges.front().end - ranges.front().begin);
  std::vector<at::Tensor> rows;
  for (const TokenRange& range : ranges) rows.push_back(all.narrow(0, range.begin, range.end - range.begin));
  return at::cat(rows);
}

}  // namespace

at::Tensor take_sequences(PackedBatch& batch, std::span<const int64_t> sequences, const at::Tensor& hidden) {
  PackedBatch taken;
  taken.cu_seqlens.push_back(0);
  std::vector<TokenRange> ranges;  // of rows
  for (const int64_t sequence : sequences) {
    const TokenRange range{batch.begin(sequence), batch.begin(sequence + 1)};
    taken.cu_seqlens.push_back(taken.total_tokens() + batch.length(sequence));
    if (!ranges.empty() && ranges.back().end == range.begin) {
      ranges.back().end = range.end;
    } else {
      ranges.push_back(range);
    }
  }
  taken.input_ids = rows_of(batch.input_ids, ranges);
  taken.type_ids = rows_of(batch.type_ids, ranges);
  taken.position_ids = rows_of(batch.position_ids, ranges);
  batch = std::move(taken);
  return rows_of(hidden, ranges);
}

}  // namespace vsr::core
