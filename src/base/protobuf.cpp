#include "base/protobuf.h"

#include <bit>

#include "base/error.h"
#include "base/utf8.h"

namespace vsr::base {

void ProtobufReader::fail(const std::string& what) const {
  base::fail(Status::kParse, path_, ": ", message_, ": ", what);
}

uint64_t ProtobufReader::read_varint() {
  uint64_t value = 0;
  for (size_t i = 0; i < 10; ++i) {
    if (i == rest_.size()) fail("ends within a number");
    const uint64_t byte = static_cast<unsigned char>(rest_[i]);
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  fail("has a number of more than ten bytes");
}

std::string_view ProtobufReader::read_bytes(uint64_t size) {
  if (size > rest_.size()) {
    fail("field " + std::to_string(field_) + " has " + std::to_string(size) + " bytes, " +
         std::to_string(rest_.size()) + " are left");
  }
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

bool ProtobufReader::next() {
  if (rest_.empty()) return false;
  const uint64_t tag = read_varint();
  constexpr uint64_t kMaxField = (uint64_t{1} << 29) - 1;
  if (tag >> 3 == 0 || tag >> 3 > kMaxField) fail("has field number " + std::to_string(tag >> 3));
  field_ = static_cast<uint32_t>(tag >> 3);
  wire_ = static_cast<Wire>(tag & 7);
  switch (wire_) {
    case Wire::kVarint:
      varint_ = read_varint();
      return true;
    case Wire::kFixed64:
      bytes_ = read_bytes(8);
      return true;
    case Wire::kBytes:
      bytes_ = read_bytes(read_varint());
      return true;
    case Wire::kFixed32:
      bytes_ = read_bytes(4);
      return true;
  }
  fail("field " + std::to_string(field_) + " has wire type " + std::to_string(tag & 7));
}

void ProtobufReader::demand(Wire wire, const char* expected) const {
  if (wire_ != wire) fail("field " + std::to_string(field_) + " is no " + expected);
}

uint64_t ProtobufReader::as_varint() const {
  demand(Wire::kVarint, "number");
  return varint_;
}

float ProtobufReader::as_float() const {
  demand(Wire::kFixed32, "float");
  uint32_t bits = 0;
  for (size_t i = 4; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes_[i]);
  return std::bit_cast<float>(bits);
}

std::string_view ProtobufReader::as_bytes() const {
  demand(Wire::kBytes, "string or message");
  return bytes_;
}

std::string_view ProtobufReader::as_text() const {
  const std::string_view text = as_bytes();
  if (CleanText(text).replaced_bytes() > 0) fail("field " + std::to_string(field_) + " is not UTF-8");
  return text;
}

}  // namespace vsr::base
