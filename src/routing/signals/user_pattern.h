// Regular expressions that users write, in RE2's syntax: matching takes time linear in the text, whatever the pattern.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "routing/signals/pattern_reach.h"

namespace re2 {
class RE2;
}

namespace vsr::routing {

// Immutable; any number of threads may match at once.
//
// RE2 cannot be interrupted, so long texts are searched in pieces, and between two of them the call's limits are asked
// (base/checkpoint.h). Pieces overlap by as much as a match can hold, or end with lines where no match crosses them, so
// that what is found is what one search over the whole text would find. What needs such a search, a pattern without a
// bound in a text without line ends, is not begun when it would end after the deadline, as far as the pieces tell.
class UserPattern {
 public:
  static constexpr size_t kMaxLength = 8192;        // bytes of a pattern
  static constexpr int64_t kMaxMemory = 8LL << 20;  // bytes of its compiled form and its caches
  static constexpr size_t kPiece = size_t{16} << 10;
  // Bytes of a piece times characters that counts make of the pattern. A text may make RE2 go through all of these for
  // every byte, at about 60 nanoseconds each.
  static constexpr size_t kMaxWork = 600'000;

  // `where` names the pattern in messages. Throws kParse, or kLimit for one that is too long, too large when
  // compiled, or whose matches may be too long to be looked for in small pieces.
  UserPattern(const std::string& pattern, bool case_sensitive, const std::string& where);
  ~UserPattern();
  UserPattern(UserPattern&&) noexcept;
  UserPattern& operator=(UserPattern&&) noexcept;

  // `piece`: for tests.
  bool matches(std::string_view text, size_t piece = kPiece) const;

  // Matches one after the other, without overlaps and empty ones. Counting ends at `limit`, and at `enough` where each
  // match may have to read to the end of a long text, which takes `enough` times the time of one search.
  size_t count(std::string_view text, size_t enough, size_t limit, size_t piece = kPiece) const;

 private:
  class Search;

  void check_work(const std::string& pattern, const std::string& where) const;

  std::unique_ptr<const re2::RE2> pattern_;
  PatternReach reach_;
};

}  // namespace vsr::routing
