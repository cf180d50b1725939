// How alike two words are as spellings of a name.
#pragma once

#include <cstddef>
#include <string_view>

namespace vsr::guard {

// Insertions, deletions, substitutions and swaps of neighbours between two words of code points; `most` + 1 where it is
// more than that.
size_t edit_distance(std::string_view a, std::string_view b, size_t most);

// Whether one is most likely a misspelling or alteration of the other: near enough for its length, and no mere ending.
bool near_miss(std::string_view a, std::string_view b);

// Whether the two differ by an ending of inflection or derivation: "Norway" and "Norwegian" do not, "German" and
// "Germans", "Vertrag" and "Verträge" do.
bool inflection(std::string_view a, std::string_view b);

}  // namespace vsr::guard
