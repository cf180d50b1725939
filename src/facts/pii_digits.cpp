#include "facts/pii_digits.h"

#include <algorithm>
#include <array>

#include "base/checkpoint.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {

bool DigitGroupReader::next(DigitGroup& group) {
  base::Checkpoint checkpoint(at_);
  for (; at_ < text_.size() && !is_digit(text_[at_]); ++at_) checkpoint(at_);
  group.begin = at_;
  for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) checkpoint(at_);
  group.end = at_;
  return group.size() > 0;
}

bool may_join(std::string_view text, const DigitGroup& left, const DigitGroup& right) {
  static constexpr std::array<std::string_view, 13> kSeparators{
      " ",  "-",  ".",      "/",      ")",      ") ",    ")-",
      " (", "-(", "\u00A0", "\u2011", "\u2013", "\u202F"};  // no-break, hyphen, dash, narrow
  const std::string_view gap = text.substr(left.end, right.begin - left.end);
  return gap.size() <= 3 && std::find(kSeparators.begin(), kSeparators.end(), gap) != kSeparators.end();
}

bool may_join_card(std::string_view text, const DigitGroup& left, const DigitGroup& right) {
  static constexpr std::array<std::string_view, 6> kSeparators{"_", "\t", "\n", "  ", ",", ", "};
  const std::string_view gap = text.substr(left.end, right.begin - left.end);
  return may_join(text, left, right) || std::find(kSeparators.begin(), kSeparators.end(), gap) != kSeparators.end();
}

bool DigitNumber::has_gaps(std::string_view gap_text) const {
  for (size_t i = 0; i + 1 < groups_; ++i) {
    if (gap(i) != gap_text) return false;
  }
  return true;
}

bool DigitNumber::has_sizes(std::initializer_list<size_t> sizes) const {
  return std::equal(sizes.begin(), sizes.end(), first_, first_ + groups_,
                    [](size_t size, const DigitGroup& group) { return size == group.size(); });
}

size_t DigitNumber::count_digits() const {
  size_t count = 0;
  for (size_t i = 0; i < groups_; ++i) count += size(i);
  return count;
}

std::string DigitNumber::digits() const {
  std::string digits;
  for (size_t i = 0; i < groups_; ++i) digits += text_.substr(first_[i].begin, size(i));
  return digits;
}

bool DigitNumber::stands_alone(size_t end) const {
  const bool fraction =
      begin() >= 2 && (text_[begin() - 1] == '.' || text_[begin() - 1] == ',') && is_digit(text_[begin() - 2]);
  return !fraction && !word_before(text_, begin()) && !word_at(text_, end);
}

}  // namespace vsr::facts
