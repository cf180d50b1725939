// The stream of hidden states that a pre-norm block reads and adds to.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <utility>

#include "core/batch/kept_rows.h"

namespace vsr::core {

// What a sub-layer adds waits for the norm in front of the next one, which then reads and writes each row once.
class ResidualStream {
 public:
  // hidden: float32 [total_tokens, size]; overwritten.
  explicit ResidualStream(at::Tensor hidden) : hidden_(std::move(hidden)) {}

  void add(at::Tensor delta) {
    settle();
    delta_ = std::move(delta);
  }
  // Goes on with these rows alone, to which `delta` belongs.
  void add(at::Tensor delta, const KeptRows& rows) {
    settle();
    hidden_ = rows.take(hidden_);
    delta_ = std::move(delta);
  }
  // With all that was added.
  const at::Tensor& hidden() {
    settle();
    return hidden_;
  }

 private:
  friend class LayerNorm;
  friend class RmsNorm;
  void settle() {
    if (delta_.defined()) hidden_.add_(delta_);
    delta_.reset();
  }

  at::Tensor hidden_;
  at::Tensor delta_;  // undefined: nothing waits
};

}  // namespace vsr::core
