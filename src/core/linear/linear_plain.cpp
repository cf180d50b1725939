#include "core/linear/linear_plain.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>

#include <cstdint>
#include <utility>

namespace vsr::core {
namespace {

using at::Tensor;

// By LibTorch's own product, in the weight's type.
class PlainWeight final : public LinearWeight {
 public:
  PlainWeight(Tensor weight, bool copied) : weight_(std::move(weight)), copied_(copied) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const at::ScalarType type = weight_.scalar_type();
    return bias.defined() ? at::linear(input.to(type), weight_, bias.to(type)) : at::linear(input.to(type), weight_);
  }
  int64_t bytes() const override { return static_cast<int64_t>(weight_.nbytes()); }
  bool copied() const override { return copied_; }

 private:
  Tensor weight_;
  bool copied_;
};

}  // namespace

std::shared_ptr<const LinearWeight> plain_linear_weight(const Tensor& weight) {
  // Starts at once, and where the weight is a file's map shares its pages with every process of this model.
  return std::make_shared<PlainWeight>(weight, /*copied=*/false);
}

std::shared_ptr<const LinearWeight> plain_copy(const Tensor& weight) {
  return std::make_shared<PlainWeight>(weight, /*copied=*/true);
}

}  // namespace vsr::core
