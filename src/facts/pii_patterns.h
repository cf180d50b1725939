// Personal data that has a form: found by scanners whose time grows with the text, and validated where the form allows.
#pragma once

#include <string_view>
#include <vector>

#include "facts/pii_findings.h"

namespace vsr::facts {

// All that the scanners below find in well-formed UTF-8, merged: in the text as it is, and as pattern_text.h folds it,
// so that digits of other scripts and characters that are not seen hide nothing. Bytes are those of the text. Scores: 1
// validated by checksum or grammar, 0.9 and more for an unmistakable form or one beside a word that says what it is
// ("call", "ssn"), less for a mere likeness. Of a type that a text is full of, not every one (pii_findings.h).
std::vector<PiiEntity> scan_pii_patterns(std::string_view text);

// CREDIT_CARD (ISO/IEC 7812: prefix, length and Luhn's check digit), US_SSN, PHONE_NUMBER.
void scan_numbers(std::string_view text, PiiFindings& out);
// IBAN_CODE (ISO 13616: length by country, remainder 1 modulo 97).
void scan_ibans(std::string_view text, PiiFindings& out);
// EMAIL_ADDRESS with a host that has a top-level domain, IP_ADDRESS of both versions, URL with a scheme or "www.".
void scan_network(std::string_view text, PiiFindings& out);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) { return is_digit(c) || is_letter(c); }
// Whether an ASCII letter, digit or underscore is right before or at a position.
constexpr bool word_before(std::string_view text, size_t i) {
  return i > 0 && (is_alnum(text[i - 1]) || text[i - 1] == '_');
}
constexpr bool word_at(std::string_view text, size_t i) {
  return i < text.size() && (is_alnum(text[i]) || text[i] == '_');
}

}  // namespace vsr::facts
