// Some of a batch's sequences as a batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "core/batch.h"

namespace vsr::core {

// The given sequences of `batch`, in that order, any of them more than once: `batch` becomes theirs, and their rows of
// `hidden` [total_tokens, ...] are returned, of neighbours without a copy. Row groups of adapters and pooled_from are
// dropped.
at::Tensor take_sequences(PackedBatch& batch, std::span<const int64_t> sequences, const at::Tensor& hidden);

}  // namespace vsr::core
