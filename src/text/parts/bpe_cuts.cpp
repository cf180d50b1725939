#include "text/parts/bpe_cuts.h"

#include "base/characters.h"
#include "base/checkpoint.h"

namespace vsr::text {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

}  // namespace

BpeCuts::Character BpeCuts::character_at(std::string_view text, size_t i) {
  const unsigned char byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x80) return {byte, 1};
  if (text.substr(i, kSpaceMark.size()) == kSpaceMark) return {kMark, kSpaceMark.size()};
  const size_t end = base::ceil_boundary(text, i + 1);
  return {kOther, end - i};
}

BpeCuts::BpeCuts(const Vocabulary& vocabulary) {
  for (const std::string& token : vocabulary.tokens()) {
    size_t last = kClasses;
    for (size_t i = 0; i < token.size();) {
      const Character c = character_at(token, i);
      if (last != kClasses) joined_[last][c.kind] = true;
      last = c.kind;
      i += c.size;
    }
  }
  // Neighbours that are no tokens may become one unknown token.
  std::array<bool, kClasses> is_token{};
  is_token[kMark] = vocabulary.find(kSpaceMark) >= 0;
  for (size_t kind = 0; kind < kMark; ++kind) {
    const char ascii = static_cast<char>(kind);
    is_token[kind] = vocabulary.find({&ascii, 1}) >= 0;
  }
  for (size_t left = 0; left < kClasses; ++left) {
    for (size_t right = 0; right < kClasses; ++right) {
      if (!is_token[left] && !is_token[right]) joined_[left][right] = true;
    }
  }
}

size_t BpeCuts::next(std::string_view text, size_t begin) const {
  Character c = character_at(text, begin);
  base::Checkpoint checkpoint(begin);
  for (size_t i = begin + c.size; i < text.size(); i += c.size) {
    checkpoint(i);
    const size_t last = c.kind;
    c = character_at(text, i);
    if (!joined_[last][c.kind]) return i;
  }
  return text.size();
}

namespace {

size_t pair_of(char left, char right) {
  return size_t{static_cast<unsigned char>(left)} << 8 | static_cast<unsigned char>(right);
}

}  // namespace

ByteCuts::ByteCuts(const Vocabulary& byte_tokens) {
  for (const std::string& token : byte_tokens.tokens()) {
    for (size_t i = 1; i < token.size(); ++i) joined_.set(pair_of(token[i - 1], token[i]));
  }
}

size_t ByteCuts::next(std::string_view word, size_t begin, size_t least) const {
  base::Checkpoint checkpoint(begin);
  for (size_t i = begin + least; i < word.size(); ++i) {
    checkpoint(i);
    if (!joined_[pair_of(word[i - 1], word[i])]) return i;
  }
  return word.size();
}

}  // namespace vsr::text
