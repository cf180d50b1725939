#include "core/linear/linear_onednn.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/kernels/path.h"
#include "core/linear/quantize.h"
#include "core/schedule/machine.h"
#include "core/schedule/parallel.h"
#include "core/schedule/row_blocks.h"

namespace vsr::core {
namespace {

using at::Tensor;
using torch::jit::Stack;

constexpr auto kRows = static_cast<int64_t>(kRowsPerProduct);

// Operators of LibTorch that have no C++ function of their own, called as its interpreter calls them.
Tensor call(const c10::OperatorHandle& op, Stack stack) {
  op.callBoxed(&stack);
  return stack.front().toTensor();
}

c10::OperatorHandle operator_named(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

c10::IValue no_scalars() { return c10::List<std::optional<at::Scalar>>(); }

// output = product(rows) for blocks of rows.
template <class Product>
Tensor in_row_blocks(const Tensor& input, const Product& product) {
  const int64_t rows = input.size(0);
  if (rows <= kRows) return product(input);
  Tensor output;
  for (int64_t begin = 0; begin < rows; begin += kRows) {
    const int64_t count = std::min(kRows, rows - begin);
    const Tensor part = product(input.narrow(0, begin, count));
    if (!output.defined()) output = at::empty({rows, part.size(1)}, part.options());
    output.narrow(0, begin, count).copy_(part);
  }
  return output;
}

class PackedWeight final : public LinearWeight {
 public:
  PackedWeight(const Tensor& weight, at::ScalarType type)
      : type_(type), bytes_(weight.numel() * static_cast<int64_t>(c10::elementSize(type))) {
    static const c10::OperatorHandle reorder = operator_named("mkldnn::_reorder_linear_weight");
    packed_ = call(reorder, {weight.to(type).contiguous(), c10::IValue()});
  }

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    static const c10::OperatorHandle product = operator_named("mkldnn::_linear_pointwise");
    const c10::IValue shift = bias.defined() ? c10::IValue(bias.to(type_)) : c10::IValue();
    return in_row_blocks(input.to(type_), [&](const Tensor& rows) {
      return call(product, {rows, packed_, shift, std::string("none"), no_scalars(), std::string()});
    });
  }
  int64_t bytes() const override { return bytes_; }
  bool copied() const override { return true; }

 private:
  at::ScalarType type_;
  int64_t bytes_;
  Tensor packed_;
};

// A larger sum of two products might saturate without Machine::int8.
int32_t most_of_rows() { return machine().int8 ? 255 : 127; }

// values: float32 [rows, out], changed in place; sums: float32 [out], of each output's weights
void scale_rows(const Tensor& values, const QuantizedMatrix& rows, const Tensor& sums, const Tensor& bias) {
  const kernels::ScaleRows task{.values = kernels::data<float>(values),
                                .scales = kernels::data<float>(rows.scales),
                                .zeros = kernels::data<float>(rows.zeros),
                                .sums = kernels::data<float>(sums),
                                .bias = kernels::data_or_null<float>(bias),
                                .rows = values.size(0),
                                .size = values.size(1)};
  parallel_rows(task.rows, task.size, [&](int64_t begin, int64_t end) {
    kernels::ScaleRows piece = task;
    piece.values += begin * task.size;
    piece.scales += begin;
    piece.zeros += begin;
    piece.rows = end - begin;
    kernels::table().scale(piece);
  });
}

class QuantizedWeight final : public LinearWeight {
 public:
  explicit QuantizedWeight(const QuantizedMatrix& weight)
      : scales_(weight.scales),
        sums_(weight.integers.sum(1, false, at::kFloat).mul_(weight.scales)),
        zeros_(at::zeros({weight.integers.size(0)}, at::TensorOptions().dtype(at::kInt))),
        bytes_(weight.integers.numel() + static_cast<int64_t>(scales_.nbytes() + sums_.nbytes() + zeros_.nbytes())) {
    static const c10::OperatorHandle prepack = operator_named("onednn::qlinear_prepack");
    packed_ = call(prepack, {weight.integers, c10::IValue()});
  }

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    return in_row_blocks(input, [&](const Tensor& rows) { return multiply_block(rows, bias); });
  }
  int64_t bytes() const override { return bytes_; }
  bool copied() const override { return true; }

 private:
  // The operator knows one scale and one zero for all rows: it is given 1 and 0, and each row's own are applied after
  // it.
  Tensor multiply_block(const Tensor& rows, const Tensor& bias) const {
    static const c10::OperatorHandle product = operator_named("onednn::qlinear_pointwise");
    const QuantizedMatrix quantized = quantize_to_bytes(rows, most_of_rows());
    const Tensor output =
        call(product, {quantized.integers, 1.0, int64_t{0}, packed_, scales_, zeros_, c10::IValue(), 1.0, int64_t{0},
                       static_cast<int64_t>(at::kFloat), std::string("none"), no_scalars(), std::string("")});
    scale_rows(output, quantized, sums_, bias);
    return output;
  }

  Tensor scales_;  // float32 [out]
  Tensor sums_;    // float32 [out]: of the weights, scaled
  Tensor zeros_;   // int32 [out]: of the weights, all 0
  int64_t bytes_;
  Tensor packed_;  // oneDNN's layout
};

}  // namespace

std::shared_ptr<const LinearWeight> pack_for_onednn(const Tensor& weight, at::ScalarType type) {
  return std::make_shared<PackedWeight>(weight, type);
}

std::shared_ptr<const LinearWeight> quantize_for_onednn(const Tensor& weight) {
  return std::make_shared<QuantizedWeight>(quantize_weight(weight));
}

}  // namespace vsr::core
