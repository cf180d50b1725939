// Whether a question asks what one must do, what one may do or what is forbidden: "do I have to tip?", "may I tip?".
#pragma once

#include <cstdint>
#include <span>

#include "facts/cache_veto_tokens.h"

namespace vsr::facts {

struct Modality {
  enum Kind : uint8_t { kDuty = 1, kPermission = 2, kProhibition = 4 };
  uint8_t kinds = 0;  // a bit for each that is asked for

  // Both ask for some, and for none in common.
  bool contradicts(Modality other) const { return kinds != 0 && other.kinds != 0 && (kinds & other.kinds) == 0; }
};

// Of questions that are answered by yes or no; others ("how can I", "what should I do") ask for something else, and
// have none. English, and the commonest German, French and Spanish words.
Modality question_modality(std::span<const VetoToken> tokens);

}  // namespace vsr::facts
