// Facts as claims are held against them: cut into sentences, read, and found again by their words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "guard/checks/statement.h"

namespace vsr::guard {

// A sentence of a fact.
struct FactUnit {
  uint32_t fact = 0;
  Statement statement;
  std::vector<double> counts;  // how many things it lists
  double times_a_day = 0;      // "every 12 hours"; 0: it does not say
  bool goes_on = false;        // speaks of what the sentence before does: "a year earlier it was"
};

// A word of the facts' vocabulary, in lower case.
struct KnownWord {
  bool capital = false;  // is capitalised where no sentence begins
  bool small = false;    // is in lower case
  uint32_t unit = 0;     // where it comes first
};

// Immutable and thread-safe.
class FactIndex {
 public:
  explicit FactIndex(std::vector<std::string> texts);

  size_t size() const { return texts_.size(); }
  std::string_view text(size_t fact) const { return texts_[fact]; }
  const std::vector<FactUnit>& units() const { return units_; }
  facts::NumberStyle style() const { return style_; }
  bool german() const { return german_; }

  // How telling a word is among these facts: 1 for one that none holds, little for one that most hold.
  float weight(uint64_t stem) const;
  // The units that hold a word, ascending.
  std::span<const uint32_t> units_with(uint64_t stem) const;
  const std::unordered_map<std::string, KnownWord>& vocabulary() const { return vocabulary_; }
  // The words of the facts that names are made of.
  const std::vector<std::string>& name_words() const { return name_words_; }
  // A stem of the facts that holds this one or is held by it, as parts of compounds; 0: none. Of small vocabularies.
  uint64_t compound_of(std::string_view stem) const;

 private:
  void add_unit(uint32_t fact, std::string_view sentence);

  std::vector<std::string> texts_;
  std::vector<FactUnit> units_;
  facts::NumberStyle style_ = facts::NumberStyle::kUnknown;
  bool german_ = false;
  std::unordered_map<uint64_t, std::vector<uint32_t>> stems_;
  std::unordered_map<std::string, KnownWord> vocabulary_;
  std::vector<std::string> name_words_;
  std::vector<std::string> long_stems_;
};

}  // namespace vsr::guard
