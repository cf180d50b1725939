// Where a model's tensors live: in the processor's memory, or on a GPU by LibTorch's CUDA operators.
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace vsr::core {

// "auto" and "cpu": the processor; "cuda" and "cuda:N": a GPU, the first or the one of that number. The first call that
// names a GPU loads LibTorch's CUDA part, which lies beside its CPU part and is linked to nothing of vsr's. Throws
// kUnsupported for another name, and where there is no such GPU, saying what is missing. Thread-safe.
at::Device device_named(const std::string& name);

}  // namespace vsr::core
