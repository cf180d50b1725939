// Words for numbers in English, German and French.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vsr::facts {

struct NumberWord {
  enum Kind : uint8_t {
    kUnit,  // zero .. nineteen, and whole German words ("zweihundertfünfzig")
    kTens,  // twenty ..
    kHundred,
    kScale,     // thousand and more; "dozen"
    kOne,       // "ein", "un": an article, too
    kArticle,   // "a", "an": one before a scale
    kHalf,      // half, demi, halb
    kFraction,  // third, quarter: the value of one
    kOrdinal,
    kFactor,  // twice, double, dreimal, verdoppelt
    kTimes,   // "times", "fois", "-fold": the number before is a factor
    kAnd,     // joins parts of a number
  };
  Kind kind = kUnit;
  double value = 0;
};

// What a word in lower case counts; nothing for other words.
std::optional<NumberWord> number_word(std::string_view word);

// The months' and weekdays' names and their usual short forms: 1 .. 12, and 1 (Monday) .. 7; 0: none.
int month_of(std::string_view word);
int weekday_of(std::string_view word);

}  // namespace vsr::facts
