// Rows of a table by id.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>

namespace vsr::core {

// table: [count, size], as WeightStore::take_table() gives it; ids: int64 [n] of a batch -> float32 [n, size], where
// the table is.
inline at::Tensor embedding(const at::Tensor& table, const at::Tensor& ids) {
  return at::embedding(table, ids.to(table.device())).to(at::kFloat);
}

}  // namespace vsr::core
