// Writing the safetensors format.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/weights/safetensors.h"

namespace vsr::core {

struct NewTensor {
  std::string name;
  StoredType type;
  std::vector<int64_t> shape;
  size_t bytes;
  std::function<void(size_t offset, std::byte* to, size_t size)> read;  // gives a part of the data
};

// Writes a new file with these tensors, in this order. Throws kIo.
void write_safetensors(const std::string& path, const std::vector<NewTensor>& tensors);

}  // namespace vsr::core
