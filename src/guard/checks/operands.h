// The values that derivations may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "facts/quantities/quantity.h"
#include "guard/checks/claim_view.h"

namespace vsr::guard {

struct Operand {
  static constexpr uint32_t kClaim = 0xFFFFFFFF;     // of the claim itself
  static constexpr uint32_t kConstant = 0xFFFFFFFE;  // months of a year

  double base = 0;  // in the base unit of its dimension, percents as 0 .. 1
  facts::Unit unit = {};
  facts::Unit per = {};
  uint32_t source = kConstant;  // unit number
  uint32_t fact = 0;
  bool relevant = false;
  bool count = false;  // of listed things
  bool year = false;
  bool frequency = false;    // "three times", with or without "a day"
  bool established = false;  // derived by an earlier claim
  size_t quantity = 0;       // in the claim or the unit
};

struct Moment {
  facts::Date date = {};
  double minutes = -1;  // of a day; -1: none
  uint32_t source = 0;
  uint32_t fact = 0;
  bool relevant = false;
};

struct Operands {
  static constexpr size_t kMost = 56;
  std::vector<Operand> values;
  std::vector<Moment> moments;
};

// "monthly", "each year", "a cubic metre costs": what values are per where their clause says so and they do not.
facts::Unit period_of(const Statement& statement, uint16_t segment);

// The nearest facts' first; the claim's own but for `quantity`; a year's months, weeks and days where it speaks of
// years.
Operands operands_of(const ClaimView& view, size_t quantity);

}  // namespace vsr::guard
