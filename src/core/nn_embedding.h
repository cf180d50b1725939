// Rows of a table by id.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>

namespace vsr::core {

// table: float32 [count, size], on any device; ids: int64 [n] of a batch -> float32 [n, size], where the table is.
inline at::Tensor embedding(const at::Tensor& table, const at::Tensor& ids) {
  return at::embedding(table, ids.to(table.device()));
}

}  // namespace vsr::core
