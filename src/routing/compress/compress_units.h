// What prompt compression keeps or drops: sentences, headings, and blocks of code or JSON, each with a score.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "routing/compress/compress_blocks.h"
#include "routing/compress/compress_cues.h"
#include "routing/compress/compress_log.h"
#include "text/unicode/stop_words.h"
#include "text/unicode/words.h"

namespace vsr::routing {

// A place between two words of a text: how many come before it, and the bits that they hold together.
struct WordMark {
  size_t words = 0;
  double information = 0;
};

struct Unit {
  base::Span range;
  BlockKind kind = BlockKind::kProse;
  size_t tokens = 0;      // estimated
  size_t first_word = 0;  // of the text
  float score = 0;  // in bits: how much more than the text's mean a word of it says, plus what its place and form add
};

// The units of a text and their words as they were read, in order: a few bytes for each, since a text may be millions
// of sentences of one letter.
class UnitLog {
 public:
  struct Record {
    base::Span range;
    BlockKind kind = BlockKind::kProse;
    Cues cues = {};
    bool begins_block = false;
    size_t tokens = 0;
    size_t words = 0;
  };

  void add_word(uint32_t number) { words_.push_back(number); }
  // Of the words added since the unit before.
  void add_unit(const Record& record);

  size_t word_count() const { return words_.size(); }
  size_t unit_count() const { return unit_count_; }
  const ChunkedVector<uint32_t>& words() const { return words_; }  // the number of each

  class Reader {
   public:
    explicit Reader(const UnitLog& log) : numbers_(log.units_) {}
    bool next(Record& record);

   private:
    NumberLog::Reader numbers_;
    size_t at_ = 0;  // in the text
  };

 private:
  ChunkedVector<uint32_t> words_;
  NumberLog units_;
  size_t unit_count_ = 0;
  size_t end_ = 0;  // of the last unit
};

// The units of a text with their scores.
class ScoredText {
 public:
  ScoredText() = default;
  // `structured` false: all is prose, for texts whose blocks are all too large to be kept whole.
  ScoredText(std::string_view text, text::LanguageSet languages, bool structured);

  size_t tokens() const { return tokens_; }  // estimated, of all
  // In order, disjoint.
  void each_unit(const std::function<void(const Unit& unit)>& sink) const;

  // Walks over words and sums up what they say. `text` must outlive it.
  class WordWalk {
   public:
    // From any word on.
    explicit WordWalk(const ScoredText& text, size_t first_word = 0);
    const WordMark& mark() const { return mark_; }
    void step(size_t words = 1);

   private:
    const ScoredText& text_;
    WordMark mark_;
  };
  // The information above the mean per word between two marks, less certain the fewer words they are.
  float excess(const WordMark& first, const WordMark& last) const;

 private:
  class Builder;
  class Scorer;
  void weigh_words();

  UnitLog log_;
  CueWeights cues_;
  size_t first_block_units_ = 0;      // how many the first block has
  size_t last_block_begin_ = 0;       // the number of the last block's first unit
  std::vector<float> bits_;           // by number of a word
  ChunkedVector<double> waypoints_;   // the information before every kWaypointWords-th word
  ChunkedVector<double> block_ends_;  // and before the end of each block that has units
  double mean_ = 0;                   // bits of one word
  ChunkedVector<float> scores_;
  size_t tokens_ = 0;
};

}  // namespace vsr::routing
