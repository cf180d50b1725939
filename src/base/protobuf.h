// Reads the wire format of protocol buffers, field by field, from bytes that others wrote.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vsr::base {

// One message. Every getter throws kParse, naming file, message and field, where the value is of another wire type.
class ProtobufReader {
 public:
  // All three are borrowed; `path` and `message` are for errors.
  ProtobufReader(std::string_view bytes, const std::string& path, const char* message)
      : rest_(bytes), path_(path), message_(message) {}

  // Steps to the next field; false at the end. Throws kParse for what is no field: a value that ends after the message,
  // a number out of range, a group.
  bool next();
  uint32_t field() const { return field_; }

  bool as_bool() const { return as_varint() != 0; }
  // The lower half of the varint, which is how negative numbers and enums are written.
  int32_t as_int32() const { return static_cast<int32_t>(as_varint()); }
  float as_float() const;
  std::string_view as_bytes() const;
  // Bytes that must be UTF-8.
  std::string_view as_text() const;
  ProtobufReader as_message(const char* message) const { return {as_bytes(), path_, message}; }

  [[noreturn]] void fail(const std::string& what) const;

 private:
  enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  uint64_t as_varint() const;
  uint64_t read_varint();
  std::string_view read_bytes(uint64_t size);
  void demand(Wire wire, const char* expected) const;

  std::string_view rest_;
  const std::string& path_;
  const char* message_;
  uint32_t field_ = 0;
  Wire wire_ = Wire::kVarint;
  uint64_t varint_ = 0;
  std::string_view bytes_;  // of all other wire types
};

}  // namespace vsr::base
