// The safetensors format. Every number of the header is checked before a byte of data is used.
// Format: https://huggingface.co/docs/safetensors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace vsr::core {

enum class StoredType { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };

// As the format writes it: "F32".
std::string_view stored_type_name(StoredType type);

struct StoredTensor {
  std::string name;
  StoredType type;
  std::vector<int64_t> shape;
  size_t offset;  // in the file
  size_t bytes;
};

class SafetensorsFile {
 public:
  // Throws kNotFound, kIo, or kWeights naming the file and the tensor that does not fit.
  explicit SafetensorsFile(const std::string& path);

  const std::string& path() const { return file_->path(); }
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  // Where the data of tensors() is read from.
  const std::shared_ptr<const base::OpenFile>& file() const { return file_; }

 private:
  std::shared_ptr<const base::OpenFile> file_;
  std::vector<StoredTensor> tensors_;
};

}  // namespace vsr::core
