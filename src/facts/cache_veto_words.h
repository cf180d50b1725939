// The word lists of cache_veto.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace vsr::facts {

struct VetoWord {
  enum Kind : uint8_t {
    kPlain,
    kNumber,  // `canonical` is its digits
    kUnit,    // `canonical` is one word for all spellings
    kNegation,
    kName,     // a name in any case
    kStarter,  // begins sentences, so that its capital means nothing
    kGerman,   // a function word that is German and not English
  };
  Kind kind = kPlain;
  std::string_view canonical = {};
};

// What the lists say of a word in lower case. Thread-safe.
VetoWord veto_word(std::string_view word);

}  // namespace vsr::facts
