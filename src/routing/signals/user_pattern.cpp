#include "routing/signals/user_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/checkpoint.h"
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
  if (pattern_->ok()) {
    reach_ = pattern_reach(pattern);
    return;
  }
  const bool large = pattern_->error_code() == re2::RE2::ErrorPatternTooLarge;
  base::fail(large ? base::Status::kLimit : base::Status::kParse, where, ": pattern \"", pattern,
             "\": ", pattern_->error(), " (hint: patterns are RE2's, without look-around and back-references)");
}

UserPattern::~UserPattern() = default;
UserPattern::UserPattern(UserPattern&&) noexcept = default;
UserPattern& UserPattern::operator=(UserPattern&&) noexcept = default;

// One search over a text, piece by piece.
class UserPattern::Search {
 public:
  Search(const UserPattern& pattern, std::string_view text, size_t piece)
      : pattern_(*pattern.pattern_), reach_(pattern.reach_), text_(text.data(), text.size()), piece_(piece) {}

  bool matches() {
    for (size_t position = 0;;) {
      const Piece piece = piece_at(position);
      if (is_long(position, piece) && matches_within(position, piece.end)) return true;
      if (match(position, piece.end, nullptr)) return true;
      if (piece.end == text_.size()) return false;
      position = piece.next;
    }
  }

  // The leftmost match at `position` or after it.
  bool next(size_t position, re2::StringPiece& found) {
    for (;;) {
      const Piece piece = piece_at(position);
      const bool is_match = match(position, piece.end, &found);
      // One that begins later may go on beyond this piece, or another may begin before it that does.
      if (is_match && (piece.end == text_.size() || begin_of(found) < piece.next)) return true;
      if (!is_match && piece.end == text_.size()) return false;
      position = piece.next;
    }
  }

  bool is_long(size_t position) { return is_long(position, piece_at(position)); }
  size_t begin_of(const re2::StringPiece& found) const { return static_cast<size_t>(found.data() - text_.data()); }

 private:
  static constexpr size_t kLong = 4 * PatternReach::kUnbounded;  // pieces of bounded patterns are no longer

  // Matches that begin before `next` end by `end`.
  struct Piece {
    size_t next, end;
  };

  Piece piece_at(size_t position) {
    const size_t size = text_.size();
    const bool is_bounded = reach_.most_bytes < PatternReach::kUnbounded;
    size_t next = std::min(position + std::max(piece_, is_bounded ? reach_.most_bytes : 0), size);
    while (next < size && (static_cast<unsigned char>(text_[next]) & 0xC0) == 0x80) ++next;
    if (is_bounded) return {next, std::min(next + reach_.most_bytes, size)};
    if (!reach_.one_line) return {size, size};
    const size_t line_end = line_end_at(next);
    return {line_end, line_end};
  }

  // Of a long line the end is sought once, not for each match in it.
  size_t line_end_at(size_t position) {
    if (position < line_from_ || position > line_end_) {
      line_from_ = position;
      line_end_ = std::min(std::string_view(text_.data(), text_.size()).find('\n', position), text_.size());
    }
    return line_end_;
  }

  static bool is_long(size_t position, Piece piece) { return piece.end - position > kLong; }

  // Whether there is a match that a few pieces hold, before all is searched at once.
  bool matches_within(size_t begin, size_t end) {
    for (; begin < end; begin += piece_) {
      if (match(begin, std::min(begin + 2 * piece_, end), nullptr)) return true;
    }
    return false;
  }

  bool match(size_t begin, size_t end, re2::StringPiece* found) {
    const size_t bytes = end - begin;
    if (bytes > kLong) {
      demand_time(begin, end);
    } else {
      base::check_thread_limits();
    }
    const auto before = Clock::now();
    const bool is_match = pattern_.Match(text_, begin, end, re2::RE2::UNANCHORED, found, found != nullptr ? 1 : 0);
    if (!is_match && bytes >= piece_) {
      const double nanoseconds = std::chrono::duration<double, std::nano>(Clock::now() - before).count();
      pace_ = std::max(pace_, nanoseconds / static_cast<double>(bytes));
    }
    return is_match;
  }

  // Throws kDeadline when a search that long would not end in time, by what pieces of it took.
  void demand_time(size_t begin, size_t end) {
    base::check_thread_limits();
    const base::CallLimits* limits = base::thread_limits();
    if (limits == nullptr || !limits->deadline) return;
    if (!std::exchange(is_probed_, true)) match(begin, begin + kLong, nullptr);
    const auto needed = std::chrono::nanoseconds(static_cast<int64_t>(pace_ * static_cast<double>(end - begin)));
    if (Clock::now() + needed <= *limits->deadline) return;
    base::fail(base::Status::kDeadline, "the deadline of the call would pass while a pattern reads ", end - begin,
               " bytes at once");
  }

  using Clock = base::CallLimits::Clock;

  const re2::RE2& pattern_;
  const PatternReach& reach_;
  re2::StringPiece text_;
  size_t piece_;
  size_t line_from_ = 1, line_end_ = 0;  // from where on the line end was sought; at first nowhere
  double pace_ = 0;                      // the most nanoseconds that a byte took
  bool is_probed_ = false;
};

bool UserPattern::matches(std::string_view text, size_t piece) const { return Search(*this, text, piece).matches(); }

size_t UserPattern::count(std::string_view text, size_t enough, size_t limit, size_t piece) const {
  Search search(*this, text, piece);
  size_t count = 0, position = 0;
  re2::StringPiece match;
  while (count < limit && position <= text.size()) {
    if (count >= enough && search.is_long(position)) break;
    if (!search.next(position, match)) break;
    const size_t end = search.begin_of(match) + match.size();
    if (!match.empty()) ++count;
    position = end;
    if (match.empty()) position += end < text.size() ? base::decode_utf8(text.substr(end)).size : 1;
  }
  return count;
}

}  // namespace vsr::routing
