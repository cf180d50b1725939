// Regular expressions that users write, in RE2's syntax: matching takes time linear in the text, whatever the pattern.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace vsr::routing {

// Immutable; any number of threads may match at once.
class UserPattern {
 public:
  static constexpr size_t kMaxLength = 8192;        // bytes of a pattern
  static constexpr int64_t kMaxMemory = 8LL << 20;  // bytes of its compiled form and its caches

  // `where` names the pattern in messages. Throws kParse, or kLimit for one that is too long or too large when
  // compiled.
  UserPattern(const std::string& pattern, bool case_sensitive, const std::string& where);
  ~UserPattern();
  UserPattern(UserPattern&&) noexcept;
  UserPattern& operator=(UserPattern&&) noexcept;

  bool matches(std::string_view text) const;

  // Matches one after the other, without overlaps and empty ones; counting ends at `limit`. A pattern whose search
  // reads far beyond each match takes up to `limit` times the time of one match.
  size_t count(std::string_view text, size_t limit) const;

 private:
  std::unique_ptr<const re2::RE2> pattern_;
};

}  // namespace vsr::routing
