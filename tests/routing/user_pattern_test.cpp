#include "routing/signals/user_pattern.h"

#include <re2/re2.h>
#include <catch2/catch.hpp>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::CallLimits;
using vsr::base::LimitScope;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

// One search after the other over the whole text.
size_t plain_count(const re2::RE2& pattern, std::string_view text, size_t limit) {
  size_t count = 0, position = 0;
  re2::StringPiece match;
  while (count < limit && position <= text.size() &&
         pattern.Match({text.data(), text.size()}, position, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    const size_t end = static_cast<size_t>(match.data() - text.data()) + match.size();
    if (!match.empty()) ++count;
    position = end;
    if (match.empty()) position += end < text.size() ? vsr::base::decode_utf8(text.substr(end)).size : 1;
  }
  return count;
}

const std::vector<std::string> kPatterns{"a",
                                         "ab+",
                                         "a.*b",
                                         "(?s)a.*b",
                                         "a[^\\n]*b",
                                         "a[^b]*b",
                                         "\\bab\\b",
                                         "^a",
                                         "(?m)^a",
                                         "b$",
                                         "(?m)b$",
                                         "(?m)^$",
                                         "a{2,5}",
                                         "(ab|a)(c|bcd)?",
                                         "a(.*b)?",
                                         "x*",
                                         "[ab]+c",
                                         "\\w+",
                                         "\\s+",
                                         "\\S+",
                                         "\\W",
                                         "(?i)AB",
                                         "\\Qa.b\\E",
                                         "a\\x0ab",
                                         "é+",
                                         "[^a]",
                                         "a|\\n",
                                         "(?:a|b){3}",
                                         "a{,3}",
                                         "[[:alpha:]]+",
                                         "\\pL+",
                                         "[^[:space:]]+b",
                                         "(a\\s*){4}",
                                         "(?s:a.b)",
                                         "ab\\nab",
                                         "\\Aab",
                                         "ab\\z",
                                         "(?U)a+b",
                                         "(?:ab?){1,6}",
                                         "a.{0,30}b",
                                         "\\d{3}-\\d",
                                         "[\\x00-a]{2}",
                                         "a\\C",
                                         "(?P<n>a)b",
                                         "b.?a|^c",
                                         "\\Ba",
                                         "(|a)+b",
                                         "[^\\S\\n]b"};

std::string random_text(std::mt19937& random, size_t size) {
  static const std::vector<std::string> kPieces{
      "a", "b", "a", "b", "c", "ab", " ", ".", "é", "\n", "aaaa", "x", "1", "123-4", "\xF0\x9F\x98\x80"};
  // Some texts are one line, some have few kinds of characters.
  const size_t kinds = 2 + random() % (kPieces.size() - 1);
  const bool lines = random() % 2 == 0;
  std::string text;
  while (text.size() < size) {
    const std::string& piece = kPieces[random() % kinds];
    if (lines || piece != "\n") text += piece;
  }
  return text;
}

}  // namespace

TEST_CASE("user pattern: pieces of a text give what one search gives", "[routing][pattern]") {
  std::mt19937 random(16);
  for (const std::string& written : kPatterns) {
    const re2::RE2 plain(written);
    REQUIRE(plain.ok());
    const UserPattern pattern(written, true, "test");
    for (int round = 0; round < 60; ++round) {
      const std::string text = random_text(random, random() % 300);
      const size_t piece = 1 + random() % 40;
      INFO(written << " in " << text << " by " << piece);
      REQUIRE(pattern.matches(text, piece) == re2::RE2::PartialMatch(text, plain));
      REQUIRE(pattern.count(text, SIZE_MAX, SIZE_MAX, piece) == plain_count(plain, text, SIZE_MAX));
      const size_t limit = random() % 5;
      REQUIRE(pattern.count(text, limit, limit, piece) == plain_count(plain, text, limit));
    }
  }
}

