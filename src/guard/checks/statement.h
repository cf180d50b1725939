// A sentence of facts, questions or answers, read once: its words, values, names and clauses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "facts/quantities/quantities.h"

namespace vsr::guard {

// A clause or a member of a list, as commas, semicolons and conjunctions cut it. Pieces, end exclusive.
struct Segment {
  size_t begin = 0, end = 0;
  bool negated = false;
  bool doubtful = false;  // denies in another way
};

struct ContentWord {
  uint64_t stem = 0;  // hash of light_stem()
  uint32_t piece = 0;
  uint16_t segment = 0;
  float weight = 1;  // in claims: how telling it is
};

// Neighbouring capitalised words, also joined by hyphens and apostrophes: pieces, end exclusive.
struct NameRun {
  size_t begin = 0, end = 0;
  uint16_t segment = 0;
};

struct Statement {
  static constexpr size_t kMostPieces = 4096;     // of longer texts the rest is not read
  static constexpr size_t kMostQuantities = 256;  // of more values only the first are judged

  std::string text;  // well-formed
  facts::NumberStyle style = facts::NumberStyle::kUnknown;
  std::vector<facts::Piece> pieces;
  std::vector<facts::Quantity> quantities;
  std::vector<uint16_t> quantity_segments;
  std::vector<Segment> segments;
  std::vector<ContentWord> words;  // neither function words nor parts of quantities
  std::vector<NameRun> names;
  std::vector<uint8_t> in_quantity;  // of each piece
  uint32_t traits = 0;               // of all words
  bool german = false;
  uint16_t segment_of(size_t piece) const;
  // The stems of what a value counts or is said of: the content words right after it.
  std::vector<uint64_t> counted(const facts::Quantity& quantity) const;
};

uint64_t stem_hash(std::string_view stem);

// `style` and `german`: those of the texts around it, which count where this one is too short to tell.
Statement read_statement(std::string_view text, facts::NumberStyle style, bool german);

}  // namespace vsr::guard
