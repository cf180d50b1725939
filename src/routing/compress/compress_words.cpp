#include "routing/compress/compress_words.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "routing/compress/background_words.h"

namespace vsr::routing {
namespace {

constexpr float kStopWordBits = 7;
constexpr float kUnknownBits = 14.5F;       // a word that the table has not, before its length
constexpr float kBitsPerCharacter = 0.35F;  // longer words are rarer (Zipf's law of abbreviation)
constexpr uint32_t kLongWord = 12;
constexpr float kDocumentShare = 0.5F;  // of the mix
constexpr std::string_view kPunctuation =
    ".,;:!?'\"()-*\u2013\u2014\u2018\u2019\u201C\u201D\u2026\u3001\u3002\uFF0C\uFF1A\uFF1B";
constexpr float kPunctuationBits = 6;
constexpr float kSymbolBits = 13;
constexpr float kNameBits = 11;
// Words whose hashes meet are counted as one beyond this many steps: hostile text stays linear.
constexpr size_t kMaxProbes = 24;

const std::unordered_map<uint64_t, float>& background_table() {
  static const auto table = [] {
    std::unordered_map<uint64_t, float> bits;
    for (const WordBand& band : kBackgroundWords) {
      for (size_t begin = 0; begin < band.words.size();) {
        const size_t end = std::min(band.words.find(' ', begin), band.words.size());
        bits.emplace(text::word_hash(band.words.substr(begin, end - begin)), static_cast<float>(band.bits));
        begin = end + 1;
      }
    }
    return bits;
  }();
  return table;
}

}  // namespace

float background_bits(const text::Word& word, std::string_view text, text::LanguageSet languages) {
  if (word.kind == text::WordKind::kSymbol) {
    return kPunctuation.find(text.substr(word.begin, word.end - word.begin)) != std::string_view::npos
               ? kPunctuationBits
               : kSymbolBits;
  }
  float bits = kUnknownBits + kBitsPerCharacter * static_cast<float>(std::min(word.characters, kLongWord));
  if (word.script == text::Script::kLatin) {
    const auto entry = background_table().find(word.hash);
    if (entry != background_table().end()) bits = entry->second;
  }
  if ((text::stop_word_languages(word.hash) & languages) != 0) bits = std::min(bits, kStopWordBits);
  if (word.capital) bits = std::min(bits, kNameBits);
  return bits;
}

WordCounts::WordCounts(size_t expected_words) : slots_(std::bit_ceil(std::max<size_t>(expected_words, 64))) {}

WordCounts::Slot& WordCounts::find(uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  const uint32_t tag = tag_of(hash);
  size_t i = hash & mask;
  for (size_t probe = 1; probe < kMaxProbes && slots_[i].number != kEmpty && slots_[i].tag != tag; ++probe) {
    i = (i + 1) & mask;
  }
  return slots_[i];
}

void WordCounts::grow() {
  const size_t size = slots_.size() * 2;
  std::vector<Slot>().swap(slots_);
  slots_.resize(size);
  for (size_t i = 0; i < entries_.size(); ++i) {
    Slot& slot = find(entries_[i].hash);
    if (slot.number == kEmpty) slot = {tag_of(entries_[i].hash), static_cast<uint32_t>(i)};
  }
}

std::vector<float> WordCounts::information() const {
  std::vector<float> bits(entries_.size());
  const float share = kDocumentShare / static_cast<float>(std::max<size_t>(total_, 1));
  for (size_t i = 0; i < bits.size(); ++i) {
    const float background = (1 - kDocumentShare) * std::exp2(-entries_[i].background);
    bits[i] = -std::log2(share * static_cast<float>(entries_[i].count) + background);
  }
  return bits;
}

}  // namespace vsr::routing