TEST_CASE("user pattern: what a pattern can reach is read off it", "[routing][pattern]") {
  const auto reach = [](const char* pattern, bool case_sensitive = true) {
    return pattern_reach(pattern, case_sensitive);
  };
  CHECK(reach("abc").most_bytes == 3);
  CHECK(reach("abc").one_line);
  CHECK(reach("(?:ab|c{3})?x").most_bytes == 4);
  CHECK(reach("a{2,9}").most_bytes == 9);
  CHECK(reach("a*").most_bytes == PatternReach::kUnbounded);
  CHECK(reach("a.*b").one_line);
  CHECK_FALSE(reach("(?s)a.*b").one_line);
  CHECK_FALSE(reach("a\\s*b").one_line);
  CHECK_FALSE(reach("[^b]*").one_line);
  CHECK(reach("[^\\n]*").one_line);
  CHECK(reach("[a-z_]+@[\\w.]+").one_line);
  CHECK(reach("\\Qa*\\E").most_bytes == 8);
  CHECK(reach("ask", false).most_bytes == 6);
  CHECK(reach("(?i)ask").most_bytes == 6);
  CHECK(reach("\\d\\w[a-f][^a].").most_bytes == 11);
  CHECK(reach("\\w[a-f]", false).most_bytes == 7);
  CHECK(reach("(a|aa|aaa){1,300}b").counted == 1800);
  CHECK(reach("(\\w{1,20}\\W?){1,40}!").counted == 840);
  CHECK(reach("ab{2}.*c{3,}|d{4}").counted == 5);
  CHECK(reach("a{0,1}b?c+").counted == 0);
}

TEST_CASE("user pattern: counting in a long text ends with its call", "[routing][pattern]") {
  const std::string text(4 << 20, 'a');
  const UserPattern pattern("a(.*b)?", true, "test");  // reads to the end of the line for every match
  const CallLimits limits{vsr::base::deadline_in(20), {}};
  const LimitScope scope(&limits);
  CHECK(failure_of([&] { static_cast<void>(pattern.count(text, 100'000, 100'000)); }).status == Status::kDeadline);
}

TEST_CASE("user pattern: no more is counted than asked for where every match reads on to the end",
          "[routing][pattern]") {
  const std::string text(1 << 20, 'a');
  CHECK(UserPattern("a(.*b)?", true, "test").count(text, 2, 1000) == 2);
  CHECK(UserPattern("a", true, "test").count(text, 2, 1000) == 1000);
}

TEST_CASE("user pattern: a deadline holds where a text drives a search out of its automaton", "[routing][pattern]") {
  const std::string text(4 << 20, 'a');
  for (const char* written : {"a.{0,340}b", "(a{1,22}){1,22}b", "a{1,140}.*b", "a.{0,140}(?s:.*)b"}) {
    INFO(written);
    const UserPattern pattern(written, true, "test");
    for (const bool counts : {false, true}) {
      const CallLimits limits{vsr::base::deadline_in(20), {}};
      const LimitScope scope(&limits);
      const std::clock_t begin = std::clock();
      const auto status = failure_of([&] {
                            counts ? static_cast<void>(pattern.count(text, SIZE_MAX, SIZE_MAX))
                                   : static_cast<void>(pattern.matches(text));
                          }).status;
      CHECK((!status || status == Status::kDeadline));                          // a quick machine is done before
      CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 0.3);  // of its own time; it took seconds
    }
  }
}

TEST_CASE("user pattern: counts that no small piece can be searched for are refused", "[routing][pattern]") {
  for (const char* written : {"(a{1,31}){1,31}b", "(\\w{1,20}\\W?){1,40}!", "(a|aa|aaa){1,300}b", "(?s)a.{0,500}.*b"}) {
    const auto failure = failure_of([&] { UserPattern(written, true, "rule.yaml:3:5: keywords[0]"); });
    CHECK(failure.status == Status::kLimit);
    CHECK(failure.message.find(std::string("rule.yaml:3:5: keywords[0]: pattern \"") + written) == 0);
    CHECK(failure.message.find("its counts make") != std::string::npos);
  }
}
