#include "routing/signals/text_pieces.h"

#include <algorithm>

#include "base/characters.h"
#include "text/unicode/sentences.h"

namespace vsr::routing {
namespace {

constexpr size_t kBlock = 1024;
constexpr size_t kLongSentence = 256, kStretch = 128;

size_t character_at(std::string_view text, size_t at) { return std::min(base::ceil_boundary(text, at), text.size()); }

void append_overlapping(std::string_view text, size_t size, std::vector<std::string_view>& pieces) {
  for (size_t begin = 0;; begin = character_at(text, begin + size / 2)) {
    const size_t end = character_at(text, begin + size);
    pieces.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return;
  }
}

}  // namespace

void append_pieces(std::string_view text, std::vector<std::string_view>& pieces) {
  append_overlapping(text, kBlock, pieces);
  const std::vector<base::Span> sentences = text::split_sentences(text);
  if (sentences.size() == 1 && sentences.front().size() <= kLongSentence) return;
  for (const base::Span& range : sentences) {
    const std::string_view sentence = text.substr(range.begin, range.size());
    range.size() <= kLongSentence ? pieces.push_back(sentence) : append_overlapping(sentence, kStretch, pieces);
  }
}

}  // namespace vsr::routing
