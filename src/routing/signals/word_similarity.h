// How alike two words are: edit distance and shared character n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

// The code points of well-formed UTF-8.
std::u32string code_points(std::string_view text);

// Whether insertions, deletions and substitutions of at most `limit` characters turn `a` into `b`. Takes time
// |a| * (2 * limit + 1) (Ukkonen's band).
bool within_edit_distance(std::u32string_view a, std::u32string_view b, size_t limit);

// The greatest edit distance at which words of this many characters still count as the same, at most `threshold`: none
// below 3 characters, 1 below 6, then one for every three, since otherwise every short word is like every other.
size_t allowed_edits(size_t characters, size_t threshold);

// The n-grams of a word between n - 1 blanks on each side, sorted, as hashes.
class Ngrams {
 public:
  Ngrams(std::u32string_view word, size_t n);

  // Jaccard's coefficient of the two multisets, 0 .. 1.
  double similarity(const Ngrams& other) const;

 private:
  std::vector<uint64_t> grams_;
};

}  // namespace vsr::routing
