// Activation functions under the names that checkpoints give them.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace vsr::core {

enum class Activation { kIdentity, kGelu, kGeluTanh, kRelu, kSilu, kTanh };

// Names as transformers' ACT2FN has them: "gelu" is the exact one with erf, "gelu_new", "gelu_pytorch_tanh" and
// "gelu_fast" the tanh form. Throws kUnsupported for others, naming `where`.
Activation activation_named(const std::string& name, const std::string& where);

// May overwrite `input`, which the caller gives up.
at::Tensor activate(Activation activation, at::Tensor input);
// activation(gate) * up, both [rows, size]; views of a fused projection will do. May overwrite `gate`.
at::Tensor activate_gate(Activation activation, const at::Tensor& gate, const at::Tensor& up);

}  // namespace vsr::core
