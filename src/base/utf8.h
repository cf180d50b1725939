// UTF-8 as it arrives from outside: decoded, or repaired with one U+FFFD per maximal ill-formed part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::base {

constexpr char32_t kReplacement = 0xFFFD;

// One step of decoding: the code point at the front of `text` (not empty) and the bytes it takes. Of ill-formed input
// the maximal subpart (Unicode 15, section 3.9, table 3-8) is taken as U+FFFD with `valid` false.
struct Decoded {
  char32_t code_point;
  uint8_t size;
  bool valid;
};
Decoded decode_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);

// A text with its ill-formed parts replaced. `view` is the caller's text itself when there was none. For repaired texts
// `to_original` maps a byte position of `view` (0..size) to one in the caller's text.
class CleanText {
 public:
  explicit CleanText(std::string_view text);
  std::string_view view() const { return repaired_.empty() ? original_ : std::string_view(repaired_); }
  size_t replaced_bytes() const { return replaced_bytes_; }
  // `position` must lie on a character's boundary.
  size_t to_original(size_t position) const { return map_.empty() ? position : map_[position]; }

 private:
  std::string_view original_;
  std::string repaired_;
  std::vector<size_t> map_;
  size_t replaced_bytes_ = 0;
};

}  // namespace vsr::base
