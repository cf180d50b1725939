// A packed batch of given lengths, and the tensors of tests on it.
#pragma once

#include <ATen/ops/tensor.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/batch/batch.h"

namespace vsr::test {

// Only the lengths; for what does not look at tokens.
inline core::PackedBatch ragged(const std::vector<int64_t>& lengths) {
  core::PackedBatch batch;
  batch.cu_seqlens = {0};
  for (const int64_t length : lengths) batch.cu_seqlens.push_back(batch.cu_seqlens.back() + length);
  return batch;
}

inline at::Tensor matrix(int64_t rows, int64_t cols, const std::vector<float>& values) {
  return at::tensor(values).view({rows, cols});
}

// Values in [-1, 1), the same in every run.
inline at::Tensor random_matrix(int64_t rows, int64_t cols, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(rows * cols));
  for (float& value : values) value = static_cast<float>(random() % 2000) / 1000.0F - 1.0F;
  return matrix(rows, cols, values);
}

inline std::vector<float> flat(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.contiguous();
  return {dense.const_data_ptr<float>(), dense.const_data_ptr<float>() + dense.numel()};
}

}  // namespace vsr::test
