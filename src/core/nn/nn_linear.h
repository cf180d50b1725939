// The linear layer through which every projection of every model goes.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/batch/batch.h"
#include "core/linear/linear_weight.h"
#include "core/weights/weights.h"

namespace vsr::core {

class Linear {
 public:
  enum class Bias { kRequired, kNone };
  // Takes "weight" [out, in] and, where required, "bias" [out]. Inside a block products have the type that the store
  // asks for; before and after the blocks, where little is to be gained, they are float32.
  Linear(const WeightScope& weights, int64_t in_features, int64_t out_features, Bias bias = Bias::kRequired);
  // input [rows, in], float32 or bfloat16 -> [rows, out], in the type that LinearWeight::multiply() says.
  at::Tensor forward(const at::Tensor& input) const;
  // input [total_tokens, in] -> [total_tokens, out], with what the batch's adapters change.
  at::Tensor forward(const at::Tensor& input, const PackedBatch& batch) const;

 private:
  ModuleId id_;
  std::shared_ptr<const LinearWeight> weight_;
  at::Tensor bias_;  // undefined without one
};

}  // namespace vsr::core
