#include "core/weights/safetensors_writer.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace vsr::core {
namespace {

std::string header_of(const std::vector<StoredTensor>& tensors) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  size_t offset = 0;
  for (const StoredTensor& tensor : tensors) {
    header[tensor.name] = {{"dtype", stored_type_name(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes}}};
    offset += tensor.bytes;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the data begins at a multiple of eight
  return text;
}

}  // namespace

void write_safetensors(const std::string& path, const std::vector<StoredTensor>& tensors) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const std::string header = header_of(tensors);
  const uint64_t length = header.size();
  char prefix[8];
  std::memcpy(prefix, &length, sizeof prefix);
  file.write(prefix, sizeof prefix);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (const StoredTensor& tensor : tensors) {
    file.write(reinterpret_cast<const char*>(tensor.data), static_cast<std::streamsize>(tensor.bytes));
  }
  file.close();
  if (!file) base::fail(base::Status::kIo, path, ": cannot be written: ", std::strerror(errno));
}

}  // namespace vsr::core
