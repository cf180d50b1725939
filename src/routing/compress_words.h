// Self-information of words: how surprising each is, given the text that it stands in and what texts hold in general.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/stop_words.h"
#include "text/words.h"

namespace vsr::routing {

// -log2 of how often a word occurs in prose: of English from a table, of other languages that it is a function word or
// none. `text` is what `word` stands in; `languages`: whose function words count.
float background_bits(const text::Word& word, std::string_view text, text::LanguageSet languages);

// Counts the distinct words of a text and gives each a number. Memory and time grow with the words, whatever they hash to.
class WordCounts {
 public:
  explicit WordCounts(size_t expected_words);

  // Adds one occurrence. `background` is asked for once per distinct word.
  template <class Background>
  uint32_t add(uint64_t hash, Background&& background) {
    ++total_;
    Slot& slot = find(hash);
    if (slot.number == kEmpty) {
      slot = {hash, static_cast<uint32_t>(counts_.size())};
      counts_.push_back(0);
      background_.push_back(background());
    }
    ++counts_[slot.number];
    const uint32_t number = slot.number;
    if (counts_.size() * 2 > slots_.size()) grow();
    return number;
  }

  // For each number, the bits of -log2(mix of the text's unigram model and the background).
  std::vector<float> information() const;

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Slot {
    uint64_t hash = 0;
    uint32_t number = kEmpty;
  };
  Slot& find(uint64_t hash);
  void grow();

  std::vector<Slot> slots_;
  std::vector<uint32_t> counts_;
  std::vector<float> background_;
  size_t total_ = 0;
};

}  // namespace vsr::routing
