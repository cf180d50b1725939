// Two questions compared word by word: what one says in place of the other, what only one says, and who does what to
// whom. The part of cache_veto.h that looks at order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/word_groups.h"

namespace vsr::facts {

struct QuestionWord {
  std::string word;  // in lower case
  std::string stem;
  size_t hash = 0;  // of the stem
  std::span<const GroupMember> members = {};
  bool idle = false;
  bool owns = false;       // "the dog's"
  Relation before = {};    // the preposition it depends on: "from my savings"
  Relation particle = {};  // right after it: "log out"
};

// The words of one question, in order. Of what is longer only the same text is the same question.
class QuestionWording {
 public:
  static constexpr size_t kMostWords = 256;

  // `word` in lower case. `idle`: it says nothing of what is asked, whatever the lists say.
  void add(std::string_view word, bool owns, bool idle = false);
  // A number or a quantity, which others compare.
  void gap() { after_word_ = false; }
  void shrink_to_fit() { words_.shrink_to_fit(); }
  std::span<const QuestionWord> words() const { return words_; }
  bool too_long() const { return count_ > kMostWords; }
  bool equals(const QuestionWording& other) const { return count_ == other.count_ && hash_ == other.hash_; }
  size_t bytes() const;

 private:
  std::vector<QuestionWord> words_;
  Relation relation_ = {};
  bool after_word_ = false;
  size_t count_ = 0, hash_ = 0;  // of all words, also those that are not kept
};

struct WordingDifference {
  std::string reason;
  bool doubt = false;  // it may be a rewording; else another question
};
// Symmetric but for the words. Nothing: both say the same of the same things in the same order.
std::optional<WordingDifference> compare_wording(const QuestionWording& query, const QuestionWording& cached);

}  // namespace vsr::facts
