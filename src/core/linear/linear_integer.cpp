#include "core/linear/linear_integer.h"

#include <algorithm>
#include <limits>

#include "core/kernels/path.h"
#include "core/linear/panel_pieces.h"
#include "core/linear/quantize.h"
#include "core/memory/buffers.h"
#include "core/memory/huge_pages.h"

namespace vsr::core {
namespace {

using at::Tensor;

constexpr int64_t kPanelOutputs = kernels::kPanelOutputs;
constexpr int32_t kMostRowLimit = 2047;

// No sum of `in` products with weights leaves 32 bits.
int32_t most_of_rows(int64_t in) {
  const int64_t fits = std::numeric_limits<int32_t>::max() / (127 * in);
  return static_cast<int32_t>(std::min<int64_t>(kMostRowLimit, fits));
}

// int8 [out, in] -> the panels of kernels::IntegerProduct
Tensor panels_of(const Tensor& weight) {
  const int64_t out = weight.size(0), in = weight.size(1);
  const int64_t panels = whole(out, kPanelOutputs);
  const int64_t pairs = whole(in, 2);
  const Tensor packed = empty_in_huge_pages({panels, pairs, kPanelOutputs, 2}, at::kChar);
  parallel_pieces(panels, 1, [&](int64_t panel, int64_t) {
    const int8_t* from = weight.const_data_ptr<int8_t>() + panel * kPanelOutputs * in;
    int8_t* to = kernels::data<int8_t>(packed) + panel * kPanelOutputs * 2 * pairs;
    const int64_t outputs = std::min(kPanelOutputs, out - panel * kPanelOutputs);
    if (outputs < kPanelOutputs || in % 2 != 0) std::fill(to, to + kPanelOutputs * 2 * pairs, int8_t{0});
    for (int64_t k = 0; k < in; ++k) {
      for (int64_t o = 0; o < outputs; ++o) to[(k / 2 * kPanelOutputs + o) * 2 + k % 2] = from[o * in + k];
    }
  });
  return packed;
}

// The product in pieces, on threads.
void multiply_in_pieces(const kernels::IntegerProduct& task) {
  in_panel_pieces(task.rows, 2 * task.pairs, 4 * task.pairs, task.outputs, [&](const PanelPiece& piece) {
    kernels::IntegerProduct part = task;
    part.input += piece.first_row * 2 * task.pairs;
    part.row_scales += piece.first_row;
    part.panels += piece.first_output * 2 * task.pairs;
    part.scales += piece.first_output;
    if (task.bias != nullptr) part.bias += piece.first_output;
    part.output += piece.first_row * task.output_stride + piece.first_output;
    part.rows = piece.rows;
    part.outputs = piece.outputs;
    kernels::table().multiply_integers(part);
  });
}

class IntegerWeight final : public LinearWeight {
 public:
  IntegerWeight(const QuantizedMatrix& weight, Tensor factors)
      : panels_(panels_of(weight.integers)),
        scales_(weight.scales),
        factors_(std::move(factors)),
        row_limit_(most_of_rows(factors_.size(0))) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const QuantizedMatrix rows = quantize_to_shorts(input, factors_, row_limit_);
    const Tensor output = empty_buffer({input.size(0), scales_.size(0)}, at::kFloat);
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
  int64_t bytes() const override {
    return static_cast<int64_t>(panels_.nbytes() + scales_.nbytes() + factors_.nbytes());
  }
  bool copied() const override { return true; }

 private:
  Tensor panels_;   // int8 [panels, pairs, kPanelOutputs, 2]
  Tensor scales_;   // float32 [out]
  Tensor factors_;  // float32 [in], of the inputs
  int32_t row_limit_;
};

}  // namespace

std::shared_ptr<const LinearWeight> quantize_for_integers(const Tensor& weight) {
  const Tensor factors = balancing_factors(weight);
  return std::make_shared<IntegerWeight>(quantize_weight(weight, factors), factors);
}

}  // namespace vsr::core
