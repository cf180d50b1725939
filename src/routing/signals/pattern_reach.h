// How far a match of a pattern in RE2's syntax can reach, read off the pattern: what lets a long text be searched in
// pieces.
#pragma once

#include <cstddef>
#include <string_view>

namespace vsr::routing {

struct PatternReach {
  static constexpr size_t kUnbounded = size_t{64} << 10;  // this many bytes and more count as no bound

  size_t most_bytes = kUnbounded;  // no match is longer
  bool one_line = false;           // no match holds a line feed
  // Characters that counts make of the pattern, 31 of a{1,31}: about as many places a search may have to keep in mind.
  size_t counted = 0;
};

// `pattern` is one that RE2 compiles. What is not understood counts as unbounded and as holding line feeds.
PatternReach pattern_reach(std::string_view pattern, bool case_sensitive);

}  // namespace vsr::routing
