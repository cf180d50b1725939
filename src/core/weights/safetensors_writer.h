// Writing the safetensors format.
#pragma once

#include <string>
#include <vector>

#include "core/weights/safetensors.h"

namespace vsr::core {

// Writes a new file with these tensors, in this order; the data is read from where StoredTensor::data points. Throws
// kIo.
void write_safetensors(const std::string& path, const std::vector<StoredTensor>& tensors);

}  // namespace vsr::core
