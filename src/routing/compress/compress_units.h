// What prompt compression keeps or drops: sentences, headings, and blocks of code or JSON, each with a score.
#pragma once

#include <string_view>
#include <vector>

#include "routing/compress/compress_blocks.h"
#include "text/unicode/stop_words.h"
#include "text/unicode/words.h"

namespace vsr::routing {

struct Unit {
  text::ByteRange range;
  BlockKind kind = BlockKind::kProse;
  size_t tokens = 0;      // estimated
  size_t first_word = 0;  // of the text, up to last_word
  size_t last_word = 0;
  float score = 0;  // in bits: how much more than the text's mean a word of it says, plus what its place and form add
};

// A text in units, in order and disjoint, and what is needed to score parts of them.
struct ScoredText {
  std::vector<Unit> units;
  std::vector<double> information = {0};  // of the first n words together, for each n
  double mean = 0;                        // of one word
  size_t tokens = 0;                      // estimated, of all

  // The information above the mean per word of words first..last, less certain the fewer they are.
  float excess(size_t first, size_t last) const;
};

// `structured` false: all is prose, for texts whose blocks are all too large to be kept whole.
ScoredText score_text(std::string_view text, text::LanguageSet languages, bool structured);

}  // namespace vsr::routing
