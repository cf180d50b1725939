// What a language model is asked for a label, and what its answer means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "routing/config/signal_rules.h"

namespace vsr::routing {

// The rule's instructions, its labels, and the text as a JSON string, in which no quote or line feed of it can end what
// it is: what the text says to the model is only as strong as the model lets it be.
std::string label_prompt(const ClassifierRule& rule, std::string_view text);

// The place of the label that an answer names: it alone, in any case, between quotes or with a full stop; a JSON object
// with a "label"; or the only label that occurs as a word in it. Throws kInvalidArgument for any other answer.
size_t prompted_label(const ClassifierRule& rule, std::string_view answer);

}  // namespace vsr::routing
