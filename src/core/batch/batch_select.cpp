#include "core/batch/batch_select.h"

#include <ATen/ops/cat.h>

namespace vsr::core {

SelectedSequences::SelectedSequences(const PackedBatch& source, std::span<const int64_t> sequences) : source_(source) {
  for (const int64_t sequence : sequences) {
    const TokenRange range{source.begin(sequence), source.begin(sequence + 1)};
    cu_seqlens_.push_back(cu_seqlens_.back() + source.length(sequence));
    if (!ranges_.empty() && ranges_.back().end == range.begin) {
      ranges_.back().end = range.end;
    } else {
      ranges_.push_back(range);
    }
  }
}

PackedBatch SelectedSequences::batch() const {
  PackedBatch batch;
  batch.input_ids = rows(source_.input_ids);
  batch.type_ids = rows(source_.type_ids);
  batch.position_ids = rows(source_.position_ids);
  batch.cu_seqlens = cu_seqlens_;
  return batch;
}

at::Tensor SelectedSequences::rows(const at::Tensor& all) const {
  if (ranges_.size() == 1) return all.narrow(0, ranges_.front().begin, ranges_.front().end - ranges_.front().begin);
  std::vector<at::Tensor> parts;
  for (const TokenRange& range : ranges_) parts.push_back(all.narrow(0, range.begin, range.end - range.begin));
  return at::cat(parts);
}

}  // namespace vsr::core
