#include "text/unicode/sentences.h"

#include <catch2/catch.hpp>
#include <string>

#include "text/unicode/stop_words.h"

using namespace vsr::text;

namespace {

std::vector<std::string> sentences(std::string_view text) {
  std::vector<std::string> result;
  for (const vsr::base::Span& range : split_sentences(text))
    result.emplace_back(text.substr(range.begin, range.size()));
  return result;
}

using Strings = std::vector<std::string>;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  Word word;
  for (WordReader reader(text, {0, text.size()}); reader.next(word);) {
    result.emplace_back(text.substr(word.begin, word.end - word.begin));
  }
  return result;
}

Word first_word(std::string_view text) {
  Word word;
  WordReader(text, {0, text.size()}).next(word);
  return word;
}

}  // namespace

TEST_CASE("sentences: end after marks and what closes, not after abbreviations, initials and numbers", "[text]") {
  CHECK(sentences("One. Two! Three?! Four") == Strings{"One.", "Two!", "Three?!", "Four"});
  CHECK(sentences("He said \"Stop.\" Then he left.") == Strings{"He said \"Stop.\"", "Then he left."});
  CHECK(sentences("Dr. Smith met J. R. Brown. They ate 3.5 pies, e.g. apple.") ==
        Strings{"Dr. Smith met J. R. Brown.", "They ate 3.5 pies, e.g. apple."});
  CHECK(sentences("\"What?\" said he. Yes.") == Strings{"\"What?\" said he.", "Yes."});
  CHECK(sentences("See example.com and v1.2.3 now") == Strings{"See example.com and v1.2.3 now"});
}

TEST_CASE("sentences: end as their script ends them", "[text]") {
  CHECK(sentences("你好。你是谁？我是人！") == Strings{"你好。", "你是谁？", "我是人！"});
  CHECK(sentences("「はい。」と言った。終わり") == Strings{"「はい。」", "と言った。", "終わり"});
  CHECK(sentences("यह एक है। वह दो है।") == Strings{"यह एक है।", "वह दो है।"});
  CHECK(sentences("ما هذا؟ هذا كتاب.") == Strings{"ما هذا؟", "هذا كتاب."});
  const std::string clause = "มนุษย์ทั้งหลายเกิดมามีอิสระ";
  CHECK(sentences(clause + " " + clause) == Strings{clause, clause});
}

TEST_CASE("sentences: end at empty lines, list items and short lines, not where prose is wrapped", "[text]") {
  const std::string line = "this line of prose is wrapped by hand, as e-mail is";
  CHECK(sentences(line + "\n" + line) == Strings{line + "\n" + line});
  CHECK(sentences(line + "\n \n" + line) == Strings{line, line});
  CHECK(sentences(line + "\n- " + line) == Strings{line, "- " + line});
  CHECK(sentences("Title\nshort") == Strings{"Title", "short"});
  CHECK(sentences(" \n\t ").empty());
  CHECK(sentences("").empty());
}

TEST_CASE("words: are runs of letters with marks and apostrophes, single letters where a script has no spaces",
          "[text]") {
  CHECK(words("Don\xE2\x80\x99t stop, x2 is 42!") == Strings{"Don\xE2\x80\x99t", "stop", ",", "x2", "is", "42", "!"});
  CHECK(words("naïve Ünïcode") == Strings{"naïve", "Ünïcode"});
  CHECK(words("你好A") == Strings{"你", "好", "A"});
  CHECK(words("カタカナの") == Strings{"カタカナ", "の"});
  CHECK(words("\xFF\xC3") == Strings{"\xFF", "\xC3"});
}

TEST_CASE("words: case does not change a hash, other letters do", "[text]") {
  CHECK(first_word("Straße").hash == first_word("STRAßE").hash);
  CHECK(first_word("ÜBER").hash == word_hash("über"));
  CHECK(first_word("Don\xE2\x80\x99t").hash == word_hash("don't"));
  CHECK(first_word("abc").hash != first_word("abd").hash);
  CHECK(first_word("Abc").capital);
  CHECK_FALSE(first_word("abc").capital);
}

TEST_CASE("stop words: tell languages apart", "[text]") {
  CHECK(detect_language("Where is the station and how do I get there?") == "en");
  CHECK(detect_language("Wo ist der Bahnhof und wie komme ich dorthin?") == "de");
  CHECK(detect_language("Où est la gare et comment est-ce que je peux y aller ?") == "fr");
  CHECK(detect_language("¿Dónde está la estación y cómo puedo llegar hasta allí?") == "es");
  CHECK(detect_language("Dov'è la stazione e come ci si arriva?") == "it");
  CHECK(detect_language("Onde fica a estação e como é que eu chego até lá com você?") == "pt");
  CHECK(detect_language("Waar is het station en hoe kom ik er?") == "nl");
  CHECK(detect_language("Где находится вокзал и как мне туда попасть?") == "ru");
  CHECK(detect_language("车站在哪里，我怎么去？") == "zh");
  CHECK(detect_language("駅はどこですか、どうやって行きますか") == "ja");
  CHECK(detect_language("أين المحطة وكيف أصل إلى هناك من هنا؟") == "ar");
  CHECK(detect_language("स्टेशन कहाँ है और मैं वहाँ कैसे जाऊँ?") == "hi");
  CHECK(detect_language("xyzzy 12345").empty());
}

TEST_CASE("stop words: a language is named by its code with or without a region", "[text]") {
  CHECK(language_set("en") != 0);
  CHECK(language_set("en-GB") == language_set("en"));
  CHECK(language_set("xx") == 0);
  CHECK((stop_word_languages(word_hash("the")) & language_set("en")) != 0);
  CHECK((stop_word_languages(word_hash("the")) & language_set("de")) == 0);
  CHECK(stop_word_languages(word_hash("photosynthesis")) == 0);
}
