#include "guard/claims/claim_cutter.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using vsr::guard::ClaimCutter;

namespace {

std::vector<std::string> cut(std::string_view text, size_t piece) {
  ClaimCutter cutter;
  std::vector<std::string> claims;
  for (size_t i = 0; i < text.size(); i += piece) {
    cutter.add(text.substr(i, piece));
    while (const auto claim = cutter.next(false)) claims.emplace_back(claim->text);
  }
  while (const auto claim = cutter.next(true)) claims.emplace_back(claim->text);
  return claims;
}
std::vector<std::string> cut(std::string_view text) {
  const auto whole = cut(text, text.size() + 1);
  for (const size_t piece : {1, 2, 3, 7, 64}) CHECK(cut(text, piece) == whole);
  return whole;
}
using Claims = std::vector<std::string>;

}  // namespace

TEST_CASE("claim cutter: the same claims however the text arrives", "[guard]") {
  CHECK(cut("Pi is 3.14. It is e.g. not 3. Dr. Smith agrees! Really?") ==
        Claims{"Pi is 3.14.", "It is e.g. not 3.", "Dr. Smith agrees!", "Really?"});
  CHECK(cut("Am 3. Oktober 2024 begann es. Danach nichts.") ==
        Claims{"Am 3. Oktober 2024 begann es.", "Danach nichts."});
  CHECK(cut("Rent:\n- Cold: 870 euros\n- Warm: 1,060 euros\n\nThat is all") ==
        Claims{"Rent:", "- Cold: 870 euros", "- Warm: 1,060 euros", "That is all"});
  CHECK(cut("Roe v. Wade was cited by J. R. Smith. It ended.") ==
        Claims{"Roe v. Wade was cited by J. R. Smith.", "It ended."});
  CHECK(cut("Towns, e.g. Bonn, are small. It needs 12 V. The rest 250 g. Done.") ==
        Claims{"Towns, e.g. Bonn, are small.", "It needs 12 V.", "The rest 250 g.", "Done."});
  CHECK(cut("幅は３．５です。次は四です。") == Claims{"幅は３．５です。", "次は四です。"});
  CHECK(cut("これは三です。次は四です。") == Claims{"これは三です。", "次は四です。"});
  CHECK(cut("He said \"no.\" Then he left.") == Claims{"He said \"no.\"", "Then he left."});
  CHECK(cut("").empty());
  CHECK(cut(" \n \n").empty());
}

TEST_CASE("claim cutter: what never ends is cut at the limit, between words or characters", "[guard]") {
  const std::string words = [] {
    std::string text;
    while (text.size() < 3 * ClaimCutter::kMostBytes) text += "word ";
    return text;
  }();
  for (const std::string& claim : cut(words, 1000)) CHECK(claim.size() <= ClaimCutter::kMostBytes);
  CHECK(cut(words, 1000) == cut(words, 8192));
  std::string letters;
  while (letters.size() < 2 * ClaimCutter::kMostBytes) letters += "ü";
  for (const std::string& claim : cut(letters, 777)) CHECK(claim.size() % 2 == 0);
}
