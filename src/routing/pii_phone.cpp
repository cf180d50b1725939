// Telephone numbers (ITU-T E.164 and national habits).
#include <array>
#include <string>

#include "routing/pii_number_kinds.h"
#include "routing/pii_patterns.h"

namespace vsr::routing {
namespace {

constexpr auto kPhoneWords =
    std::to_array<std::string_view>({"phone",
                                     "call",
                                     "tel",
                                     "mobil",
                                     "cell",
                                     "fax",
                                     "sms",
                                     "text me",
                                     "whatsapp",
                                     "dial",
                                     "contact",
                                     "reach",
                                     "answering",
                                     "office",
                                     "hotline",
                                     "ring",
                                     "handy",
                                     "rufnummer",
                                     "numero di",
                                     "m\xC3\xB3vil",
                                     "t\xC3\xA9l\xC3\xA9phone",
                                     "\xD1\x82\xD0\xB5\xD0\xBB\xD0\xB5\xD1\x84\xD0\xBE\xD0\xBD",
                                     "\xE7\x94\xB5\xE8\xAF\x9D",
                                     "\xE9\x9B\xBB\xE8\xA9\xB1",
                                     "\xE6\x89\x8B\xE6\x9C\xBA",
                                     "\xE6\x90\xBA\xE5\xB8\xAF",
                                     "\xEC\xA0\x84\xED\x99\x94",
                                     "\xD9\x87\xD8\xA7\xD8\xAA\xD9\x81"});

bool is_date(const DigitNumber& number) {
  if (number.groups() != 3) return false;
  const bool year_first = number.size(0) == 4 && number.size(1) <= 2 && number.size(2) <= 2;
  const bool year_last = number.size(0) <= 2 && number.size(1) <= 2 && (number.size(2) == 4 || number.size(2) <= 2);
  return year_first || year_last;
}

bool is_dotted_quad(const DigitNumber& number) {
  return number.groups() == 4 && number.has_gaps(".") && number.size(0) <= 3;
}

}  // namespace

std::span<const std::string_view> phone_words() { return kPhoneWords; }

bool is_north_american(const DigitNumber& number) {
  if (!number.has_sizes({3, 3, 4}) && !number.has_sizes({1, 3, 3, 4})) return false;
  for (size_t i = 0; i + 1 < number.groups(); ++i) {
    if (number.gap(i) == "/") return false;
  }
  return true;
}

double phone_score(const DigitNumber& number, size_t end, const ContextWords& words) {
  constexpr size_t kShortest = 7, kLongest = 15, kLongestNational = 12;
  const size_t count = number.count_digits();
  if (count < kShortest || count < 2 * number.groups() || !number.stands_alone(end)) return 0;
  if (is_date(number) || is_dotted_quad(number)) return 0;
  const std::string digits = number.digits();
  const bool plus = number.begin() > 0 && number.text()[number.begin() - 1] == '+';
  if (plus) return count <= kLongest && digits[0] != '0' ? kCertain : 0;
  const bool international = digits.starts_with("00") && number.groups() > 1 && count >= 10;
  if (count > (international ? kLongest + 2 : kLongestNational)) return 0;
  if (is_north_american(number) || international) return kLikely;
  return words.near(number.begin(), end) ? kLikely : 0;
}

size_t extension_end(std::string_view text, size_t end) {
  static constexpr std::array<std::string_view, 5> kMarks{"x", " x", " ext. ", " ext ", "#"};
  constexpr size_t kLongestExtension = 7;
  for (const std::string_view mark : kMarks) {
    if (!text.substr(end).starts_with(mark)) continue;
    const size_t first = end + mark.size();
    size_t last = first;
    while (last < text.size() && is_digit(text[last]) && last - first < kLongestExtension) ++last;
    if (last > first) return last;
  }
  return end;
}

}  // namespace vsr::routing
