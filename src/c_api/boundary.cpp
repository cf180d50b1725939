#include "c_api/boundary.h"

#include <cstdint>
#include <limits>

#include "base/utf8.h"

namespace vsr::c_api {
namespace {

using base::fail;
using base::Status;

// Rows are counted in 32 bits below; no allocation is tried for more.
constexpr size_t kMaxCount = std::numeric_limits<int32_t>::max();
constexpr size_t kMaxBytes = std::numeric_limits<ptrdiff_t>::max();
// No options struct will grow to this; a larger struct_size is memory that nobody initialised.
constexpr size_t kMaxStructSize = 4096;

bool breaks_a_line(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029; }

// `capacity` counts the NUL.
void write_message(char* out, size_t capacity, std::string_view message) noexcept {
  size_t used = 0;
  while (!message.empty()) {
    const base::Decoded decoded = base::decode_utf8(message);
    std::string_view character = message.substr(0, decoded.size);
    if (!decoded.valid) {
      character = "\xEF\xBF\xBD";
    } else if (breaks_a_line(decoded.code_point)) {
      character = " ";
    }
    if (used + character.size() >= capacity) break;
    std::memcpy(out + used, character.data(), character.size());
    used += character.size();
    message.remove_prefix(decoded.size);
  }
  out[used] = '\0';
}

}  // namespace

vsr_status report(vsr_error* error, vsr_status code, std::string_view message) noexcept {
  if (error == nullptr) return code;
  const size_t size = std::min<size_t>(error->struct_size, sizeof(vsr_error));
  constexpr size_t kMessageAt = offsetof(vsr_error, message);
  if (size < kMessageAt) return code;
  error->code = code;
  if (size > kMessageAt) write_message(error->message, size - kMessageAt, message);
  return code;
}

std::string required_string(const char* value, const char* name) {
  require(value, name);
  if (*value == '\0') fail(Status::kInvalidArgument, name, " is empty");
  return value;
}

void check_reserved(int64_t value, const std::string& name) {
  if (value != 0) fail(Status::kInvalidArgument, name, " is ", value, ", expected 0");
}

bool read_bool(int32_t value, const char* name) {
  if (value != 0 && value != 1) fail(Status::kInvalidArgument, name, " is ", value, ", expected 0 or 1");
  return value == 1;
}

void check_array(const void* array, size_t n, const char* name, const char* n_name) {
  if (n > kMaxCount) fail(Status::kInvalidArgument, n_name, " is ", n, ", the most is ", kMaxCount);
  if (array == nullptr && n > 0) fail(Status::kInvalidArgument, name, " is NULL with ", n_name, " ", n);
}

std::string_view read_text(const vsr_str& text, const char* name) {
  if (text.data == nullptr && text.size > 0) {
    fail(Status::kInvalidArgument, name, ".data is NULL with len ", text.size);
  }
  if (text.size > kMaxBytes) fail(Status::kInvalidArgument, name, ".size is ", text.size, ", the most is ", kMaxBytes);
  // A view with a null pointer is not a string to every library below.
  return text.data == nullptr ? std::string_view("") : std::string_view(text.data, text.size);
}

std::vector<std::string_view> read_texts(const vsr_str* texts, size_t n, const char* name, const char* n_name) {
  check_array(texts, n, name, n_name);
  std::vector<std::string_view> views;
  views.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    const vsr_str& text = texts[i];
    const bool plain = text.data != nullptr && text.size <= kMaxBytes;
    views.push_back(plain ? std::string_view(text.data, text.size)
                          : read_text(text, (std::string(name) + "[" + std::to_string(i) + "]").c_str()));
  }
  return views;
}

void check_struct_size(uint32_t given, size_t known, size_t alignment, const char* type_name) {
  if (given >= alignment && given % alignment == 0 && given <= kMaxStructSize) return;
  fail(Status::kInvalidArgument, type_name, ".struct_size is ", given, ", expected ", known,
       " (hint: initialise the struct with its _INIT macro)");
}

void check_struct_tail(const std::byte* tail, size_t size, const char* type_name) {
  if (std::all_of(tail, tail + size, [](std::byte b) { return b == std::byte{0}; })) return;
  fail(Status::kUnsupported, type_name, " sets a field that this version of vsr does not know");
}

}  // namespace vsr::c_api
