// Layer normalisation (arXiv:1607.06450) and root mean square normalisation (arXiv:1910.07467).
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch/batch.h"
#include "core/nn/nn_residual.h"
#include "core/weights/weights.h"

namespace vsr::core {

class LayerNorm {
 public:
  enum class Bias { kRequired, kNone };
  // Takes "weight" and, where required, "bias", both [size].
  LayerNorm(const WeightScope& weights, int64_t size, double eps, Bias bias = Bias::kRequired);
  // Over the last dimension, in the input's type.
  at::Tensor forward(const at::Tensor& input) const;
  // The same of [total_tokens, size], with what the batch's adapters change.
  at::Tensor forward(const at::Tensor& input, const PackedBatch& batch) const;
  // The same of a stream, in the type of what was added to it last.
  at::Tensor forward(ResidualStream& stream, const PackedBatch& batch) const;
  // The same of delta + hidden, in float32.
  at::Tensor forward_sum(const at::Tensor& delta, const at::Tensor& hidden, const PackedBatch& batch) const;

 private:
  ModuleId id_;
  at::Tensor weight_;
  at::Tensor bias_;  // undefined without one
  double eps_;
};

class RmsNorm {
 public:
  enum class Weight { kPlain, kPlusOne };  // kPlusOne: the stored weight is the distance from 1, as in Gemma
  // Takes "weight" [size].
  RmsNorm(const WeightScope& weights, int64_t size, double eps, Weight weight = Weight::kPlain);
  // Over the last dimension, in the input's type.
  at::Tensor forward(const at::Tensor& input) const;
  // The same of a stream, in the type of what was added to it last.
  at::Tensor forward(ResidualStream& stream) const;

  const at::Tensor& weight() const { return weight_; }
  double eps() const { return eps_; }

 private:
  at::Tensor weight_;
  double eps_;
};

}  // namespace vsr::core
