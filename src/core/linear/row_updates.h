// What adapters change: some modules, for some rows of a batch (low-rank adaptation, arXiv:2106.09685). The base's
// weights stay as they are and serve all rows at once.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vsr::core {

// A linear layer or a norm of an encoder, in the order in which it was built.
using ModuleId = size_t;

// Of an input x and the base's output y = W x + b: scale * (y - b) + b + up (down x) + bias.
struct ModuleUpdate {
  at::Tensor down;   // [rank, in]; undefined with `up`: no low-rank part
  at::Tensor up;     // [out, rank], with the adapter's scaling
  at::Tensor scale;  // [out]; undefined: 1 (the magnitudes of DoRA, arXiv:2402.09353)
  at::Tensor bias;   // [out], the difference from the base's; undefined: none
};

// The updates of one adapter; modules beyond the vector's end have none.
using AdapterUpdates = std::vector<std::optional<ModuleUpdate>>;

// Rows begin .. end - 1 of a batch belong to an adapter.
struct RowGroup {
  int64_t begin;
  int64_t end;
  const AdapterUpdates* updates;
};

// Changes `output` [rows, out], which is what the base made of `input` [rows, in]; `base_bias` may be undefined.
void apply_updates(const std::vector<RowGroup>& groups, ModuleId module, const at::Tensor& input,
                   const at::Tensor& base_bias, at::Tensor& output);

}  // namespace vsr::core
