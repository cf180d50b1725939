#include "facts/pattern_text.h"

#include <catch2/catch.hpp>
#include <random>

#include "base/utf8.h"
#include "facts/pii_patterns.h"

using namespace vsr::facts;

namespace {

std::string folded(std::string_view text) {
  const PatternText pattern(text);
  return pattern.changed() ? std::string(pattern.view()) : std::string(text);
}

// Of the type: what was found, as it is written in the text.
std::vector<std::string> found(std::string_view text, const std::string& type) {
  std::vector<std::string> texts;
  for (const PiiEntity& entity : scan_pii_patterns(text)) {
    REQUIRE(entity.begin < entity.end);
    REQUIRE(entity.end <= text.size());
    if (entity.type == type && entity.score >= 0.9)
      texts.emplace_back(text.substr(entity.begin, entity.end - entity.begin));
  }
  return texts;
}

using Texts = std::vector<std::string>;

std::string in_digits(std::string_view text, char32_t zero) {
  std::string out;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      vsr::base::append_utf8(out, zero + static_cast<char32_t>(c - '0'));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("pattern text: digits, letters and separators of any kind become plain ones", "[facts]") {
  CHECK(folded("４１１１－１１１１") == "4111-1111");
  CHECK(folded("ｊｏｅ＠ｅｘａｍｐｌｅ．ｃｏｍ") == "joe@example.com");
  CHECK(folded("\u0663\u0969\u2462\u278C\u4E09") == "33333");
  CHECK(folded("4\uFE0F\u20E31\uFE0F\u20E3") == "41");
  CHECK(folded("5\u0336 5\u00A05\u20035\u2013\u2212") == "5 5 5 5--");
  CHECK(folded("1\u200B2\u00AD3\u2060"
               "4\u202E5\x01"
               "6\x7F") == "123456");
  CHECK(folded("\u0441\u043E\u0440 \u03BFne") == "cop one");
  CHECK(folded("example\u3002com, 12\u30024") == "example.com, 12\u30024");
  CHECK(folded(std::string_view("1\0"
                                "2",
                                3)) == "12");
  CHECK_FALSE(PatternText("plain 12\t\r\n").changed());
  CHECK_FALSE(PatternText("\u6C34\u306F").changed());
  CHECK_FALSE(PatternText("").changed());
}

TEST_CASE("pii patterns: digits of other scripts and hidden characters hide nothing", "[facts]") {
  const std::string card = "4111 1111 1111 1111";
  for (const char32_t zero : {0xFF10, 0x0660, 0x06F0, 0x0966, 0x0E50, 0x1D7CE, 0x1D7F6, 0x1FBF0}) {
    const std::string written = in_digits(card, zero);
    CAPTURE(written);
    CHECK(found("my card " + written + ", thanks", "CREDIT_CARD") == Texts{written});
  }
  for (const char* hidden :
       {"\u200B", "\u00AD", "\u2060", "\uFEFF", "\u202E", "\u034F", "\uFE0F\u20E3", "\u0336", "\u3164"}) {
    std::string written;
    for (const char c : card) written += c == ' ' ? std::string(" ") : std::string(1, c) + hidden;
    CAPTURE(written);
    REQUIRE(found("my card " + written + " thanks", "CREDIT_CARD").size() == 1);
  }
  CHECK(found("card \u2463111\u00A01111\u20071111\u202F1111.", "CREDIT_CARD").size() == 1);
  CHECK(found("ＤＥ８９３７０４００４４０５３２０１３０００", "IBAN_CODE") ==
        Texts{"ＤＥ８９３７０４００４４０５３２０１３０００"});
  CHECK(found("D\u0415893704\u200B00440532013000", "IBAN_CODE").size() == 1);
  CHECK(found("to j\u043Ehn\uFF20ex\u0430mple\u3002com now", "EMAIL_ADDRESS") ==
        Texts{"j\u043Ehn\uFF20ex\u0430mple\u3002com"});
  CHECK(found("ssn １２３－４５－６７８９", "US_SSN") == Texts{"１２３－４５－６７８９"});
  CHECK(found("call \uFF0B\u0664\u0669 30 1234567", "PHONE_NUMBER") == Texts{"\uFF0B\u0664\u0669 30 1234567"});
  CHECK(found("at 192\uFF0E168\uFF0E1\uFF0E100", "IP_ADDRESS") == Texts{"192\uFF0E168\uFF0E1\uFF0E100"});
}

TEST_CASE("pii patterns: what is found as written is found whatever folding makes of its neighbours", "[facts]") {
  CHECK(found("4111111111111111\u0430", "CREDIT_CARD") == Texts{"4111111111111111"});
  CHECK(found("\u4E00\u4E8C4111111111111111", "CREDIT_CARD") == Texts{"4111111111111111"});
  CHECK(found("4111111111111111\u200B\u200B2", "CREDIT_CARD") == Texts{"4111111111111111"});
}

TEST_CASE("pii patterns: positions are those of the text, whatever comes before", "[facts]") {
  std::mt19937 random(7);
  const std::vector<std::string> pieces{"a",      " ",          "\u200B", "\uFF11", "\u6C34",
                                        "\u0430", "\U0001F600", "\u0301", "-",      "9"};
  for (int round = 0; round < 2000; ++round) {
    std::string before, after;
    for (size_t i = random() % 20; i > 0; --i) before += pieces[random() % pieces.size()];
    for (size_t i = random() % 20; i > 0; --i) after += pieces[random() % pieces.size()];
    const std::string email = random() % 2 == 0 ? "joe@example.com" : "ｊｏｅ＠example．ｃｏｍ";
    const std::string text = before + " <" + email + "> " + after;
    CAPTURE(text);
    REQUIRE(found(text, "EMAIL_ADDRESS") == Texts{email});
  }
}
