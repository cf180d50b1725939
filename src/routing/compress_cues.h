// What a sentence's form and place say of its weight in a decision, in bits to add to its score.
#pragma once

#include <string_view>

#include "routing/compress_blocks.h"

namespace vsr::routing {

// Questions, and sentences that begin with what a task begins with ("Calculate", "Suppose"); not inside quotation marks,
// where others speak. Headings.
float cue_bits(std::string_view sentence, BlockKind kind);

struct Place {
  bool first_block = false;  // of the text
  bool last_block = false;
};

// The text's beginning says what it is, its end is often what is asked.
float place_bits(Place place, bool first_in_block, bool last_in_block);

}  // namespace vsr::routing
