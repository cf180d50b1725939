// What a check found wrong with a claim.
#pragma once

#include <cstddef>
#include <cstdint>

#include "guard/checks/event_kind.h"

namespace vsr::guard {

struct Finding {
  size_t begin = 0, end = 0;  // bytes of the claim
  EventKind kind = EventKind::kNumber;
  float score = 1.0F;
  int32_t fact = -1;  // that contradicts, or comes nearest; -1: none
};

}  // namespace vsr::guard
