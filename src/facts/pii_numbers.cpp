// Walks over the groups of digits of a text and asks at each which kind of number begins there.
#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/checkpoint.h"
#include "facts/pii_number_kinds.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {
namespace {

class NumberScanner {
 public:
  NumberScanner(std::string_view text, std::string_view lower, PiiFindings& out)
      : text_(text),
        reader_(text),
        near_card_(lower, card_words()),
        near_ssn_(lower, ssn_words()),
        near_phone_(lower, phone_words()),
        out_(out) {}

  void scan() {
    base::Checkpoint work;
    for (size_t i = 0;; i += std::max<size_t>(1, scan_at(i))) {
      work.add(kStepsPerNumber);
      if (i + kMostGroups > groups_.size()) read_on(i);
      if (i == groups_.size()) return;
    }
  }

 private:
  static constexpr size_t kMostGroups = 8;
  static constexpr size_t kStepsPerNumber = 256;
  static constexpr size_t kGroupsAtOnce = 1024;

  // Group i becomes the first, and others come after those that are there.
  void read_on(size_t& i) {
    groups_.erase(groups_.begin(), groups_.begin() + static_cast<ptrdiff_t>(i));
    i = 0;
    for (DigitGroup group; groups_.size() < kGroupsAtOnce && reader_.next(group);) groups_.push_back(group);
  }

  template <class MayJoin>
  size_t count_joined(size_t i, const MayJoin& joins) const {
    size_t joined = 1;
    while (joined < kMostGroups && i + joined < groups_.size() &&
           joins(text_, groups_[i + joined - 1], groups_[i + joined])) {
      ++joined;
    }
    return joined;
  }

  // How many groups the number that begins with group i takes; 0 without one. Longer numbers are tried first.
  size_t scan_at(size_t i) {
    const size_t joined = count_joined(i, may_join);
    for (size_t n = count_joined(i, may_join_card); n > 0; --n) {
      if (const double score = card_score(number(i, n), near_card_); score > 0) return add("CREDIT_CARD", i, n, score);
    }
    for (const size_t n : {size_t{3}, size_t{1}}) {
      if (n > joined) continue;
      if (const double score = ssn_score(number(i, n), near_ssn_); score > 0) return add("US_SSN", i, n, score);
    }
    return scan_phone(i, joined);
  }

  size_t scan_phone(size_t i, size_t joined) {
    // Two numbers of North America, one after the other, are not one long number.
    for (const size_t n : {size_t{4}, size_t{3}}) {
      if (n <= joined && is_north_american(number(i, n)) && add_phone(i, n)) return n;
    }
    for (size_t n = joined; n > 0; --n) {
      if (add_phone(i, n)) return n;
    }
    return 0;
  }

  DigitNumber number(size_t i, size_t n) const { return {text_, &groups_[i], n}; }

  size_t add(const char* type, size_t i, size_t n, double score) {
    out_.add({type, groups_[i].begin, groups_[i + n - 1].end, score, score == kValidated});
    return n;
  }

  bool add_phone(size_t i, size_t n) {
    const DigitNumber candidate = number(i, n);
    const size_t end = extension_end(text_, candidate.end());
    const double score = phone_score(candidate, end, near_phone_);
    if (score == 0) return false;
    size_t begin = candidate.begin();
    while (begin > 0 && (text_[begin - 1] == '+' || text_[begin - 1] == '(')) --begin;
    out_.add({"PHONE_NUMBER", begin, end, score, false});
    return true;
  }

  std::string_view text_;
  DigitGroupReader reader_;
  std::vector<DigitGroup> groups_;  // some of the text's, and at least kMostGroups from the one at hand on
  ContextWords near_card_, near_ssn_, near_phone_;
  PiiFindings& out_;
};

}  // namespace

void scan_numbers(std::string_view text, PiiFindings& out) {
  constexpr size_t kShortestNumber = 7;
  size_t digits = 0;
  DigitGroupReader reader(text);
  for (DigitGroup group; digits < kShortestNumber && reader.next(group);) digits += group.size();
  if (digits < kShortestNumber) return;
  NumberScanner(text, base::ascii_lower(text), out).scan();
}

}  // namespace vsr::facts
