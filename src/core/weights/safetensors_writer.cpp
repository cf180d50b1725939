#include "core/weights/safetensors_writer.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace vsr::core {
namespace {

constexpr size_t kPiece = size_t{1} << 20;

std::string header_of(const std::vector<NewTensor>& tensors) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  size_t offset = 0;
  for (const NewTensor& tensor : tensors) {
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

void write_safetensors(const std::string& path, const std::vector<NewTensor>& tensors) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const std::string header = header_of(tensors);
  const uint64_t length = header.size();
  char prefix[8];
  std::memcpy(prefix, &length, sizeof prefix);
  file.write(prefix, sizeof prefix);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  std::vector<std::byte> piece(kPiece);
  for (const NewTensor& tensor : tensors) {
    for (size_t offset = 0; offset < tensor.bytes; offset += kPiece) {
      const size_t size = std::min(kPiece, tensor.bytes - offset);
      tensor.read(offset, piece.data(), size);
      file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(size));
    }
  }
  file.close();
  if (!file) base::fail(base::Status::kIo, path, ": cannot be written: ", std::strerror(errno));
}

}  // namespace vsr::core
