#include "routing/compress/compress_units.h"

#include <algorithm>
#include <utility>

#include "base/checkpoint.h"
#include "routing/compress/compress_words.h"
#include "routing/compress/token_estimate.h"
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

constexpr size_t kWaypointWords = ChunkedVector<uint32_t>::kChunk;

}  // namespace

void UnitLog::add_unit(const Record& record) {
  units_.add(record.range.begin - end_);
  units_.add(record.range.size());
  units_.add(record.words);
  units_.add(record.tokens);
  const auto flag = [](bool set, unsigned bit) { return unsigned{set} << bit; };
  units_.add(static_cast<unsigned>(record.kind) | flag(record.begins_block, 2) | flag(record.cues.question, 3) |
             flag(record.cues.task, 4) | flag(record.cues.heading, 5));
  end_ = record.range.end;
  ++unit_count_;
}

bool UnitLog::Reader::next(Record& record) {
  if (numbers_.done()) return false;
  record.range.begin = at_ + numbers_.next();
  at_ = record.range.end = record.range.begin + numbers_.next();
  record.words = numbers_.next();
  record.tokens = numbers_.next();
  const uint64_t flags = numbers_.next();
  const auto flag = [flags](unsigned bit) { return (flags >> bit & 1) != 0; };
  record.kind = static_cast<BlockKind>(flags & 3);
  record.begins_block = flag(2);
  record.cues = {.question = flag(3), .task = flag(4), .heading = flag(5)};
  return true;
}

// Reads the text once.
class ScoredText::Builder {
 public:
  Builder(ScoredText& scored, std::string_view text, text::LanguageSet languages)
      : scored_(scored), text_(text), languages_(languages), counts_(text.size() / 64) {}

  void run(bool structured) {
    if (structured) {
      BlockReader blocks(text_);
      for (Block block; blocks.next(block);) read_block(block);
    } else {
      read_block({{0, text_.size()}});
    }
    scored_.bits_ = counts_.information();
  }

 private:
  void read_block(const Block& block) {
    scored_.last_block_begin_ = scored_.log_.unit_count();
    begins_block_ = true;
    if (block.kind == BlockKind::kProse) {
      text::SentenceReader sentences(text_, block.range);
      for (base::Span sentence; sentences.next(sentence);) read_unit(sentence, block.kind);
    } else {
      read_unit(block.range, block.kind);
    }
    if (blocks_++ == 0) scored_.first_block_units_ = scored_.log_.unit_count();
    end_section();
  }

  void read_unit(base::Span range, BlockKind kind) {
    UnitLog& log = scored_.log_;
    UnitLog::Record unit{.range = range, .kind = kind, .begins_block = std::exchange(begins_block_, false)};
    const size_t first_word = log.word_count();
    text::Word word;
    for (text::WordReader reader(text_, range); reader.next(word);) {
      unit.tokens += estimated_tokens(word);
      log.add_word(counts_.add(word.hash, section_, [&] { return background_bits(word, text_, languages_); }));
    }
    unit.words = log.word_count() - first_word;
    unit.cues = cues_of(text_.substr(range.begin, range.size()), kind);
    scored_.cues_.add(unit.cues);
    scored_.tokens_ += unit.tokens;
    log.add_unit(unit);
    if (log.word_count() - section_begin_ > kSectionWords) end_section();
  }

  void end_section() {
    ++section_;
    section_begin_ = scored_.log_.word_count();
  }

  ScoredText& scored_;
  std::string_view text_;
  text::LanguageSet languages_;
  WordCounts counts_;
  uint32_t section_ = 0;
  size_t section_begin_ = 0;
  size_t blocks_ = 0;
  bool begins_block_ = false;
};

// Gives each unit its score, block by block. One reader counts the words of a block, on whose whole each unit's score
// depends; the other looks one unit ahead.
class ScoredText::Scorer {
 public:
  explicit Scorer(ScoredText& text) : text_(text), ahead_(text.log_), units_(text.log_), walk_(text) {}

  void run() {
    bool goes_on = ahead_.next(ahead_unit_);
    for (size_t block = 0; goes_on; ++block) {
      const WordMark begin = walk_.mark();
      WordMark end{begin.words, text_.block_ends_[block]};
      size_t count = 0;
      do {
        end.words += ahead_unit_.words;
        ++count;
        goes_on = ahead_.next(ahead_unit_);
      } while (goes_on && !ahead_unit_.begins_block);
      score_block(count, text_.excess(begin, end));
    }
  }

 private:
  // A unit and the marks around it.
  struct Marked {
    UnitLog::Record record;
    WordMark first, last;
  };

  Marked read() {
    Marked unit;
    units_.next(unit.record);
    unit.first = walk_.mark();
    walk_.step(unit.record.words);
    unit.last = walk_.mark();
    checkpoint_.add(1 + unit.record.words);
    return unit;
  }

