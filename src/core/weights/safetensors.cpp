#include "core/weights/safetensors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/json.h"

namespace vsr::core {
namespace {

using base::fail;
using base::Status;

constexpr size_t kLengthBytes = 8;
constexpr size_t kMaxHeaderBytes = 100'000'000;  // the reference implementation's bound

struct TypeName {
  std::string_view name;
  StoredType type;
  size_t bytes;
};
constexpr std::array<TypeName, 10> kTypes{{{"F64", StoredType::kF64, 8},
                                           {"F32", StoredType::kF32, 4},
                                           {"F16", StoredType::kF16, 2},
                                           {"BF16", StoredType::kBF16, 2},
                                           {"I64", StoredType::kI64, 8},
                                           {"I32", StoredType::kI32, 4},
                                           {"I16", StoredType::kI16, 2},
                                           {"I8", StoredType::kI8, 1},
                                           {"U8", StoredType::kU8, 1},
                                           {"BOOL", StoredType::kBool, 1}}};

const TypeName& type_named(const std::string& name, const std::string& where) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.name == name; });
  if (found == kTypes.end()) fail(Status::kUnsupported, where, ": dtype \"", name, "\" is unknown");
  return *found;
}

// Where a file has its tensors' bytes.
struct DataRange {
  size_t begin;
  size_t size;
};

// Multiplies without overflow; throws what the header would have the tensor hold.
size_t byte_size(const std::vector<int64_t>& shape, size_t element_bytes, const std::string& where) {
  size_t total = element_bytes;
  for (const int64_t extent : shape) {
    if (extent < 0) fail(Status::kWeights, where, ": shape has the negative extent ", extent);
    if (extent != 0 && total > std::numeric_limits<size_t>::max() / static_cast<size_t>(extent)) {
      fail(Status::kWeights, where, ": shape has more elements than memory can address");
    }
    total *= static_cast<size_t>(extent);
  }
  return total;
}

// Of a tensor that holds something each side is at most its bytes. One that holds nothing may not claim more either:
// readers size things by the sides alone.
void check_sides(const std::vector<int64_t>& shape, size_t most, const std::string& where) {
  for (const int64_t side : shape) {
    if (static_cast<size_t>(side) > most) {
      fail(Status::kWeights, where, ": shape has the side ", side, ", the file ", most, " data bytes");
    }
  }
}

StoredTensor read_entry(const std::string& path, const std::string& name, const base::JsonObject& entry,
                        const DataRange& data) {
  const std::string where = path + ": \"" + name + "\"";
  const TypeName& type = type_named(entry.required<std::string>("dtype"), where);
  auto shape = entry.required<std::vector<int64_t>>("shape");
  const auto offsets = entry.required<std::vector<int64_t>>("data_offsets");
  if (offsets.size() != 2) fail(Status::kWeights, where, ": data_offsets has ", offsets.size(), " numbers, expected 2");
  if (offsets[0] < 0 || offsets[1] < offsets[0] || static_cast<size_t>(offsets[1]) > data.size) {
    fail(Status::kWeights, where, ": data_offsets [", offsets[0], ", ", offsets[1], "] lie outside the file's ",
         data.size, " data bytes (hint: is the file truncated?)");
  }
  const auto bytes = static_cast<size_t>(offsets[1] - offsets[0]);
  const size_t expected = byte_size(shape, type.bytes, where);
  check_sides(shape, data.size, where);
  if (bytes != expected) {
    fail(Status::kWeights, where, ": data_offsets span ", bytes, " bytes, shape and dtype need ", expected);
  }
  return {name, type.type, std::move(shape), data.begin + static_cast<size_t>(offsets[0]), bytes};
}

std::vector<StoredTensor> read_header(const std::string& path, std::string_view text, const DataRange& data) {
  std::vector<StoredTensor> tensors;
  try {
    const base::JsonObject header(base::parse_json(text, path));
    for (const std::string& name : header.keys()) {
      if (name == "__metadata__") continue;
      tensors.push_back(read_entry(path, name, header.required<base::JsonObject>(name), data));
    }
  } catch (const base::Error& error) {
    // To callers a broken header is a broken weights file, not a config that does not parse.
    if (error.status() != Status::kParse) throw;
    fail(Status::kWeights, error.what());
  }
  return tensors;
}

// The format allows neither overlaps nor holes: both are how a file lies about what it holds.
void check_layout(const std::string& path, std::vector<StoredTensor> tensors, const DataRange& data) {
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.offset, a.bytes) < std::pair(b.offset, b.bytes);
  });
  size_t expected = data.begin;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.offset != expected) {
      fail(Status::kWeights, path, ": \"", tensor.name, "\" ",
           tensor.offset < expected ? "overlaps" : "leaves a gap after", " the tensor before it");
    }
    expected += tensor.bytes;
  }
  const size_t end = data.begin + data.size;
  if (expected != end) fail(Status::kWeights, path, ": ", end - expected, " bytes at the end belong to no tensor");
}

}  // namespace

std::string_view stored_type_name(StoredType type) {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  fail(Status::kInternal, "stored type ", static_cast<int>(type), " has no name");
}

SafetensorsFile::SafetensorsFile(const std::string& path) : file_(std::make_shared<base::OpenFile>(path)) {
  const size_t size = file_->size();
  if (size < kLengthBytes) fail(Status::kWeights, path, ": ", size, " bytes are no safetensors file");
  uint64_t header_bytes = 0;
  file_->read(0, &header_bytes, kLengthBytes);  // little-endian, as every machine vsr builds for
  if (header_bytes > kMaxHeaderBytes || header_bytes > size - kLengthBytes) {
    fail(Status::kWeights, path, ": header of ", header_bytes, " bytes does not fit a file of ", size,
         " bytes (hint: is it truncated, or a Git LFS pointer?)");
  }
  std::string header(header_bytes, '\0');
  file_->read(kLengthBytes, header.data(), header.size());
  const DataRange data{kLengthBytes + header_bytes, size - kLengthBytes - header_bytes};
  tensors_ = read_header(path, header, data);
  check_layout(path, tensors_, data);
}

}  // namespace vsr::core
