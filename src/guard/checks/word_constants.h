// Numbers that words bring without saying them: the two ways of a return trip, the halves of a diameter, months of a
// year.
#pragma once

#include <string_view>
#include <vector>

#include "facts/quantities/units.h"
#include "guard/checks/statement.h"

namespace vsr::guard {

struct WordConstant {
  double base = 0;
  facts::Unit unit = {};
};

// Those that a claim's words bring, each once.
std::vector<WordConstant> word_constants(const Statement& claim);

// How often a day what a statement speaks of happens: "every 12 hours", "morning and evening"; 0: it does not say.
double times_a_day(const Statement& statement);

// The period that a word means, months or seconds: "monthly", "Monatsmittel"; kNone: none.
facts::Unit period_of_word(std::string_view lower);

// Whether a number counts years without saying so: "turned 20", "the 50th anniversary", "jährt sich zum 750. Mal".
bool counts_years(const Statement& claim, const facts::Quantity& quantity);

}  // namespace vsr::guard
