// Numbers as people write them: groups of digits with separators between them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::facts {

// A run of ASCII digits; bytes of a text, end exclusive.
struct DigitGroup {
  size_t begin, end;
  size_t size() const { return end - begin; }
};

// Reads the groups of a text one by one.
class DigitGroupReader {
 public:
  explicit DigitGroupReader(std::string_view text) : text_(text) {}
  // False at the end.
  bool next(DigitGroup& group);

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Whether the two groups, neighbours in the text, may belong to one number.
bool may_join(std::string_view text, const DigitGroup& left, const DigitGroup& right);
// The same of cards, whose check digit allows more: who hides one, or pastes a table, writes tabs and commas.
bool may_join_card(std::string_view text, const DigitGroup& left, const DigitGroup& right);

// Some neighbouring groups of a text that may be one number. Borrows both.
class DigitNumber {
 public:
  DigitNumber(std::string_view text, const DigitGroup* first, size_t groups)
      : text_(text), first_(first), groups_(groups) {}

  size_t groups() const { return groups_; }
  size_t size(size_t group) const { return first_[group].size(); }
  size_t begin() const { return first_->begin; }
  size_t end() const { return first_[groups_ - 1].end; }
  std::string_view text() const { return text_; }
  std::string_view gap(size_t group) const {  // after this one
    return text_.substr(first_[group].end, first_[group + 1].begin - first_[group].end);
  }
  bool has_gaps(std::string_view gap_text) const;  // nothing else between groups
  bool has_sizes(std::initializer_list<size_t> sizes) const;
  size_t count_digits() const;
  std::string digits() const;
  // Whether neither letters nor digits touch it, nor a decimal fraction ends here. `end`: of what belongs to it.
  bool stands_alone(size_t end) const;
  bool stands_alone() const { return stands_alone(end()); }

 private:
  std::string_view text_;
  const DigitGroup* first_;
  size_t groups_;
};

}  // namespace vsr::facts
