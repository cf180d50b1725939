// What kind of number some groups of digits are: the scorers behind scan_numbers().
#pragma once

#include <span>
#include <string_view>

#include "facts/pii_context.h"
#include "facts/pii_digits.h"

namespace vsr::facts {

constexpr double kValidated = 1, kCertain = 0.95, kLikely = 0.9, kPossible = 0.5;

// 0: not of this kind. The words are those of the kind, found in the number's text. All take constant time.
double card_score(const DigitNumber& number, const ContextWords& words);
double ssn_score(const DigitNumber& number, const ContextWords& words);
// `end`: of the number with its extension.
double phone_score(const DigitNumber& number, size_t end, const ContextWords& words);

// Three groups of an area, an exchange and a line, or four with the country code 1.
bool is_north_american(const DigitNumber& number);
// The position after an extension such as "x123" or " ext. 5" that follows at `end`, or `end` without one.
size_t extension_end(std::string_view text, size_t end);

std::span<const std::string_view> card_words();
std::span<const std::string_view> ssn_words();
std::span<const std::string_view> phone_words();

}  // namespace vsr::facts
