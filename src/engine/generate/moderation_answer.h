// What a safety classifier writes, read strictly: anything else is no verdict.
#pragma once

#include <string_view>

#include "engine/generate/generation_types.h"

namespace vsr::engine {

// The words of severity, in the order of Verdict::probs.
constexpr std::array<std::string_view, 3> kSeverityWords{"Safe", "Controversial", "Unsafe"};

// Reads "Safety: Unsafe\nCategories: Violent, PII\nRefusal: No" into `verdict`. The first line that is not blank names
// the severity, with one of kSeverityWords and nothing else; "Categories: None" are none. The severity stays kUnparsed
// for any other form, for a line given twice, and for categories of a text that is called safe. `complete` is false for
// an answer that was cut off, whose last line does not count.
void parse_answer(std::string_view answer, bool complete, Verdict& verdict);

}  // namespace vsr::engine
