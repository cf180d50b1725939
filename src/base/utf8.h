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

// How many bytes at the front of `text` are ASCII, or a few less.
size_t ascii_prefix(std::string_view text);

// How many bytes at the front of `text` are well-formed.
size_t well_formed_prefix(std::string_view text);

// A text with its ill-formed parts replaced. It remembers a place of the original for every kilobyte and finds others
// by reading on from there, so that a text full of bad bytes takes little more memory than the repaired text itself.
class RepairedText {
 public:
  RepairedText() = default;
  // `original` outlives this; its first `well_formed` bytes are known to be so. `padding` zero bytes follow the text.
  RepairedText(std::string_view original, size_t well_formed, size_t padding);

  std::string_view view() const { return {text_.data(), size_}; }
  // The bytes of view(), for whoever changes them without moving any.
  std::string& bytes() { return text_; }
  size_t replaced_bytes() const { return replaced_bytes_; }

  // Where a position of view() (0..size), a character's boundary, lies in the original. Quick for positions that rise.
  class Cursor {
   public:
    explicit Cursor(const RepairedText& text) : text_(&text) {}
    size_t to_original(size_t position);

   private:
    const RepairedText* text_;
    size_t at_ = 0, original_ = 0;
  };

 private:
  void repair(size_t well_formed);

  std::string_view original_;
  std::string text_;
  size_t size_ = 0;
  size_t replaced_bytes_ = 0;
  struct Place {
    size_t position, original;
  };
  std::vector<Place> places_;  // one per kPlaceStride bytes of the view or more
};

// A text with its ill-formed parts replaced, or the caller's text itself when there was none.
class CleanText {
 public:
  explicit CleanText(std::string_view text);
  std::string_view view() const { return is_clean_ ? original_ : repaired_.view(); }
  size_t replaced_bytes() const { return repaired_.replaced_bytes(); }
  // `position` of view() must lie on a character's boundary.
  size_t to_original(size_t position) const { return Cursor(*this).to_original(position); }

  // The same for many positions, quick when they rise.
  class Cursor {
   public:
    explicit Cursor(const CleanText& text) : is_clean_(text.is_clean_), cursor_(text.repaired_) {}
    size_t to_original(size_t position) { return is_clean_ ? position : cursor_.to_original(position); }

   private:
    bool is_clean_;
    RepairedText::Cursor cursor_;
  };

 private:
  std::string_view original_;
  bool is_clean_;
  RepairedText repaired_;
};

}  // namespace vsr::base
