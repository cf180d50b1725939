// IBANs: two letters of a country, two check digits, and an account number of the country's length.
#include <algorithm>
#include <array>
#include <string>

#include "base/checkpoint.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {
namespace {

struct IbanCountry {
  char code[3];
  uint8_t length;
};
// Lengths by country, in order (SWIFT IBAN Registry, release 99).
constexpr IbanCountry kCountries[] = {
    {"AD", 24}, {"AE", 23}, {"AL", 28}, {"AT", 20}, {"AZ", 28}, {"BA", 20}, {"BE", 16}, {"BG", 22}, {"BH", 22},
    {"BI", 27}, {"BR", 29}, {"BY", 28}, {"CH", 21}, {"CR", 22}, {"CY", 28}, {"CZ", 24}, {"DE", 22}, {"DJ", 27},
    {"DK", 18}, {"DO", 28}, {"EE", 20}, {"EG", 29}, {"ES", 24}, {"FI", 18}, {"FK", 18}, {"FO", 18}, {"FR", 27},
    {"GB", 22}, {"GE", 22}, {"GI", 23}, {"GL", 18}, {"GR", 27}, {"GT", 28}, {"HN", 28}, {"HR", 21}, {"HU", 28},
    {"IE", 22}, {"IL", 23}, {"IQ", 23}, {"IS", 26}, {"IT", 27}, {"JO", 30}, {"KW", 30}, {"KZ", 20}, {"LB", 28},
    {"LC", 32}, {"LI", 21}, {"LT", 20}, {"LU", 20}, {"LV", 21}, {"LY", 25}, {"MC", 27}, {"MD", 24}, {"ME", 22},
    {"MK", 19}, {"MN", 20}, {"MR", 27}, {"MT", 31}, {"MU", 30}, {"NI", 28}, {"NL", 18}, {"NO", 15}, {"OM", 23},
    {"PK", 24}, {"PL", 28}, {"PS", 29}, {"PT", 25}, {"QA", 29}, {"RO", 24}, {"RS", 22}, {"RU", 33}, {"SA", 24},
    {"SC", 31}, {"SD", 18}, {"SE", 24}, {"SI", 19}, {"SK", 24}, {"SM", 27}, {"SO", 23}, {"ST", 25}, {"SV", 28},
    {"TL", 23}, {"TN", 24}, {"TR", 26}, {"UA", 29}, {"VA", 22}, {"VG", 24}, {"XK", 20}, {"YE", 30},
};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// 0 for what is no country of the registry.
size_t iban_length(char first, char second) {
  const std::array<char, 2> code{upper(first), upper(second)};
  const auto country = std::lower_bound(std::begin(kCountries), std::end(kCountries), code,
                                        [](const IbanCountry& entry, const std::array<char, 2>& wanted) {
                                          return std::array<char, 2>{entry.code[0], entry.code[1]} < wanted;
                                        });
  if (country == std::end(kCountries) || country->code[0] != code[0] || country->code[1] != code[1]) return 0;
  return country->length;
}

bool checksum_holds(const std::string& iban) {
  uint32_t remainder = 0;
  for (size_t i = 0; i < iban.size(); ++i) {
    const char c = upper(iban[(i + 4) % iban.size()]);  // country and check digits go to the end
    remainder = is_digit(c) ? remainder * 10 + static_cast<uint32_t>(c - '0')
                            : remainder * 100 + static_cast<uint32_t>(c - 'A' + 10);
    remainder %= 97;
  }
  return remainder == 1;
}

// The position after the IBAN that begins at `begin`, or 0. Single spaces or hyphens may come between its groups.
size_t iban_end(std::string_view text, size_t begin) {
  const size_t length = iban_length(text[begin], text[begin + 1]);
  std::string iban;
  size_t i = begin;
  for (; iban.size() < length && i < text.size(); ++i) {
    const bool separator = (text[i] == ' ' || text[i] == '-') && iban.size() >= 4;
    if (separator && is_alnum(text[i - 1])) continue;
    if (!is_alnum(text[i])) return 0;
    iban.push_back(text[i]);
  }
  const bool complete = length > 0 && iban.size() == length && !word_at(text, i);
  return complete && checksum_holds(iban) ? i : 0;
}

}  // namespace

void scan_ibans(std::string_view text, PiiFindings& out) {
  base::Checkpoint checkpoint;
  for (size_t i = 0; i + 4 <= text.size(); ++i) {
    checkpoint(i);
    if (!is_letter(text[i]) || !is_letter(text[i + 1]) || !is_digit(text[i + 2]) || !is_digit(text[i + 3])) continue;
    if (word_before(text, i)) continue;
    const size_t end = iban_end(text, i);
    if (end == 0) continue;
    out.add({"IBAN_CODE", i, end, 1, true});
    i = end - 1;
  }
}

}  // namespace vsr::facts
