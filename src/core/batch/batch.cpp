#include "core/batch/batch.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace vsr::core {

PackedBatch pack(std::span<const text::Encoding> encodings) {
  PackedBatch batch;
  batch.cu_seqlens.push_back(0);
  for (const text::Encoding& encoding : encodings) {
    batch.cu_seqlens.push_back(batch.cu_seqlens.back() + static_cast<int64_t>(encoding.size()));
  }
  const auto options = at::TensorOptions().dtype(at::kLong);
  batch.input_ids = at::empty({batch.total_tokens()}, options);
  batch.type_ids = at::empty({batch.total_tokens()}, options);
  batch.position_ids = at::empty({batch.total_tokens()}, options);
  auto* ids = batch.input_ids.mutable_data_ptr<int64_t>();
  auto* types = batch.type_ids.mutable_data_ptr<int64_t>();
  auto* positions = batch.position_ids.mutable_data_ptr<int64_t>();
  for (const text::Encoding& encoding : encodings) {
    ids = std::copy(encoding.ids.begin(), encoding.ids.end(), ids);
    types = std::copy(encoding.type_ids.begin(), encoding.type_ids.end(), types);
    for (size_t i = 0; i < encoding.size(); ++i) *positions++ = static_cast<int64_t>(i);
  }
  return batch;
}

PackedBatch pack_tokens(std::span<const int32_t> ids, int64_t first_position) {
  const auto count = static_cast<int64_t>(ids.size());
  const auto options = at::TensorOptions().dtype(at::kLong);
  PackedBatch batch;
  batch.cu_seqlens = {0, count};
  batch.input_ids = at::empty({count}, options);
  std::copy(ids.begin(), ids.end(), batch.input_ids.mutable_data_ptr<int64_t>());
  batch.type_ids = at::zeros({count}, options);
  batch.position_ids = at::arange(first_position, first_position + count, options);
  return batch;
}

std::vector<EqualRun> equal_runs(const PackedBatch& batch) {
  std::vector<EqualRun> runs;
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    if (!runs.empty() && runs.back().length == batch.length(i)) {
      ++runs.back().sequences;
    } else {
      runs.push_back({batch.begin(i), 1, batch.length(i)});
    }
  }
  return runs;
}

}  // namespace vsr::core
