#include "core/batch_select.h"

#include <ATen/ops/cat.h>

#include <utility>
#include <vector>

namespace vsr::core {

at::Tensor take_sequences(PackedBatch& batch, std::span<const int64_t> sequences, const at::Tensor& hidden) {
  PackedBatch taken;
  taken.cu_seqlens.push_back(0);
  std::vector<at::Tensor> ids, types, positions, rows;
  for (const int64_t sequence : sequences) {
    const int64_t begin = batch.begin(sequence);
    const int64_t length = batch.length(sequence);
    ids.push_back(batch.input_ids.narrow(0, begin, length));
    types.push_back(batch.type_ids.narrow(0, begin, length));
    positions.push_back(batch.position_ids.narrow(0, begin, length));
    rows.push_back(hidden.narrow(0, begin, length));
    taken.cu_seqlens.push_back(taken.total_tokens() + length);
  }
  taken.input_ids = at::cat(ids);
  taken.type_ids = at::cat(types);
  taken.position_ids = at::cat(positions);
  batch = std::move(taken);
  return at::cat(rows);
}

}  // namespace vsr::core
