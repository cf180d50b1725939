// Telephone numbers (ITU-T E.164 and national habits).
#include <array>
#include <string>

#include "facts/pii_number_kinds.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {
namespace {

// In English, German, Italian, Spanish, French, Russian, Chinese, Japanese, Korean and Arabic.
// clang-format off
constexpr std::string_view kPhoneWords[] = {
    "phone", "telephone", "call", "calling", "tel", "mobile", "mobil", "cell", "cellphone", "fax", "sms", "text me",
    "whatsapp", "dial", "contact", "reach", "answering", "office", "hotline", "handy", "rufnummer", "telefon",
    "telefonnummer", "telefono", "numero di", "m\u00F3vil", "celular", "t\u00E9l\u00E9phone",
    "\u0442\u0435\u043B\u0435\u0444\u043E\u043D", "\u7535\u8BDD", "\u96FB\u8A71", "\u624B\u673A", "\u643A\u5E2F",
    "\uC804\uD654", "\u0647\u0627\u062A\u0641",
};
// clang-format on

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
  const bool international = digits.starts_with("00") && digits[2] != '0' && number.groups() > 1 && count >= 10;
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

}  // namespace vsr::facts
