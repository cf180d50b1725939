// What each code point is to the Hugging Face tokenizers library; unicode.h is the way to ask.
#pragma once

#include <cstdint>
#include <span>

namespace vsr::text::tables {

using Table = std::span<const uint32_t>;

// Sets are lists of gaps and lengths, in turn: the first gap counts from 0, each other from the end of the run before.
// The order of the sets is that of enum CharSet, of the categories that of enum Category, of the classes that of enum
// class GraphemeClass.
extern const std::span<const Table> kSets;
extern const std::span<const Table> kCategories;
extern const std::span<const Table> kGraphemeClasses;

struct CombiningClass {
  uint8_t value;
  Table members;
};
extern const std::span<const CombiningClass> kCombiningClasses;

// Mappings are entries of: distance to the code point of the entry before, how many code points follow, these. The
// decompositions are complete ones; those of Hangul syllables are left to arithmetic.
extern const Table kCanonical;
extern const Table kCompatible;  // only where it differs from the canonical one
extern const Table kLowercase;

// Triples: first, second, composite.
extern const Table kCompositions;

}  // namespace vsr::text::tables