  void score_block(size_t count, float block) {
    Marked unit = read(), before = unit;
    for (size_t i = 0; i < count; ++i) {
      const bool is_last = i + 1 == count;
      const Marked after = is_last ? unit : read();
      // A question is often asked in several sentences.
      const float context = std::max(text_.excess(before.first, unit.last), text_.excess(unit.first, after.last));
      add_score(score(unit, std::max(block, context), i == 0, is_last), i == 0, is_last);
      before = unit;
      unit = after;
    }
  }

  float score(const Marked& unit, float context, bool is_first, bool is_last) const {
    const float own = text_.excess(unit.first, unit.last);
    float score = (1 - kContextShare) * own + kContextShare * context;
    const BlockKind kind = unit.record.kind;
    if (kind == BlockKind::kCode || kind == BlockKind::kJson) score = std::min(score, 0.0F) + kCodeBits;
    const Place place{.first_block = index_ < text_.first_block_units_,
                      .last_block = index_ >= text_.last_block_begin_};
    score += place_bits(place, is_first, is_last);
    // A cue of a short unit ("Eh?") says less.
    const auto words = static_cast<float>(unit.record.words);
    return score + text_.cues_.bits(unit.record.cues) * words / (words + kCueWords);
  }

  // Adds to each unit of a block a share of its better neighbour's score: what a question needs is beside it.
  void add_score(float score, bool is_first, bool is_last) {
    ++index_;
    if (!is_first) lift(score);
    before_last_ = is_first ? 0 : last_;
    last_ = score;
    if (is_last) lift(0);
  }
  void lift(float after) { text_.scores_.push_back(last_ + kNeighbourShare * std::max({before_last_, after, 0.0F})); }

  ScoredText& text_;
  UnitLog::Reader ahead_;
  UnitLog::Record ahead_unit_;
  UnitLog::Reader units_;
  WordWalk walk_;
  base::Checkpoint checkpoint_;
  size_t index_ = 0;
  float before_last_ = 0, last_ = 0;  // scores before they are lifted
};

ScoredText::ScoredText(std::string_view text, text::LanguageSet languages, bool structured) {
  Builder(*this, text, languages).run(structured);
  weigh_words();
  Scorer(*this).run();
}

void ScoredText::weigh_words() {
  WordWalk walk(*this);
  UnitLog::Reader units(log_);
  UnitLog::Record unit;
  base::Checkpoint checkpoint;
  for (bool is_first = true; units.next(unit); is_first = false) {
    if (unit.begins_block && !is_first) block_ends_.push_back(walk.mark().information);
    checkpoint.add(1 + unit.words);
    for (size_t left = unit.words; left > 0;) {  // from one waypoint to the next
      const size_t past = walk.mark().words % kWaypointWords;
      if (past == 0) waypoints_.push_back(walk.mark().information);
      const size_t step = std::min(left, kWaypointWords - past);
      walk.step(step);
      left -= step;
    }
  }
  block_ends_.push_back(walk.mark().information);
  mean_ = walk.mark().information / static_cast<double>(std::max<size_t>(log_.word_count(), 1));
}

ScoredText::WordWalk::WordWalk(const ScoredText& text, size_t first_word) : text_(text) {
  if (first_word == 0) return;
  const size_t waypoint = std::min(first_word / kWaypointWords, text.waypoints_.size() - 1);
  mark_ = {waypoint * kWaypointWords, text.waypoints_[waypoint]};
  step(first_word - mark_.words);
}

void ScoredText::WordWalk::step(size_t words) {
  const ChunkedVector<uint32_t>& numbers = text_.log_.words();
  const float* const bits = text_.bits_.data();
  double sum = mark_.information;
  while (words > 0) {
    const size_t count = std::min(words, numbers.left_in_chunk(mark_.words));
    const uint32_t* const number = &numbers[mark_.words];
    for (size_t i = 0; i < count; ++i) sum += static_cast<double>(bits[number[i]]);
    mark_.words += count;
    words -= count;
  }
  mark_.information = sum;
}

void ScoredText::each_unit(const std::function<void(const Unit& unit)>& sink) const {
  base::Checkpoint checkpoint;
  UnitLog::Reader reader(log_);
  UnitLog::Record record;
  size_t first_word = 0;
  for (size_t i = 0; reader.next(record); ++i) {
    checkpoint(i);
    sink({record.range, record.kind, record.tokens, first_word, scores_[i]});
    first_word += record.words;
  }
}

float ScoredText::excess(const WordMark& first, const WordMark& last) const {
  const auto count = static_cast<double>(last.words - first.words);
  return static_cast<float>((last.information - first.information - count * mean_) / (count + kPriorWords));
}

}  // namespace vsr::routing
