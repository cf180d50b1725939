// In which type the products of a model's blocks are computed.
#pragma once

#include <c10/core/Device.h>

#include <string>
#include <string_view>

namespace vsr::core {

enum class LinearType {
  kFloat32,
  kBFloat16,  // weights and what enters and leaves a layer; sums in float32
  kInt8,      // weights with a scale per output, rows with a scale each; sums in int32, results in float32
};

// "float32", "bfloat16", "int8"
std::string_view linear_type_name(LinearType type);

// By name; "auto" is float32 everywhere, so that a model's numbers do not depend on the machine. Throws kUnsupported
// for another name, and for a type that the device cannot run, naming what it lacks.
LinearType linear_type_named(const std::string& dtype, at::Device device);

}  // namespace vsr::core
