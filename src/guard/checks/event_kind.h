// The kinds of what the guard finds, which most checks give themselves.
#pragma once

#include <cstdint>

namespace vsr::guard {

// What is wrong with a claim.
enum class EventKind : uint8_t {
  kNumber,
  kDate,
  kAmount,
  kUnit,
  kPercent,
  kName,
  kIdentifier,
  kNegation,
  kContradiction,
  kUnsupported,
  kPii,
  kJailbreak,
};

}  // namespace vsr::guard
