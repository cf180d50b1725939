// The words by which claims are read: what negates, what says that a value was computed, what joins clauses.
#pragma once

#include <cstdint>
#include <string_view>

namespace vsr::guard {

enum WordTrait : uint32_t {
  kNegates = 1u << 0,    // "not", "kein", "pas"
  kDoubtful = 1u << 1,   // says no in another way, or takes back: "dropped", "without", "except"
  kJoins = 1u << 2,      // begins a clause: "and", "while", "whereas"
  kCompares = 1u << 3,   // "more", "longer", "between", "difference"
  kAdds = 1u << 4,       // "total", "together"
  kShares = 1u << 5,     // "share", "percent of", "average", "per"
  kConcludes = 1u << 6,  // "so", "that makes", "remain"
  kLasts = 1u << 7,      // "lasted", "period", "aged"
  kTitle = 1u << 8,      // "Mr", "Frau", "Dr"
  kKnownName = 1u << 9,  // capitalised words that no fact needs to hold: "English", "European"
  kYearly = 1u << 10,    // "annual", "a year"
  kIdle = 1u << 11,      // says nothing of what a claim is about
  kCues = kCompares | kAdds | kShares | kConcludes | kLasts | kYearly,
};

// All traits of a word in lower case.
uint32_t word_traits(std::string_view lower);

// The two sides of an axis, such as allowed (1) and forbidden (-1); axis 0: none.
struct Polarity {
  uint8_t axis = 0;
  int8_t side = 0;
};
Polarity polarity_of(std::string_view lower);

}  // namespace vsr::guard
