#include "core/linear_integer.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <limits>

#include "core/kernels/path.h"
#include "core/parallel.h"
#include "core/quantize.h"

namespace vsr::core {
namespace {

using at::Tensor;

constexpr int64_t kPanelOutputs = kernels::kPanelOutputs;
constexpr int32_t kMostRowLimit = 2047;
constexpr int64_t kRowsPerPiece = 96;           // their integers stay in the second cache while panels pass
constexpr int64_t kProductsPerPiece = 1 << 20;  // some 20 microseconds

int64_t whole(int64_t count, int64_t unit) { return (count + unit - 1) / unit; }

// No sum of `in` products with weights leaves 32 bits.
int32_t most_of_rows(int64_t in) {
  const int64_t fits = std::numeric_limits<int32_t>::max() / (127 * in);
  return static_cast<int32_t>(std::min<int64_t>(kMostRowLimit, fits));
}

// int8 [out, in] -> the panels of kernels::IntegerProduct
Tensor panels_of(const Tensor& weight) {
  const int64_t panels = whole(weight.size(0), kPanelOutputs);
  const int64_t pairs = whole(weight.size(1), 2);
  const Tensor padded =
      at::constant_pad_nd(weight, {0, 2 * pairs - weight.size(1), 0, panels * kPanelOutputs - weight.size(0)});
  return padded.view({panels, kPanelOutputs, pairs, 2}).transpose(1, 2).contiguous();
}

// The product in pieces: blocks of rows times groups of panels.
void multiply_in_pieces(const kernels::IntegerProduct& task) {
  const int64_t panels = whole(task.outputs, kPanelOutputs);
  const int64_t rows_each = std::min(task.rows, kRowsPerPiece);
  const int64_t panels_each =
      std::clamp<int64_t>(kProductsPerPiece / (rows_each * 2 * task.pairs * kPanelOutputs), 1, panels);
  const int64_t groups = whole(panels, panels_each);
  parallel_pieces(whole(task.rows, rows_each) * groups, 1, [&](int64_t index, int64_t) {
    const int64_t row = index / groups * rows_each;
    const int64_t output = index % groups * panels_each * kPanelOutputs;
    kernels::IntegerProduct piece = task;
    piece.input += row * 2 * task.pairs;
    piece.row_scales += row;
    piece.panels += output * 2 * task.pairs;
    piece.scales += output;
    if (task.bias != nullptr) piece.bias += output;
    piece.output += row * task.output_stride + output;
    piece.rows = std::min(rows_each, task.rows - row);
    piece.outputs = std::min(panels_each * kPanelOutputs, task.outputs - output);
    kernels::table().multiply(piece);
  });
}

class IntegerWeight final : public LinearWeight {
 public:
  IntegerWeight(const QuantizedMatrix& weight, int64_t in)
      : panels_(panels_of(weight.integers)), scales_(weight.scales), row_limit_(most_of_rows(in)) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const QuantizedMatrix rows = quantize_to_shorts(input, row_limit_);
    const Tensor output = at::empty({input.size(0), scales_.size(0)}, at::TensorOptions().dtype(at::kFloat));
    if (input.size(0) == 0) return output;
    multiply_in_pieces({.input = kernels::data<int16_t>(rows.integers),
                        .row_scales = kernels::data<float>(rows.scales),
                        .panels = kernels::data<int8_t>(panels_),
                        .scales = kernels::data<float>(scales_),
                        .bias = kernels::data_or_null<float>(bias),
                        .output = kernels::data<float>(output),
                        .rows = input.size(0),
                        .pairs = panels_.size(1),
                        .outputs = scales_.size(0),
                        .output_stride = scales_.size(0)});
    return output;
  }
  int64_t bytes() const override { return static_cast<int64_t>(panels_.nbytes() + scales_.nbytes()); }
  bool copied() const override { return true; }

 private:
  Tensor panels_;  // int8 [panels, pairs, kPanelOutputs, 2]
  Tensor scales_;  // float32 [out]
  int32_t row_limit_;
};

}  // namespace

std::shared_ptr<const LinearWeight> quantize_for_integers(const Tensor& weight) {
  return std::make_shared<IntegerWeight>(quantize_weight(weight), weight.size(1));
}

}  // namespace vsr::core
