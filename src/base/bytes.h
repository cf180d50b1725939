// Binary forms, all numbers little-endian, a string being its length (u32) and its bytes: written, and read back from
// whoever may have changed them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace vsr::base {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  // Throws kLimit beyond 4 GiB.
  void text(std::string_view value) {
    if (value.size() > UINT32_MAX) fail(Status::kLimit, "a text of ", value.size(), " bytes is too long to be saved");
    number(static_cast<uint32_t>(value.size()));
    bytes_.append(value);
  }
  void raw(const void* data, size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string_view bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Everything that is wrong throws kParse and names the source (a file's path) and the thing that was being read.
class ByteReader {
 public:
  // `bytes` must outlive the reader.
  ByteReader(std::string_view bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {}

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Status::kParse, source_, ": ", parts...);
  }

  std::string_view raw(size_t size, const char* what) {
    if (size > left())
      fail_here(what, " at byte ", position_, " takes ", size, " bytes, the file has ", left(), " left");
    position_ += size;
    return bytes_.substr(position_ - size, size);
  }
  template <class Number>
  Number number(const char* what) {
    Number value;
    std::memcpy(&value, raw(sizeof value, what).data(), sizeof value);
    return value;
  }
  std::string_view text(const char* what) { return raw(number<uint32_t>(what), what); }

  // A count of things that take at least `least_size` bytes each, so that a lie cannot ask for memory.
  template <class Number>
  size_t count(const char* what, size_t least_size) {
    const auto value = number<Number>(what);
    if (value > left() / least_size) fail_here(what, " is ", value, ", more than the file's ", left(), " bytes hold");
    return static_cast<size_t>(value);
  }

  // `dim` floats with length 1, or all zero, as a text without a direction has. NaN is neither.
  std::vector<float> unit_vector(size_t dim, const std::string& what) {
    std::vector<float> values(dim);
    const auto source = raw(dim * sizeof(float), what.c_str());
    if (dim > 0) std::memcpy(values.data(), source.data(), source.size());
    double squares = 0;
    for (const float value : values) squares += static_cast<double>(value) * value;
    if (squares != 0 && !(std::abs(squares - 1) < 1e-3)) {
      fail_here(what, " has length ", std::sqrt(squares), ", expected 1");
    }
    return values;
  }

  size_t left() const { return bytes_.size() - position_; }
  const std::string& source() const { return source_; }

 private:
  std::string_view bytes_;
  std::string source_;
  size_t position_ = 0;
};

}  // namespace vsr::base
