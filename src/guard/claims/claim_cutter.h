// Where the claims of an answer end, found while it arrives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vsr::guard {

// Bytes of the answer without white space around them; `text` may be ill-formed UTF-8.
struct Claim {
  size_t begin = 0;
  std::string_view text;  // of the cutter, until its next call
};

// Cuts after ends of sentences (also Han ones), at empty lines, list items and other line ends that are not wrapped
// prose. What follows an end decides ("3." then "14"), so an end is certain up to kLookahead bytes later; the same text
// gives the same claims however it is cut into pieces. A claim of kMostBytes without an end is cut at white space, or
// else between two characters.
class ClaimCutter {
 public:
  static constexpr size_t kMostBytes = 8192;
  static constexpr size_t kLookahead = 64;

  // Call next() until there is none before adding more. At most kMostBytes at a time keep memory bounded.
  void add(std::string_view bytes);
  // The next claim whose end is certain; with `last`, nothing follows, and the rest is one.
  std::optional<Claim> next(bool last);
  // Bytes of the answer before which all claims were handed out.
  size_t position() const { return offset_ + start_; }

 private:
  enum class Verdict : unsigned char { kGoOn, kCut, kWait };
  struct Look {
    Verdict verdict;
    size_t end;  // where a claim ends that is cut
  };
  Look look(size_t at, bool last) const;
  Look after_mark(size_t at, bool stop, bool last) const;
  Look after_line(size_t at, bool last) const;
  bool is_abbreviation(size_t stop, size_t next, size_t limit) const;
  size_t forced_cut() const;

  std::string buffer_;
  size_t offset_ = 0;  // of the buffer in the answer
  size_t start_ = 0;   // of the claim that is read, in the buffer
  size_t at_ = 0;      // where reading goes on
  size_t line_ = 0;    // where the current line began
};

}  // namespace vsr::guard
