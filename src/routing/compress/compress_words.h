// Self-information of words: how surprising each is, given the text that it is in and what texts hold in general.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "routing/compress/chunked_vector.h"
#include "text/unicode/stop_words.h"
#include "text/unicode/words.h"

namespace vsr::routing {

// -log2 of how often a word occurs in prose: of English from a table, of other languages that it is a function word or
// none. `text` is what `word` is in; `languages`: whose function words count.
float background_bits(const text::Word& word, std::string_view text, text::LanguageSet languages);

// Counts the distinct words of a text and gives each a number. Memory and time grow with the words, whatever they hash
// to.
class WordCounts {
 public:
  explicit WordCounts(size_t expected_words);

  // Adds one occurrence and returns the word's number. A word counts once per section (a paragraph, say; the numbers of
  // sections rise), so that what one question repeats stays as rare as it is elsewhere. `background` is asked for once
  // per distinct word.
  template <class Background>
  uint32_t add(uint64_t hash, uint32_t section, Background&& background) {
    Slot& slot = find(hash);
    if (slot.number == kEmpty) {
      slot = {tag_of(hash), static_cast<uint32_t>(entries_.size())};
      entries_.push_back({.hash = hash, .background = background()});
    }
    Entry& entry = entries_[slot.number];
    if (entry.count == 0 || entry.section != section) {
      ++entry.count;
      ++total_;
      entry.section = section;
    }
    const uint32_t number = slot.number;
    if (entries_.size() * 2 > slots_.size()) grow();
    return number;
  }

  // For each number, the bits of -log2(mix of the text's unigram model and the background).
  std::vector<float> information() const;

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Slot {
    uint32_t tag = 0;  // of the hash
    uint32_t number = kEmpty;
  };
  struct Entry {
    uint64_t hash = 0;
    float background = 0;
    uint32_t count = 0;    // of sections
    uint32_t section = 0;  // the last one
  };
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  Slot& find(uint64_t hash);
  void grow();

  std::vector<Slot> slots_;
  ChunkedVector<Entry> entries_;
  size_t total_ = 0;  // of all counts
};

}  // namespace vsr::routing
