#include "routing/signals/user_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/characters.h"
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

constexpr size_t kLeastPiece = size_t{4} << 10;  // of a pattern without a bound

// The most bytes that one search may read, for what counts make of the pattern.
size_t most_bytes_of_search(const PatternReach& reach) {
  return UserPattern::kMaxWork / std::max<size_t>(reach.counted, 1);
}

}  // namespace

UserPattern::UserPattern(const std::string& pattern, bool case_sensitive, const std::string& where) {
  if (pattern.size() > kMaxLength) {
    base::fail(base::Status::kLimit, where, ": a pattern of ", pattern.size(), " bytes, expected at most ", kMaxLength);
  }
  pattern_ = std::make_unique<const re2::RE2>(pattern, pattern_options(case_sensitive));
  if (pattern_->ok()) {
    reach_ = pattern_reach(pattern, case_sensitive);
    check_work(pattern, where);
    return;
  }
  const bool large = pattern_->error_code() == re2::RE2::ErrorPatternTooLarge;
  base::fail(large ? base::Status::kLimit : base::Status::kParse, where, ": pattern \"", pattern,
             "\": ", pattern_->error(), " (hint: patterns are RE2's, without look-around and back-references)");
}

// A search reads at least a quarter more than a match can hold.
void UserPattern::check_work(const std::string& pattern, const std::string& where) const {
  const bool is_bounded = reach_.most_bytes < PatternReach::kUnbounded;
  const size_t least = is_bounded ? reach_.most_bytes + reach_.most_bytes / 4 : kLeastPiece;
  if (least <= most_bytes_of_search(reach_)) return;
  base::fail(base::Status::kLimit, where, ": pattern \"", pattern, "\": its counts make ", reach_.counted,
             " characters of it, in matches of ",
             is_bounded ? "up to " + std::to_string(reach_.most_bytes) : "any number of",
             " bytes, which takes too long to search for without a pause (hint: smaller counts, or * and +)");
}

UserPattern::~UserPattern() = default;
UserPattern::UserPattern(UserPattern&&) noexcept = default;
UserPattern& UserPattern::operator=(UserPattern&&) noexcept = default;

// One search over a text, piece by piece.
class UserPattern::Search {
 public:
  Search(const UserPattern& pattern, std::string_view text, size_t piece)
      : pattern_(*pattern.pattern_),
        reach_(pattern.reach_),
        text_(text.data(), text.size()),
        piece_(piece_of(reach_, piece)) {}

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

  // How far apart pieces begin: those of a bounded pattern are longer by its reach.
  static size_t piece_of(const PatternReach& reach, size_t piece) {
    const size_t most = most_bytes_of_search(reach);
    if (reach.most_bytes == PatternReach::kUnbounded) return std::max<size_t>(std::min(piece, most / 2), 1);
    const size_t least = std::max<size_t>(reach.most_bytes / 4, 1);
    return std::max(std::min(std::max(piece, reach.most_bytes), most - std::min(most, reach.most_bytes)), least);
  }

  // Matches that begin before `next` end by `end`.
  struct Piece {
    size_t next, end;
  };

  Piece piece_at(size_t position) {
    const size_t size = text_.size();
    const bool is_bounded = reach_.most_bytes < PatternReach::kUnbounded;
    size_t next = std::min(position + piece_, size);
    while (next < size && base::is_continuation(text_[next])) ++next;
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

  bool is_long(size_t position, Piece piece) const { return piece.end - position > long_; }

  // Whether there is a match that a few pieces hold, before all is searched at once. If not, `pace_` is known.
  bool matches_within(size_t begin, size_t end) {
    const size_t first = begin;
    const auto before = Clock::now();
    for (; begin < end; begin += piece_) {
      if (match(begin, std::min(begin + 2 * piece_, end), nullptr)) return true;
    }
    set_pace(Clock::now() - before, end - first);
    is_probed_ = true;
    return false;
  }

  bool match(size_t begin, size_t end, re2::StringPiece* found) {
    base::check_thread_limits();
    if (end - begin > long_) demand_time(begin, end);
    return pattern_.Match(text_, begin, end, re2::RE2::UNANCHORED, found, found != nullptr ? 1 : 0);
  }

  // Throws kDeadline when a search that long would not end in time, by what its pieces took.
  void demand_time(size_t begin, size_t end) {
    const base::CallLimits* limits = base::thread_limits();
    if (limits == nullptr || !limits->deadline) return;
    if (!std::exchange(is_probed_, true)) probe(begin, end);
    const auto needed = std::chrono::nanoseconds(static_cast<int64_t>(pace_ * static_cast<double>(end - begin)));
    if (Clock::now() + needed <= *limits->deadline) return;
    base::fail(base::Status::kDeadline, "the deadline of the call would pass while a pattern reads ", end - begin,
               " bytes at once");
  }

  // Matches are read to their ends, as a search over all of it would.
  void probe(size_t begin, size_t end) {
    const auto before = Clock::now();
    re2::StringPiece found;
    for (size_t at = begin; at < end; at += piece_) match(at, std::min(at + piece_, end), &found);
    set_pace(Clock::now() - before, end - begin);
  }
  void set_pace(std::chrono::duration<double, std::nano> time, size_t bytes) {
    pace_ = std::max(pace_, time.count() / static_cast<double>(bytes));
  }

  using Clock = base::CallLimits::Clock;

  const re2::RE2& pattern_;
  const PatternReach& reach_;
  re2::StringPiece text_;
  size_t piece_;
  // What is longer is searched when there is time for it. Without counts RE2 takes a nanosecond or two for a byte.
  size_t long_ = reach_.counted == 0 ? kLong : std::max(2 * piece_, reach_.most_bytes + piece_);
  size_t line_from_ = 1, line_end_ = 0;  // from where on the line end was sought; at first nowhere
  double pace_ = 0;                      // nanoseconds that a byte takes
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
