#include "text/parts/normalized_text.h"

#include "base/characters.h"
#include "base/utf8.h"

namespace vsr::text {
namespace {

size_t character_begin(std::string_view text, size_t byte) { return base::floor_boundary(text, byte); }

size_t character_end(std::string_view text, size_t byte) {
  do ++byte;
  while (byte < text.size() && base::is_continuation(text[byte]));
  return byte;
}

}  // namespace

Span NormalizedText::source(size_t byte) const {
  if (!sources_.empty()) return sources_[byte];
  const std::string_view text = view();
  return {static_cast<uint32_t>(origin_ + character_begin(text, byte)),
          static_cast<uint32_t>(origin_ + character_end(text, byte))};
}

Span NormalizedText::source(Span span) const {
  if (span.begin >= span.end) return span;
  if (!sources_.empty()) return {sources_[span.begin].begin, sources_[span.end - 1].end};
  const std::string_view text = view();
  const size_t end =
      span.end < text.size() && base::is_continuation(text[span.end]) ? character_end(text, span.end - 1) : span.end;
  return {static_cast<uint32_t>(origin_ + character_begin(text, span.begin)), static_cast<uint32_t>(origin_ + end)};
}

void TextBuilder::materialize() {
  aligned_ = true;
  const std::string_view text = out_.owned_;
  out_.sources_.reserve(from_.view().size() + 16);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = character_end(text, begin);
    const Span source{static_cast<uint32_t>(from_.origin_ + begin), static_cast<uint32_t>(from_.origin_ + end)};
    out_.sources_.insert(out_.sources_.end(), end - begin, source);
    begin = end;
  }
}

void TextBuilder::append(std::string_view character, Span source) {
  if (!aligned_ && !keeps_distance(character.size(), source)) materialize();
  out_.owned_.append(character);
  if (aligned_) out_.sources_.insert(out_.sources_.end(), character.size(), source);
}

void TextBuilder::append(char32_t character, Span source) {
  if (character < 0x80) {
    const char byte = static_cast<char>(character);
    append(std::string_view(&byte, 1), source);
    return;
  }
  std::string bytes;
  base::append_utf8(bytes, character);
  append(bytes, source);
}

void TextBuilder::copy(size_t begin, size_t end) {
  const std::string_view text = from_.view();
  if (!aligned_ && from_.sources_.empty() && begin == out_.owned_.size()) {
    out_.owned_.append(text.substr(begin, end - begin));
    return;
  }
  if (!aligned_) materialize();
  copy_aligned(begin, end);
}

void TextBuilder::copy_aligned(size_t begin, size_t end) {
  const std::string_view text = from_.view();
  out_.owned_.append(text.substr(begin, end - begin));
  std::vector<Span>& sources = out_.sources_;
  if (!from_.sources_.empty()) {
    sources.insert(sources.end(), from_.sources_.begin() + static_cast<ptrdiff_t>(begin),
                   from_.sources_.begin() + static_cast<ptrdiff_t>(end));
    return;
  }
  const size_t first = sources.size();
  sources.resize(first + (end - begin));
  Span* source = sources.data() + first;
  while (begin < end) {
    const size_t next = character_end(text, begin);
    const Span span{static_cast<uint32_t>(from_.origin_ + begin), static_cast<uint32_t>(from_.origin_ + next)};
    for (; begin < next; ++begin) *source++ = span;
  }
}

NormalizedText TextBuilder::take() {
  out_.owns_ = true;
  out_.origin_ = from_.origin_;
  return std::move(out_);
}

void TextTransform::emit(char32_t character, ptrdiff_t change) {
  const size_t size = from_.view().size();
  if (change <= 0 && position_ < size) {
    builder_.append(character, from_.source(position_));
    consume(1 + static_cast<size_t>(-change));
  } else if (position_ > 0) {
    // An insertion shares the source of what comes before it.
    builder_.append(character, from_.source(position_ - 1));
  } else {
    const uint32_t begin = size == 0 ? 0 : from_.source(size_t{0}).begin;
    builder_.append(character, {begin, begin});
  }
}

void TextTransform::keep(size_t end) {
  if (position_ >= end) return;
  builder_.copy(position_, end);
  position_ = end;
}

void TextTransform::consume(size_t characters) {
  const std::string_view text = from_.view();
  for (; characters > 0 && position_ < text.size(); --characters) position_ = character_end(text, position_);
}

}  // namespace vsr::text
