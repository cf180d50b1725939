#include "core/linear/linear_float.h"

#include <algorithm>
#include <mutex>

#include "core/kernels/path.h"
#include "core/linear/linear_plain.h"
#include "core/linear/panel_pieces.h"
#include "core/memory/buffers.h"
#include "core/memory/huge_pages.h"

namespace vsr::core {
namespace {

using at::Tensor;
using kernels::kPanelOutputs;

// float32 [panels, in, kPanelOutputs]
Tensor panels_of(const Tensor& weight) {
  const int64_t out = weight.size(0), in = weight.size(1);
  const int64_t panels = whole(out, kPanelOutputs);
  const Tensor packed = empty_in_huge_pages({panels, in, kPanelOutputs}, at::kFloat);
  const Tensor rows = weight.contiguous();
  parallel_pieces(panels, 1, [&](int64_t panel, int64_t) {
    const float* from = rows.const_data_ptr<float>() + panel * kPanelOutputs * in;
    float* to = kernels::data<float>(packed) + panel * kPanelOutputs * in;
    const int64_t outputs = std::min(kPanelOutputs, out - panel * kPanelOutputs);
    for (int64_t k = 0; k < in; ++k, to += kPanelOutputs) {
      for (int64_t o = 0; o < outputs; ++o) to[o] = from[o * in + k];
      std::fill(to + outputs, to + kPanelOutputs, 0.0F);
    }
  });
  return packed;
}

class FloatWeight final : public LinearWeight {
 public:
  explicit FloatWeight(const Tensor& weight) : outputs_(weight.size(0)), panels_(panels_of(weight)) {}

  Tensor multiply(const Tensor& input, const Tensor& bias) const override {
    const Tensor rows = input.to(at::kFloat);
    if (!kernels::runs_on(rows)) return plain().multiply(rows, bias);
    const Tensor output = empty_buffer({rows.size(0), outputs_}, at::kFloat);
    in_panel_pieces(rows.size(0), rows.size(1), rows.size(1) * 4, output.size(1), [&](const PanelPiece& piece) {
      kernels::table().multiply_floats(
          {.input = rows.const_data_ptr<float>() + piece.first_row * rows.stride(0),
           .panels = kernels::data<float>(panels_) + piece.first_output * rows.size(1),
           .bias = bias.defined() ? kernels::data<float>(bias) + piece.first_output : nullptr,
           .output = kernels::data<float>(output) + piece.first_row * output.size(1) + piece.first_output,
           .rows = piece.rows,
           .depth = rows.size(1),
           .outputs = piece.outputs,
           .input_stride = rows.stride(0),
           .output_stride = output.size(1)});
    });
    return output;
  }
  int64_t bytes() const override { return static_cast<int64_t>(panels_.nbytes()); }
  bool copied() const override { return true; }

 private:
  // Unpacked again when kernels::PlainPath first asks for it: nothing else keeps a second copy in memory.
  const LinearWeight& plain() const {
    std::call_once(unpacked_, [this] {
      plain_ = plain_linear_weight(panels_.transpose(1, 2).flatten(0, 1).narrow(0, 0, outputs_).contiguous());
    });
    return *plain_;
  }

  int64_t outputs_;
  Tensor panels_;  // float32 [panels, in, kPanelOutputs]
  mutable std::once_flag unpacked_;
  mutable std::shared_ptr<const LinearWeight> plain_;
};

}  // namespace

std::shared_ptr<const LinearWeight> pack_floats(const Tensor& weight) { return std::make_shared<FloatWeight>(weight); }

}  // namespace vsr::core
