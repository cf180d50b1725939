// Bytes of a request made fit for a strict JSON parser, without losing where they stood.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

class RequestText {
 public:
  static constexpr size_t kMaxRepairs = size_t{1} << 20;

  // Replaces each ill-formed part of UTF-8 by U+FFFD, and each JSON escape of half a surrogate pair by \ufffd. The text
  // has `padding` zero bytes behind it. Throws kLimit beyond kMaxRepairs ill-formed parts.
  RequestText(std::string_view bytes, size_t padding);

  std::string_view view() const { return {text_.data(), size_}; }
  size_t replaced_bytes() const { return replaced_bytes_; }
  // A position in view() as one in the original bytes.
  size_t to_original(size_t position) const;

 private:
  void repair_utf8(std::string_view bytes);
  void repair_surrogates();

  struct Shift {
    size_t position, original;  // of the first byte behind a repaired part
  };
  std::string text_;
  size_t size_ = 0;
  size_t replaced_bytes_ = 0;
  std::vector<Shift> shifts_;
};

}  // namespace vsr::routing
