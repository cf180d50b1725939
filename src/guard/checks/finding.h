// What a check found wrong with a claim.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vsr::guard {

// The first kinds of EventKind (guard/event.h), in its order.
enum class Flaw : uint8_t {
  kNumber,
  kDate,
  kAmount,
  kUnit,
  kPercent,
  kName,
  kIdentifier,
  kNegation,
  kContradiction,
  kUnsupported
};

struct Finding {
  size_t begin = 0, end = 0;  // bytes of the claim
  Flaw flaw = Flaw::kNumber;
  float score = 1.0F;
  int32_t fact = -1;  // that contradicts, or comes nearest; -1: none
};

}  // namespace vsr::guard
