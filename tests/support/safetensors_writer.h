// Writes safetensors files, also ones that lie.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::test {

// The eight bytes of the header's length, the header, the data.
inline std::string safetensors_bytes(std::string_view header, std::string_view data) {
  uint64_t length = header.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  return file.append(header).append(data);
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A well-formed file, tensor by tensor.
class SafetensorsWriter {
 public:
  SafetensorsWriter& add(const std::string& name, const std::string& dtype, const std::vector<int64_t>& shape,
                         std::string_view data) {
    header_[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {data_.size(), data_.size() + data.size()}}};
    data_ += data;
    return *this;
  }
  SafetensorsWriter& add(const std::string& name, const std::vector<int64_t>& shape, const std::vector<float>& values) {
    return add(name, "F32", shape, bytes_of(values));
  }
  std::string bytes() const { return safetensors_bytes(header_.dump(), data_); }

 private:
  nlohmann::ordered_json header_ = nlohmann::ordered_json::object();
  std::string data_;
};

}  // namespace vsr::test
