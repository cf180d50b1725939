#include "text/regex/regex.h"

#include <catch2/catch.hpp>

#include "support/failure.h"
#include "text/regex/match_work.h"

using namespace vsr;
using namespace vsr::text;

namespace {

std::vector<std::string> matches(const Pattern& pattern, const std::string& text) {
  std::vector<Span> spans;
  pattern.find(text, 0, spans);
  std::vector<std::string> found;
  for (const Span span : spans) found.push_back(text.substr(span.begin, span.size()));
  return found;
}

std::vector<std::string> matches(const std::string& expression, const std::string& text) {
  return matches(*compile_regex(expression, base::parse_json("0", "r.json")), text);
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("regex: alternatives, counts, greed and looking around", "[text]") {
  CHECK(matches("(ab|a)(c|bcd)", "abcd abc") == Strings{"abc", "abc"});
  CHECK(matches("a{2,3}?", "aaaaa") == Strings{"aa", "aa"});
  CHECK(matches("a++a|b", "aaab") == Strings{"b"});
  CHECK(matches("(?:ab)+c?", "ababcab") == Strings{"ababc", "ab"});
  CHECK(matches(R"(\s+(?!\S)|\s+)", "a   b ") == Strings{"  ", " ", " "});
  CHECK(matches(R"((?<!\d)[a-c])", "1ab") == Strings{"b"});
  CHECK(matches(R"((?>a+)b|a)", "aab a") == Strings{"aab", "a"});
}

TEST_CASE("regex: classes and properties", "[text]") {
  CHECK(matches(R"(\p{Lu}+|\p{N}{1,3})", "AB\u00c9c1234") == Strings{"AB\u00c9", "123", "4"});
  CHECK(matches(R"([^\s\p{L}\p{N}]+)", "a!? 1") == Strings{"!?"});
  CHECK(matches("[a[^\\d]]", "a1b") == Strings{"a", "b"});
  CHECK(matches("(?i:'s)", "'S 's '\u017f") == Strings{"'S", "'s", "'\u017f"});
  CHECK(matches(R"(\x41\u4e2d)", "A\u4e2d") == Strings{"A\u4e2d"});
}

TEST_CASE("regex: what cannot be matched exactly is refused with its reason", "[text]") {
  for (const char* expression :
       {R"((a)\1)", "a*", "(?<n>a)", "[[:alpha:]]", "[a&&b]", "(a", "a)", "[a", "(?i:ss)", "a**", "(?i:\u00e9)",
        R"(\p{Greek})", "(?<=ab)c", "a{3,2}", R"(\h)", "(a?)*", "b(?i)a"}) {
    INFO(expression);
    const test::Failure failure = test::failure_of([&] { matches(expression, "a"); });
    CHECK(failure.status == base::Status::kUnsupported);
    CHECK(failure.message.starts_with("r.json: the document is \"" + std::string(expression) + "\""));
  }
}

TEST_CASE("regex: expressions of any size are compiled at once or refused", "[text]") {
  const auto status_of = [](const std::string& expression) {
    return test::failure_of([&] { compile_regex(expression, base::parse_json("0", "r.json")); }).status;
  };
  const auto repeated = [](const std::string& part, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  // Was quadratic in the alternatives: 16.8 s.
  CHECK(status_of(repeated("a|", 48'000) + "a") == base::Status::kUnsupported);
  CHECK(status_of(repeated("ab|", 15'000) + "a") == base::Status::kUnsupported);
  CHECK(status_of("[" + repeated("ab", 50'000) + "]") == base::Status::kUnsupported);
  CHECK(status_of(repeated("(?:a|", 5000) + "a" + repeated(")", 5000)) == base::Status::kUnsupported);
  CHECK(status_of("(?:(?:(?:a{1000}){1000}){1000})") == base::Status::kUnsupported);
  const std::string most = repeated("x|", 5000) + "y";
  CHECK(matches(most, "zyxz") == Strings{"y", "x"});
  CHECK(matches("a|bc|(?:d|ef)+|g", "adefdbcgh") == Strings{"a", "defd", "bc", "g"});
  // The reason is readable however long the expression.
  CHECK(test::failure_of([&] { compile_regex(most + "(", base::parse_json("0", "r.json")); }).message.size() < 400);
}

TEST_CASE("regex: sets of many ranges answer as their parts do", "[text]") {
  CHECK(matches("[\\x{105}-\\x{120}\\x{100}-\\x{110}\\x{4E00}]+", "\u00ff\u0100\u0112\u0120\u0121\u4e00") ==
        Strings{"\u0100\u0112\u0120", "\u4e00"});
}

TEST_CASE("regex: an expression that explodes is given up", "[text]") {
  // The square of the text's length, in one piece and in many.
  CHECK(test::failure_of([] { matches("a*b", std::string(60'000, 'a')); }).status == base::Status::kLimit);
  const MatchWork work(match_steps(60'000));
  CHECK(test::failure_of([] {
          for (int i = 0; i < 100; ++i) matches("a*b", std::string(6'000, 'a'));
        }).status == base::Status::kLimit);
  CHECK(test::failure_of([] { matches("(?:a+)+b", std::string(40, 'a')); }).status == base::Status::kLimit);
}

TEST_CASE("word pattern: the hand-written matchers cut as the expressions do", "[text]") {
  const std::string gpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  const std::string digits =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  const Strings pieces = {"a",  "B", "'s", "'LL", "'",      " ",      "  ",     "\n",     "\r\n",    "\t",
                          "12", "3", "!",  "?.",  "\u00e9", "\u4e2d", "\u2003", "\u0301", "'\u017f", "\u00bd"};
  uint32_t state = 7;
  for (int n = 0; n < 2000; ++n) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += pieces[((state = state * 1664525 + 1013904223) >> 16) % pieces.size()];
    INFO(text);
    for (const std::string& expression : {gpt2, digits}) {
      REQUIRE(matches(*find_word_pattern(expression), text) == matches(expression, text));
    }
  }
}
