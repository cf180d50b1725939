// A value that a text states, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "facts/quantities/calendar.h"
#include "facts/quantities/units.h"

namespace vsr::facts {

enum class QuantityKind : uint8_t {
  kNumber,   // bare, or with a unit: Quantity::unit
  kFactor,   // "twice", "40 times"
  kShare,    // "half", "two thirds", "one in four": 0 .. 1
  kOrdinal,  // "3rd", "first"
  kDate,     // whole or in part; a year alone is a kNumber that may be one
  kQuarter,  // of a year
  kWeekday,
  kClock,       // a time of day, in minutes
  kIdentifier,  // what is equal or not: "CVE-2025-10342", "5.2.0", "#4817", addresses
};

// What words before a value say of it.
enum class Hedge : uint8_t { kNone, kExact, kAbout, kNearly, kMore, kLess, kAtLeast, kAtMost };

struct Quantity {
  static constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

  QuantityKind kind = QuantityKind::kNumber;
  Hedge hedge = Hedge::kNone;
  Unit unit = {};
  Unit per = {};                           // "per month": kNone where nothing is said
  size_t begin = 0, end = 0;               // bytes of the text
  size_t first_piece = 0, last_piece = 0;  // end exclusive
  double value = 0;                        // as it is written, with its scale: of "2.84 million km" 2,840,000
  double other = kNoValue;                 // as people of another language would read it: "1.200"
  double step = 1;                         // what one more in its last digit is worth: 10,000 there
  bool words = false;                      // spelled out
  bool soft = false;                       // hardly says a value: "one of", "the two"
  bool year = false;                       // may be a year
  bool decade = false;                     // "the 1990s"
  bool century = false;                    // "the 17th century": the year it begins after
  bool range_begin = false;                // the first of "10 to 15"
  bool decimal = false;                    // a fraction is written
  bool scaled = false;                     // "million" is written
  bool negative_ok = true;
  Unit second_unit = {};  // another reading of the unit: "pounds"
  Date date = {};
  Date other_date = {};  // 03/04/2025 the other way round
  std::string key = {};  // of identifiers

  double base() const { return value * unit.factor + unit.offset; }
};

}  // namespace vsr::facts
