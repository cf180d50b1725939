// What a sentence's form and place say of its weight in a decision, in bits to add to its score.
#pragma once

#include <cstddef>
#include <string_view>

#include "routing/compress/compress_blocks.h"

namespace vsr::routing {

struct Cues {
  bool question = false;  // it ends as one
  bool task = false;      // it begins with what a task begins with ("Calculate", "Suppose")
  bool heading = false;
};
// Of a unit; what is in quotation marks is said by others and has none.
Cues cues_of(std::string_view sentence, BlockKind kind);

// How much a cue says in a text: its self-information there, so that one question among statements stands out and one
// in a dialogue does not.
class CueWeights {
 public:
  void add(Cues cues);
  float bits(Cues cues) const;

 private:
  size_t units_ = 0;
  size_t questions_ = 0;
  size_t tasks_ = 0;
  size_t headings_ = 0;
};

struct Place {
  bool first_block = false;  // of the text
  bool last_block = false;
};

// The text's beginning says what it is, its end is often what is asked.
float place_bits(Place place, bool first_in_block, bool last_in_block);

}  // namespace vsr::routing
