#include "base/utf8.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace vsr::base;

namespace {

const std::string kBad = "\xEF\xBF\xBD";  // U+FFFD

std::string repaired(std::string_view text) { return std::string(CleanText(text).view()); }

// The maximal subparts of a text by Unicode's definition, spelled out: a table of well-formed sequences (table 3-7),
// and the longest prefix of any of them that the text begins with.
struct Row {
  std::vector<std::pair<int, int>> bytes;
};
const std::vector<Row>& well_formed() {
  static const std::vector<Row> rows{{{{0x00, 0x7F}}},
                                     {{{0xC2, 0xDF}, {0x80, 0xBF}}},
                                     {{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
                                     {{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}},
                                     {{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}},
                                     {{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
                                     {{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
                                     {{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
                                     {{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}}};
  return rows;
}

// Bytes of the maximal subpart at the front, and whether it is a whole character.
std::pair<size_t, bool> reference_step(std::string_view text) {
  size_t longest = 0;
  for (const Row& row : well_formed()) {
    size_t matched = 0;
    while (matched < row.bytes.size() && matched < text.size()) {
      const int byte = static_cast<unsigned char>(text[matched]);
      if (byte < row.bytes[matched].first || byte > row.bytes[matched].second) break;
      ++matched;
    }
    if (matched == row.bytes.size()) return {matched, true};
    longest = std::max(longest, matched);
  }
  return {std::max<size_t>(longest, 1), false};
}

}  // namespace

TEST_CASE("utf8: every code point survives encoding and decoding", "[base][utf8]") {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    const Decoded back = decode_utf8(text);
    if (back.code_point != c || back.size != text.size() || !back.valid) FAIL("U+" << std::hex << uint32_t{c});
  }
}

TEST_CASE("utf8: ill-formed input is replaced by maximal subparts", "[base][utf8]") {
  const std::vector<std::pair<std::string, size_t>> cases{
      {"\x80", 1},              // a continuation byte alone
      {"\xC0\xAF", 2},          // overlong: neither byte can be part of a character
      {"\xE0\x80\xAF", 3},      // overlong
      {"\xED\xA0\x80", 3},      // a surrogate
      {"\xF4\x90\x80\x80", 4},  // above U+10FFFF
      {"\xF5\x80", 2},          // never a lead byte
      {"\xE2\x82", 1},          // the end is missing
      {"\xF0\x9F\x98", 1},      // three of four bytes
      {"\xF0\x9F\xE2\x82", 2},  // two truncated ones
      {"\xFF\xFE", 2},          // a UTF-16 byte order mark
  };
  for (const auto& [bytes, parts] : cases) {
    std::string expected = "a";
    for (size_t i = 0; i < parts; ++i) expected += kBad;
    CAPTURE(bytes);
    CHECK(repaired("a" + bytes + "z") == expected + "z");
    CHECK(CleanText("a" + bytes + "z").replaced_bytes() == bytes.size());
    CHECK(repaired("a" + bytes) == expected);
  }
}

TEST_CASE("utf8: the example of the Unicode standard, table 3-8, is repaired as it says", "[base][utf8]") {
  CHECK(repaired("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64") ==
        "a" + kBad + kBad + kBad + "b" + kBad + "c" + kBad + kBad + "d");
}

TEST_CASE("utf8: well-formed text is not copied", "[base][utf8]") {
  const std::string text = std::string("caf\xC3\xA9 \xF0\x9F\x99\x82 ") + '\0' + " end";
  const CleanText clean(text);
  CHECK(clean.view().data() == text.data());
  CHECK(clean.view().size() == text.size());
  CHECK(clean.replaced_bytes() == 0);
  CHECK(clean.to_original(5) == 5);
  CHECK(CleanText("").view().empty());
}

TEST_CASE("utf8: positions in a repaired text map back to the caller's", "[base][utf8]") {
  const CleanText clean(
      "\xC3\xA9\xFF"
      "b\xE2\x82");
  CHECK(clean.view() == "\xC3\xA9" + kBad + "b" + kBad);
  CHECK(clean.to_original(0) == 0);
  CHECK(clean.to_original(2) == 2);  // the first replacement
  CHECK(clean.to_original(5) == 3);  // b
  CHECK(clean.to_original(6) == 4);  // the second replacement
  CHECK(clean.to_original(9) == 6);  // the end
  CHECK(clean.replaced_bytes() == 3);
}

TEST_CASE("utf8: random bytes are cut as the table of well-formed sequences says", "[base][utf8]") {
  std::mt19937 random(7);
  const std::string likely = "a\x80\xBF\xC2\xE0\xA0\xED\x9F\xF0\x90\xF4\x8F\xE2\xC0\xFF";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t n = random() % 8 + 1; n > 0; --n) {
      text += random() % 4 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    const auto [size, valid] = reference_step(text);
    const Decoded got = decode_utf8(text);
    if (got.size != size || got.valid != valid) FAIL("round " << round);
    const CleanText clean(text);
    if (clean.to_original(clean.view().size()) != text.size()) FAIL("end of round " << round);
    if (CleanText(clean.view()).replaced_bytes() != 0) FAIL("repair of round " << round);
  }
}
