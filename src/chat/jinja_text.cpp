#include "chat/jinja_text.h"

#include <string.h>  // memmem

#include <algorithm>

#include "base/characters.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::chat::jinja {
namespace {

template <class Strips>
std::string_view strip_left_if(std::string_view text, Strips&& strips) {
  while (!text.empty()) {
    const base::Decoded first = base::decode_utf8(text);
    if (!strips(first.code_point)) break;
    text.remove_prefix(first.size);
  }
  return text;
}

template <class Strips>
std::string_view strip_right_if(std::string_view text, Strips&& strips) {
  while (!text.empty()) {
    const size_t begin = base::floor_boundary(text, text.size() - 1);
    if (!strips(base::decode_utf8(text.substr(begin)).code_point)) break;
    text = text.substr(0, begin);
  }
  return text;
}

}  // namespace

bool is_space(char32_t c) { return text::char_info(c).in(text::kWhitespace) || (c >= 0x1C && c <= 0x1F); }

std::string_view strip_left(std::string_view text) { return strip_left_if(text, is_space); }
std::string_view strip_right(std::string_view text) { return strip_right_if(text, is_space); }

CharacterSet::CharacterSet(std::string_view characters, Rendering& rendering) {
  rendering.bytes(characters.size() * sizeof(char32_t));
  while (!characters.empty()) {
    const base::Decoded c = base::decode_utf8(characters);
    if (c.code_point < ascii_.size()) {
      ascii_.set(c.code_point);
    } else {
      sorted_.push_back(c.code_point);
    }
    characters.remove_prefix(c.size);
  }
  std::sort(sorted_.begin(), sorted_.end());
}

bool CharacterSet::contains(char32_t c) const {
  return c < ascii_.size() ? ascii_[c] : std::binary_search(sorted_.begin(), sorted_.end(), c);
}

std::string_view CharacterSet::strip_left(std::string_view text) const {
  return strip_left_if(text, [&](char32_t c) { return contains(c); });
}

std::string_view CharacterSet::strip_right(std::string_view text) const {
  return strip_right_if(text, [&](char32_t c) { return contains(c); });
}

size_t find_text(std::string_view text, std::string_view part, Rendering& rendering) {
  const void* found = ::memmem(text.data(), text.size(), part.data(), part.size());
  const size_t at =
      found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  rendering.bytes(std::min(at, text.size()) + part.size());
  return at;
}

Characters::Characters(std::string_view text, Rendering& rendering) : text_(text) {
  rendering.bytes(text.size());
  ascii_ = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii_) return;
  rendering.bytes(text.size() * sizeof(uint32_t));
  for (size_t i = 0; i < text.size(); ++i) {
    if (!base::is_continuation(text[i])) starts_.push_back(static_cast<uint32_t>(i));
  }
  starts_.push_back(static_cast<uint32_t>(text.size()));
}

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !base::is_continuation(c); }));
}

}  // namespace vsr::chat::jinja
