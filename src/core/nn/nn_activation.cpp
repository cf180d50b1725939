#include "core/nn/nn_activation.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "core/kernels/path.h"
#include "core/memory/buffers.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

constexpr std::array<std::pair<std::string_view, Activation>, 8> kNames{{{"gelu", Activation::kGelu},
                                                                         {"gelu_new", Activation::kGeluTanh},
                                                                         {"gelu_pytorch_tanh", Activation::kGeluTanh},
                                                                         {"gelu_fast", Activation::kGeluTanh},
                                                                         {"relu", Activation::kRelu},
                                                                         {"silu", Activation::kSilu},
                                                                         {"swish", Activation::kSilu},
                                                                         {"tanh", Activation::kTanh}}};

std::optional<kernels::Gate> kernel_for(Activation activation) {
  switch (activation) {
    case Activation::kGelu:
      return kernels::Gate::kGelu;
    case Activation::kGeluTanh:
      return kernels::Gate::kGeluTanh;
    case Activation::kRelu:
      return kernels::Gate::kRelu;
    case Activation::kSilu:
      return kernels::Gate::kSilu;
    case Activation::kIdentity:
    case Activation::kTanh:
      return std::nullopt;
  }
  return std::nullopt;
}

template <class T>
void gate_rows(const kernels::GateRows<T>& task) {
  parallel_rows(task.rows, 2 * task.size, [&](int64_t begin, int64_t end) {
    kernels::GateRows<T> piece = task;
    piece.rows = end - begin;
    piece.gate += begin * task.gate_stride;
    if (task.up != nullptr) piece.up += begin * task.up_stride;
    piece.output += begin * task.output_stride;
    kernels::of<T>().gate(piece);
  });
}

bool fits(const at::Tensor& rows) { return rows.dim() == 2 && rows.size(1) > 0 && kernels::runs_on(rows); }

}  // namespace

Activation activation_named(const std::string& name, const std::string& where) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == kNames.end())
    base::fail(base::Status::kUnsupported, where, ": activation \"", name, "\" is not one of vsr's");
  return found->second;
}

at::Tensor activate(Activation activation, at::Tensor input) {
  const auto act = kernel_for(activation);
  if (act && fits(input)) {
    kernels::with_type_of(input, [&]<class T>() {
      T* const rows = kernels::data<T>(input);
      const int64_t stride = input.stride(0);
      gate_rows<T>({*act, rows, nullptr, rows, input.size(0), input.size(1), stride, 0, stride});
    });
    return input;
  }
  switch (activation) {
    case Activation::kIdentity:
      return input;
    case Activation::kGelu:
      return at::gelu_(input, "none");
    case Activation::kGeluTanh:
      return at::gelu_(input, "tanh");
    case Activation::kRelu:
      return at::relu_(input);
    case Activation::kSilu:
      return at::silu_(input);
    case Activation::kTanh:
      return at::tanh_(input);
  }
  base::fail(base::Status::kInternal, "activation ", static_cast<int>(activation), " has no function");
}

at::Tensor activate_gate(Activation activation, const at::Tensor& gate, const at::Tensor& up) {
  const auto act = kernel_for(activation);
  if (!act || !fits(gate) || !fits(up)) return activate(activation, gate).mul_(up);
  at::Tensor output = empty_buffer(gate.sizes(), gate.scalar_type());
  kernels::with_type_of(gate, [&]<class T>() {
    gate_rows<T>({*act, kernels::data<T>(gate), kernels::data<T>(up), kernels::data<T>(output), gate.size(0),
                  gate.size(1), gate.stride(0), up.stride(0), output.stride(0)});
  });
  return output;
}

}  // namespace vsr::core
