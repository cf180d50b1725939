// Card numbers (ISO/IEC 7812) and social security numbers of the United States.
#include <algorithm>
#include <string>

#include "facts/pii_number_kinds.h"

namespace vsr::facts {
namespace {

// In English, German, French, Spanish, Italian, Portuguese, Russian, Chinese and Japanese.
// clang-format off
constexpr std::string_view kCardWords[] = {
    "card", "cards", "visa", "mastercard", "amex", "credit", "debit", "cc", "karte", "kreditkarte", "carte",
    "tarjeta", "carta", "cart\u00E3o", "\u043A\u0430\u0440\u0442", "\u5361", "\u30AB\u30FC\u30C9",
};
// clang-format on
constexpr std::string_view kSsnWords[] = {"ssn", "social security", "soc sec", "ss#", "ss #"};

// Luhn's check digit (ISO/IEC 7812-1, annex B).
bool luhn_holds(const std::string& digits) {
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int value = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) value = value * 2 > 9 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return sum % 10 == 0;
}

struct CardNetwork {
  int first, last;  // the leading four digits
  size_t shortest, longest;
  bool common;  // else only beside a word for cards: the prefix says little
};
constexpr CardNetwork kNetworks[] = {
    {4000, 4999, 13, 19, true},   // Visa
    {5100, 5599, 16, 16, true},   // Mastercard
    {2221, 2720, 16, 16, true},   // Mastercard
    {2200, 2204, 16, 19, true},   // Mir
    {3400, 3499, 15, 15, true},   // American Express
    {3700, 3799, 15, 15, true},   // American Express
    {3000, 3059, 14, 19, true},   // Diners Club
    {3600, 3699, 14, 19, true},   // Diners Club
    {3800, 3999, 14, 19, true},   // Diners Club
    {3528, 3589, 16, 19, true},   // JCB
    {6011, 6011, 16, 19, true},   // Discover
    {6440, 6599, 16, 19, true},   // Discover
    {6200, 6299, 16, 19, true},   // UnionPay
    {5000, 5099, 12, 19, false},  // Maestro
    {5600, 5899, 12, 19, false},  // Maestro
    {6000, 6999, 12, 19, false},  // Maestro
};

const CardNetwork* card_network(const std::string& digits) {
  const int prefix = std::stoi(digits.substr(0, 4));
  const auto network = std::find_if(std::begin(kNetworks), std::end(kNetworks), [&](const CardNetwork& n) {
    return prefix >= n.first && prefix <= n.last && digits.size() >= n.shortest && digits.size() <= n.longest;
  });
  return network == std::end(kNetworks) ? nullptr : network;
}

// Cards are written without gaps or in groups of four to seven, but for a shorter last one.
bool is_grouped_as_card(const DigitNumber& number) {
  constexpr std::string_view kGaps[] = {" ", "-", ".", "/", "_", "\t", "\n", "  ", ", ", ","};
  if (std::none_of(std::begin(kGaps), std::end(kGaps), [&](std::string_view gap) { return number.has_gaps(gap); }))
    return false;
  for (size_t i = 0; number.groups() > 1 && i < number.groups(); ++i) {
    const bool last = i + 1 == number.groups();
    if (number.size(i) < (last ? 1 : 4) || number.size(i) > 7) return false;
  }
  return true;
}

}  // namespace

std::span<const std::string_view> card_words() { return kCardWords; }
std::span<const std::string_view> ssn_words() { return kSsnWords; }

double card_score(const DigitNumber& number, const ContextWords& words) {
  constexpr size_t kShortest = 12, kLongest = 19;
  const size_t count = number.count_digits();
  if (count < kShortest || count > kLongest || !is_grouped_as_card(number) || !number.stands_alone()) return 0;
  const std::string digits = number.digits();
  const CardNetwork* network = card_network(digits);
  if (network == nullptr) return 0;
  const bool named = words.near(number.begin(), number.end());
  if (luhn_holds(digits)) return network->common || named ? kValidated : kPossible;
  // Somebody who calls it a card and writes it as one may have mistyped a digit.
  return named && number.has_sizes({4, 4, 4, 4}) ? kLikely : 0;
}

double ssn_score(const DigitNumber& number, const ContextWords& words) {
  const bool grouped = number.has_sizes({3, 2, 4}) && (number.has_gaps("-") || number.has_gaps(" "));
  if ((!grouped && !number.has_sizes({9})) || !number.stands_alone()) return 0;
  const std::string digits = number.digits();
  const std::string area = digits.substr(0, 3);
  // Never given out (Social Security Administration, "Social Security Number Randomization").
  if (area == "000" || area == "666" || area[0] == '9') return 0;
  if (digits.substr(3, 2) == "00" || digits.substr(5) == "0000") return 0;
  if (words.near(number.begin(), number.end())) return kCertain;
  if (!grouped) return 0;
  return number.has_gaps("-") ? kCertain : kPossible;
}

}  // namespace vsr::facts
