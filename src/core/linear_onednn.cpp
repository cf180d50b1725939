#include "core/linear_onednn.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/kernels/path.h"
#include "core/machine.h"
#include "core/parallel.h"
#include "core/row_blocks.h"

namespace vsr::core {
namespace {

using at::Tensor;
using torch::jit::Stack;

constexpr auto kRows = static_cast<int64_t>(kRowsPerProduct);
constexpr int64_t kElementsPerPiece = 32768;

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

struct QuantizedRows {
  Tensor bytes;   // uint8 [rows, in]
  Tensor scales;  // float32 [rows]
};

int32_t limit_of_rows() { return machine().int8 ? 127 : 63; }
int32_t zero_of_rows() { return limit_of_rows() + 1; }

QuantizedRows quantize(const Tensor& input) {
  const int64_t size = input.size(1);
  QuantizedRows result{at::empty({input.size(0), size}, at::TensorOptions().dtype(at::kByte)),
                       at::empty({input.size(0)}, at::TensorOptions().dtype(at::kFloat))};
  kernels::with_type_of(input, [&]<class T>() {
    const kernels::QuantizeRows<T> task{.input = kernels::data<T>(input),
                                        .output = kernels::data<uint8_t>(result.bytes),
                                        .scales = kernels::data<float>(result.scales),
                                        .rows = input.size(0),
                                        .size = size,
                                        .input_stride = input.stride(0),
                                        .limit = limit_of_rows(),
                                        .zero = zero_of_rows()};
    parallel_pieces(task.rows, std::max<int64_t>(1, kElementsPerPiece / size), [&](int64_t begin, int64_t end) {
      kernels::QuantizeRows<T> piece = task;
      piece.input += begin * task.input_stride;
      piece.output += begin * size;
      piece.scales += begin;
      piece.rows = end - begin;
      kernels::of<T>().quantize(piece);
    });
  });
  return result;
}

void scale_rows(const Tensor& values, const Tensor& scales, const Tensor& bias) {
  const kernels::ScaleRows task{.values = kernels::data<float>(values),
                                .scales = kernels::data<float>(scales),
                                .bias = kernels::data_or_null<float>(bias),
                                .rows = values.size(0),
                                .size = values.size(1)};
  parallel_pieces(task.rows, std::max<int64_t>(1, kElementsPerPiece / task.size), [&](int64_t begin, int64_t end) {
    kernels::ScaleRows piece = task;
    piece.values += begin * task.size;
    piece.scales += begin;
    piece.rows = end - begin;
    kernels::table().scale(piece);
  });
}

class QuantizedWeight final : public LinearWeight {
 public:
  explicit QuantizedWeight(const Tensor& weight)
      : scales_(std::get<0>(weight.abs().max(1)).div_(127).clamp_min_(1e-30)),
        zeros_(at::zeros({weight.size(0)}, at::TensorOptions().dtype(at::kInt))),
        bytes_(weight.numel() + static_cast<int64_t>(scales_.nbytes() + zeros_.nbytes())) {
    static const c10::OperatorHandle prepack = operator_named("onednn::qlinear_prepack");
    const Tensor quantized = weight.div(scales_.unsqueeze(1)).round_().clamp_(-127, 127).to(at::kChar);
    packed_ = call(prepack, {quantized, c10::IValue()});
  }

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    return in_row_blocks(input, [&](const Tensor& rows) { return multiply_block(rows, bias); });
  }
  int64_t bytes() const override { return bytes_; }
  bool copied() const override { return true; }

 private:
  // The operator knows one scale for all rows: it is given 1, and each row is multiplied by its own behind it.
  Tensor multiply_block(const Tensor& rows, const Tensor& bias) const {
    static const c10::OperatorHandle product = operator_named("onednn::qlinear_pointwise");
    const QuantizedRows quantized = quantize(rows);
    const Tensor output = call(product, {quantized.bytes, 1.0, static_cast<int64_t>(zero_of_rows()), packed_, scales_,
                                         zeros_, c10::IValue(), 1.0, int64_t{0}, static_cast<int64_t>(at::kFloat),
                                         std::string("none"), no_scalars(), std::string("")});
    scale_rows(output, quantized.scales, bias);
    return output;
  }

  Tensor scales_;  // float32 [out]
  Tensor zeros_;   // int32 [out]
  int64_t bytes_;
  Tensor packed_;  // oneDNN's layout
};

}  // namespace

std::shared_ptr<const LinearWeight> pack_for_onednn(const Tensor& weight, at::ScalarType type) {
  return std::make_shared<PackedWeight>(weight, type);
}

std::shared_ptr<const LinearWeight> quantize_for_onednn(const Tensor& weight) {
  return std::make_shared<QuantizedWeight>(weight);
}

}  // namespace vsr::core
