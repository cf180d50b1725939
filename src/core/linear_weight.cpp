#include "core/linear_weight.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>

#include "base/error.h"
#include "core/kernels/isa.h"
#include "core/linear_float.h"
#include "core/linear_integer.h"
#include "core/linear_onednn.h"
#include "core/machine.h"
#include "core/quantize.h"

namespace vsr::core {
namespace {

using at::Tensor;

// As the file has it, by LibTorch's own product: starts at once and shares its pages with every process of this model.
class PlainWeight final : public LinearWeight {
 public:
  explicit PlainWeight(Tensor weight) : weight_(std::move(weight)) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const Tensor rows = input.to(at::kFloat);
    return bias.defined() ? at::linear(rows, weight_, bias) : at::linear(rows, weight_);
  }
  int64_t bytes() const override { return static_cast<int64_t>(weight_.nbytes()); }
  bool copied() const override { return false; }

 private:
  Tensor weight_;
};

// On a GPU, in bfloat16: weights, rows and what comes out.
class HalfWeight final : public LinearWeight {
 public:
  explicit HalfWeight(const Tensor& weight) : weight_(weight.to(at::kBFloat16)) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const Tensor rows = input.to(at::kBFloat16);
    return bias.defined() ? at::linear(rows, weight_, bias.to(at::kBFloat16)) : at::linear(rows, weight_);
  }
  int64_t bytes() const override { return static_cast<int64_t>(weight_.nbytes()); }
  bool copied() const override { return true; }

 private:
  Tensor weight_;
};

// Where AVX2 is all there is, vsr's own product is faster than LibTorch's, most of all for few rows (bench/README.md);
// with AVX-512 that has not been measured.
bool packs_floats() { return kernels::runnable_isas().back() == kernels::Isa::kAvx2; }

}  // namespace

std::shared_ptr<const LinearWeight> plain_linear_weight(const Tensor& weight) {
  return std::make_shared<PlainWeight>(weight);
}

std::shared_ptr<const LinearWeight> pack_linear_weight(const Tensor& weight, LinearType type) {
  if (!weight.is_cpu()) {
    return type == LinearType::kBFloat16 ? std::make_shared<HalfWeight>(weight) : plain_linear_weight(weight);
  }
  switch (type) {
    case LinearType::kFloat32:
      return packs_floats() ? pack_floats(weight) : plain_linear_weight(weight);
    case LinearType::kBFloat16:
      return pack_for_onednn(weight, at::kBFloat16);
    case LinearType::kInt8:
      if (weight.size(1) > kMostQuantizedInputs) return plain_linear_weight(weight);
      return machine().int8 ? quantize_for_onednn(weight) : quantize_for_integers(weight);
  }
  base::fail(base::Status::kInternal, "linear type ", static_cast<int>(type), " has no weight");
}

}  // namespace vsr::core
