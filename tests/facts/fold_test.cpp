#include "facts/fold.h"

#include <catch2/catch.hpp>

#include "facts/words.h"

using namespace vsr::facts;

TEST_CASE("fold: case disappears in every script that has it", "[facts]") {
  CHECK(fold("URGENT Help") == "urgent help");
  CHECK(fold("STRASSE") == fold("straße"));
  CHECK(fold("ΟΔΥΣΣΕΥΣ") == fold("οδυσσευς"));
  CHECK(fold("СРОЧНО") == "срочно");
  CHECK(fold("ÉCOLE") == "école");
}

TEST_CASE("fold: case stays when it matters", "[facts]") {
  CHECK(fold("URGENT Ärger", true) == "URGENT Ärger");
  CHECK(fold("plain ASCII", true) == "plain ASCII");
}

TEST_CASE("fold: one spelling for what looks alike", "[facts]") {
  CHECK(fold("cafe\xCC\x81") == "caf\xC3\xA9");  // e and a combining accent
  CHECK(fold("ｕｒｇｅｎｔ") == "urgent");       // full-width letters
  CHECK(fold("o\xEF\xAC\x83"
             "ce") == "office");                      // a ligature
  CHECK(fold("pass\xE2\x80\x8Bword") == "password");  // a zero-width space
  CHECK(fold("pass\xC2\xADword") == "password");      // a soft hyphen
  CHECK(fold("pass\u3164wo\u115Frd") == "password");  // Hangul fillers
  CHECK(fold("cafe\xE2\x80\x8B\xCC\x81") == "caf\xC3\xA9");
}

TEST_CASE("fold: long texts give what their parts give", "[facts]") {
  const auto repeated = [](std::string_view part, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += part;
    return all;
  };
  for (const char* part :
       {"Caf\xC3\x89", "e\xCC\x81", "ｕ", "\xE1\x84\x80\xE1\x85\xA1", "각", "ﷺ", "e\xE2\x80\x8B\xCC\x81x", "ﾊﾞ"}) {
    INFO(part);
    // The letter between them is cut before wherever it is, and nothing composes with it.
    CHECK(fold(repeated(std::string(part) + "x", 30'000)) == repeated(fold(std::string(part) + "x"), 30'000));
  }
  CHECK(fold("e" + repeated("\xE2\x80\x8B", 100'000) + "\xCC\x81") == "\xC3\xA9");  // zero-width spaces hide nothing
  CHECK(fold(repeated("ｕ", 100'000)) == repeated("u", 100'000));
  CHECK(fold(repeated("e\xCC\x81", 50'000)) == repeated("\xC3\xA9", 50'000));
}

TEST_CASE("fold: marks are put in order, but not those after 32 KB of them", "[facts]") {
  const auto marks = [](std::string_view part, size_t bytes) {
    std::string all;
    while (all.size() < bytes) all += part;
    return all;
  };
  const std::string below = marks("\xCC\xA3", 30'000), above = "\xCC\x81";  // a dot, which comes first, and an acute
  CHECK(fold("q" + above + below) == "q" + below + above);
  const std::string many = marks("\xCC\xA3", size_t{1} << 20);
  const std::string folded = fold("q" + above + many);
  CHECK(folded.size() == many.size() + 3);
  CHECK(folded.ends_with("\xCC\xA3"));
}

TEST_CASE("fold: white space of any kind and length is one space", "[facts]") {
  CHECK(fold("  credit\t\ncard ") == "credit card");
  CHECK(fold("credit\xC2\xA0\xE3\x80\x80 card") == "credit card");
  CHECK(fold("").empty());
  CHECK(fold(" \n ").empty());
  CHECK(fold("\xE2\x80\x8B").empty());
}

TEST_CASE("words: letters, digits and connectors make one, each unspaced character is one", "[facts]") {
  using Words = std::vector<std::string_view>;
  CHECK(split_words("it's 3 o'clock, my_friend") == Words{"it", "s", "3", "o", "clock", "my_friend"});
  CHECK(split_words("我爱Python3很久") == Words{"我", "爱", "Python3", "很", "久"});
  CHECK(split_words("カタカナ語") == Words{"カ", "タ", "カ", "ナ", "語"});
  CHECK(split_words("การ") == Words{"ก", "า", "ร"});
  CHECK(split_words("긴급한 요청") == Words{"긴급한", "요청"});
  CHECK(split_words("naïve re\xCC\x81sume\xCC\x81") == Words{"naïve", "re\xCC\x81sume\xCC\x81"});
  CHECK(split_words("हिन्दी में") == Words{"हिन्दी", "में"});
  CHECK(split_words(" ?!… ").empty());
  for (const std::string_view text : {"a b", "你好 world", "...", "", "x\xCC\x81y z"}) {
    CHECK(count_words(text) == split_words(text).size());
  }
}

TEST_CASE("words: boundaries lie between words and around unspaced characters", "[facts]") {
  CHECK(may_begin_word("ab", 0));
  CHECK(may_end_word("ab", 2));
  CHECK_FALSE(may_begin_word("ab", 1));
  CHECK_FALSE(may_end_word("ab", 1));
  CHECK(may_begin_word("a b", 2));
  CHECK(may_begin_word("我们", 3));
  CHECK(may_end_word("我们", 3));
  CHECK(may_end_word("긴급한", 6));          // before a particle
  CHECK_FALSE(may_begin_word("비긴급", 3));  // inside a word
}
