#include "routing/signals/user_pattern.h"

#include <re2/re2.h>

#include "base/error.h"
#include "base/utf8.h"

namespace vsr::routing {
namespace {

re2::RE2::Options pattern_options(bool case_sensitive) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(case_sensitive);
  options.set_max_mem(UserPattern::kMaxMemory);
  return options;
}

}  // namespace

UserPattern::UserPattern(const std::string& pattern, bool case_sensitive, const std::string& where) {
  if (pattern.size() > kMaxLength) {
    base::fail(base::Status::kLimit, where, ": a pattern of ", pattern.size(), " bytes, expected at most ", kMaxLength);
  }
  pattern_ = std::make_unique<const re2::RE2>(pattern, pattern_options(case_sensitive));
  if (pattern_->ok()) return;
  const bool large = pattern_->error_code() == re2::RE2::ErrorPatternTooLarge;
  base::fail(large ? base::Status::kLimit : base::Status::kParse, where, ": pattern \"", pattern,
             "\": ", pattern_->error(), " (hint: patterns are RE2's, without look-around and back-references)");
}

UserPattern::~UserPattern() = default;
UserPattern::UserPattern(UserPattern&&) noexcept = default;
UserPattern& UserPattern::operator=(UserPattern&&) noexcept = default;

bool UserPattern::matches(std::string_view text) const {
  return pattern_->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

size_t UserPattern::count(std::string_view text, size_t limit) const {
  size_t count = 0, position = 0;
  re2::StringPiece match;
  while (count < limit && position <= text.size() &&
         pattern_->Match({text.data(), text.size()}, position, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    const size_t end = static_cast<size_t>(match.data() - text.data()) + match.size();
    if (!match.empty()) ++count;
    position = end;
    if (match.empty()) position += end < text.size() ? base::decode_utf8(text.substr(end)).size : 1;
  }
  return count;
}

}  // namespace vsr::routing
