#include "core/nn_activation.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"

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

}  // namespace

Activation activation_named(const std::string& name, const std::string& where) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == kNames.end())
    base::fail(base::Status::kUnsupported, where, ": activation \"", name, "\" is not one of vsr's");
  return found->second;
}

at::Tensor activate(Activation activation, at::Tensor input) {
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

}  // namespace vsr::core
