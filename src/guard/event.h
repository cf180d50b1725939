// What the guard has to say about an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "guard/checks/event_kind.h"

namespace vsr::guard {

// The name for users: number, date, amount, unit, percent, name, identifier, negation, contradiction, unsupported, pii,
// jailbreak.
std::string_view event_kind_name(EventKind kind);

// Bytes are those of the answer's text, end exclusive.
struct Event {
  size_t begin = 0, end = 0;              // what is wrong
  size_t claim_begin = 0, claim_end = 0;  // the claim it was found in
  EventKind kind = EventKind::kNumber;
  float score = 1.0F;       // probability, or 1 for what symbols decide
  int32_t fact = -1;        // index of the fact that contradicts, or that comes nearest; -1: none
  double milliseconds = 0;  // from the byte that finished the claim to the event
};

}  // namespace vsr::guard
