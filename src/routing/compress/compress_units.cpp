#include "routing/compress/compress_units.h"

#include <algorithm>

#include "routing/compress/compress_cues.h"
#include "routing/compress/compress_tokens.h"
#include "routing/compress/compress_words.h"
#include "text/unicode/sentences.h"

namespace vsr::routing {
namespace {

// Weights chosen with bench/compression_quality.py on one half of its distractors.
constexpr float kPriorWords = 16;  // a sentence of as many words is believed by half
constexpr float kContextShare = 0.5F;
constexpr float kCueWords = 8;
constexpr float kNeighbourShare = 0.4F;
constexpr size_t kSectionWords = 400;
constexpr float kCodeBits = -0.5F;  // its words are rare whatever it is about

// Words of the whole text as numbers, until all are counted.
class Reader {
 public:
  Reader(std::string_view text, text::LanguageSet languages)
      : text_(text), languages_(languages), counts_(text.size() / 64) {
    numbers_.reserve(text.size() / 4);
  }

  Unit read(text::ByteRange range, BlockKind kind) {
    Unit unit{.range = range, .kind = kind, .first_word = numbers_.size()};
    text::Word word;
    for (text::WordReader reader(text_, range); reader.next(word);) {
      unit.tokens += estimated_tokens(word);
      numbers_.push_back(counts_.add(word.hash, section_, [&] { return background_bits(word, text_, languages_); }));
    }
    unit.last_word = numbers_.size();
    if (unit.last_word - section_begin_ > kSectionWords) end_section();
    return unit;
  }

  void end_section() {
    ++section_;
    section_begin_ = numbers_.size();
  }

  // Of the first n words together, for each n.
  std::vector<double> information() const {
    const std::vector<float> bits = counts_.information();
    std::vector<double> sums(numbers_.size() + 1);
    for (size_t i = 0; i < numbers_.size(); ++i) sums[i + 1] = sums[i] + static_cast<double>(bits[numbers_[i]]);
    return sums;
  }

 private:
  std::string_view text_;
  text::LanguageSet languages_;
  WordCounts counts_;
  std::vector<uint32_t> numbers_;
  uint32_t section_ = 0;
  size_t section_begin_ = 0;
};

// What unit i of a block begin..end says together with its neighbours: a question is often asked in several sentences.
float context_excess(const ScoredText& scored, size_t begin, size_t end, size_t i) {
  const std::vector<Unit>& units = scored.units;
  const float before = scored.excess(units[i > begin ? i - 1 : i].first_word, units[i].last_word);
  const float after = scored.excess(units[i].first_word, units[i + 1 < end ? i + 1 : i].last_word);
  return std::max(before, after);
}

// Scores the units of one block, begin..end.
void score_block(ScoredText& scored, size_t begin, size_t end, Place place) {
  std::vector<Unit>& units = scored.units;
  const float block = scored.excess(units[begin].first_word, units[end - 1].last_word);
  for (size_t i = begin; i < end; ++i) {
    Unit& unit = units[i];
    const float own = scored.excess(unit.first_word, unit.last_word);
    const float context = std::max(block, context_excess(scored, begin, end, i));
    unit.score = (1 - kContextShare) * own + kContextShare * context;
    if (unit.kind == BlockKind::kCode || unit.kind == BlockKind::kJson) {
      unit.score = std::min(unit.score, 0.0F) + kCodeBits;
    }
    unit.score += place_bits(place, i == begin, i + 1 == end);
  }
}

// A cue of a short unit ("Eh?") says less.
void add_cues(ScoredText& scored, std::string_view text) {
  std::vector<Cues> cues;
  cues.reserve(scored.units.size());
  CueWeights weights;
  for (const Unit& unit : scored.units) {
    cues.push_back(cues_of(text.substr(unit.range.begin, unit.range.size()), unit.kind));
    weights.add(cues.back());
  }
  for (size_t i = 0; i < cues.size(); ++i) {
    const auto words = static_cast<float>(scored.units[i].last_word - scored.units[i].first_word);
    scored.units[i].score += weights.bits(cues[i]) * words / (words + kCueWords);
  }
}

// Adds to each unit of a block a share of its better neighbour's score: what a question needs stands beside it.
void lift_neighbours(std::vector<Unit>& units, size_t begin, size_t end) {
  float before = 0;
  for (size_t i = begin; i < end; ++i) {
    const float own = units[i].score;
    const float after = i + 1 < end ? units[i + 1].score : 0;
    units[i].score += kNeighbourShare * std::max({before, after, 0.0F});
    before = own;
  }
}

}  // namespace

float ScoredText::excess(size_t first, size_t last) const {
  const auto count = static_cast<double>(last - first);
  return static_cast<float>((information[last] - information[first] - count * mean) / (count + kPriorWords));
}

ScoredText score_text(std::string_view text, text::LanguageSet languages, bool structured) {
  const std::vector<Block> blocks = structured ? split_blocks(text) : std::vector<Block>{{{0, text.size()}}};
  ScoredText scored;
  std::vector<size_t> ends;  // of each block's units
  Reader reader(text, languages);
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::kProse) {
      for (const text::ByteRange& sentence : text::split_sentences(text, block.range)) {
        scored.units.push_back(reader.read(sentence, block.kind));
      }
    } else {
      scored.units.push_back(reader.read(block.range, block.kind));
    }
    ends.push_back(scored.units.size());
    reader.end_section();
  }
  scored.information = reader.information();
  const size_t words = scored.information.size() - 1;
  scored.mean = scored.information.back() / static_cast<double>(std::max<size_t>(words, 1));
  for (size_t i = 0, begin = 0; i < ends.size(); begin = ends[i++]) {
    const Place place{.first_block = i == 0, .last_block = i + 1 == ends.size()};
    if (ends[i] > begin) score_block(scored, begin, ends[i], place);
  }
  add_cues(scored, text);
  for (size_t i = 0, begin = 0; i < ends.size(); begin = ends[i++]) lift_neighbours(scored.units, begin, ends[i]);
  for (const Unit& unit : scored.units) scored.tokens += unit.tokens;
  return scored;
}

}  // namespace vsr::routing
