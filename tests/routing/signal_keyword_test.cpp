#include "routing/signals/signal_keyword.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "facts/fold.h"
#include "facts/words.h"
#include "support/data.h"
#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr::routing;
using Method = KeywordRule::Method;
using Operator = KeywordRule::Operator;

namespace {

KeywordRule rule(std::vector<std::string> keywords, Operator op = Operator::kOr, Method method = Method::kLiteral) {
  return {.name = "r", .op = op, .method = method, .keywords = std::move(keywords)};
}

SignalValue evaluate(const KeywordRule& rule, std::string_view text) {
  return KeywordSignals(std::span(&rule, 1)).evaluate(text).at(0);
}

bool matches(const KeywordRule& rule, std::string_view text) { return evaluate(rule, text).matched; }

KeywordRule fuzzy(std::vector<std::string> keywords, int threshold = 2) {
  KeywordRule result = rule(std::move(keywords));
  result.fuzzy_match = true;
  result.fuzzy_threshold = threshold;
  return result;
}

}  // namespace

TEST_CASE("keyword signal: the confidences of vLLM Semantic Router's own cases", "[routing]") {
  const auto path = vsr::test::shared_data("router-configs/e2e/testcases/testdata/keyword_routing_cases.json");
  if (!path) return;
  std::vector<KeywordRule> rules{rule({"urgent", "immediate", "asap", "emergency"}),
                                 rule({"SSN", "credit card"}, Operator::kAnd),
                                 rule({R"([a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,})", R"(C:\\Program Files\\)"},
                                      Operator::kOr, Method::kRegex)};
  const std::vector<std::string> names{"urgent_request", "sensitive_data", "regex_pattern_match"};
  const KeywordSignals signals(rules);
  const auto cases = nlohmann::json::parse(vsr::test::read_file(*path));
  REQUIRE(cases.size() >= 12);
  for (const auto& entry : cases) {
    const std::vector<SignalValue> values = signals.evaluate(entry.at("query").get<std::string>());
    for (size_t i = 0; i < names.size(); ++i) {
      INFO(entry.at("name") << ": " << names[i]);
      CHECK(values[i].matched == (entry.at("expected_category") == names[i]));
      if (values[i].matched) CHECK(values[i].confidence == Approx(entry.at("expected_confidence").get<double>()));
    }
  }
}

TEST_CASE("keyword signal: operators, confidence and what matched", "[routing]") {
  const SignalValue two = evaluate(rule({"alpha", "beta", "gamma", "delta"}), "Gamma and ALPHA");
  CHECK(two.matched);
  CHECK(two.confidence == 0.75);
  CHECK(two.value == 2);
  CHECK(two.detail == "alpha, gamma");
  CHECK_FALSE(matches(rule({"alpha", "beta"}, Operator::kAnd), "alpha"));
  CHECK(evaluate(rule({"alpha", "beta"}, Operator::kAnd), "beta alpha").confidence == 1);
  CHECK(evaluate(rule({"alpha", "beta"}, Operator::kNor), "gamma").confidence == 1);
  const SignalValue refused = evaluate(rule({"alpha"}, Operator::kNor), "alpha");
  CHECK_FALSE(refused.matched);
  CHECK(refused.confidence == 0);
}

TEST_CASE("keyword signal: literals match between word boundaries", "[routing]") {
  CHECK_FALSE(matches(rule({"art"}), "party start article smart"));
  CHECK(matches(rule({"art"}), "modern-art!"));
  CHECK(matches(rule({"credit card"}), "my credit \n card"));
  CHECK_FALSE(matches(rule({"pass"}), "my_pass"));
  CHECK(matches(rule({"c++"}), "C++ or Rust"));
  CHECK(matches(rule({"c++"}), "c++17"));  // the boundary is the keyword's own plus sign
  CHECK(matches(rule({".net"}), "ASP.NET"));
  CHECK(matches(rule({"password"}), "pa\xE2\x80\x8Bssword"));
}

TEST_CASE("keyword signal: scripts without spaces need no boundaries", "[routing]") {
  CHECK(matches(rule({"紧急"}), "这是一个紧急的请求"));
  CHECK(matches(rule({"緊急"}), "緊急なお願いがあります"));
  CHECK(matches(rule({"カード"}), "クレジットカードを"));
  CHECK(matches(rule({"ด่วน"}), "คำขอด่วนมาก"));
  CHECK(matches(rule({"긴급"}), "긴급합니다"));
  CHECK_FALSE(matches(rule({"긴급"}), "비긴급"));
  CHECK(matches(rule({"срочно"}), "Мне СРОЧНО нужна помощь"));
  CHECK_FALSE(matches(rule({"срок"}), "срочно"));
  CHECK(matches(rule({"عاجل"}), "طلب عاجل من فضلك"));
  CHECK(matches(rule({"तत्काल"}), "मुझे तत्काल मदद चाहिए"));
  CHECK(matches(rule({"dringend"}), "DRINGEND!"));
}

TEST_CASE("keyword signal: case matters when the rule says so", "[routing]") {
  KeywordRule exact = rule({"US", "IT"});
  exact.case_sensitive = true;
  CHECK(evaluate(exact, "tell us about IT").detail == "IT");
  CHECK_FALSE(matches(exact, "tell us about it"));
}

TEST_CASE("keyword signal: keywords that fold alike count once", "[routing]") {
  CHECK(evaluate(rule({"JSON", "json", "xml"}), "json").confidence == 0.75);
}

TEST_CASE("keyword signal: patterns are RE2's and follow the rule's case", "[routing]") {
  KeywordRule pattern = rule({R"(\bticket-\d+\b)"}, Operator::kOr, Method::kRegex);
  CHECK(matches(pattern, "see TICKET-17"));
  pattern.case_sensitive = true;
  CHECK_FALSE(matches(pattern, "see TICKET-17"));
  CHECK(matches(rule({"[?？]"}, Operator::kOr, Method::kRegex), "真的吗？"));
}

TEST_CASE("keyword signal: fuzzy keywords forgive edits, short ones fewer", "[routing]") {
  CHECK(matches(fuzzy({"password"}), "I forgot my pasword"));
  CHECK(matches(fuzzy({"password"}), "I forgot my passwrod"));
  CHECK_FALSE(matches(fuzzy({"password"}, 1), "I forgot my passwrod"));
  CHECK_FALSE(matches(fuzzy({"password"}), "keyboard"));
  CHECK(matches(fuzzy({"credit card"}), "my crdit card"));
  CHECK(matches(fuzzy({"credit card"}), "my credit-card"));
  CHECK(matches(fuzzy({"asap"}), "aasap"));
  CHECK_FALSE(matches(fuzzy({"asap"}), "a map"));
  CHECK_FALSE(matches(fuzzy({"ok"}), "on"));
  CHECK(matches(fuzzy({"ok"}), "ok"));
  CHECK(matches(fuzzy({"срочно"}), "срачно"));
  CHECK_FALSE(matches(fuzzy({"password"}, 0), "pasword"));
}

TEST_CASE("keyword signal: n-grams match related and misspelt words", "[routing]") {
  KeywordRule ngram = rule({"urgent", "immediate", "asap", "emergency"}, Operator::kOr, Method::kNgram);
  CHECK(evaluate(ngram, "this is urgent").value == 1);
  CHECK(evaluate(ngram, "reply urgently please").detail == "urgent");
  CHECK(evaluate(ngram, "an emergncy").detail == "emergency");
  CHECK_FALSE(matches(ngram, "the weather is nice today"));
  ngram.ngram_threshold = 0.99;
  CHECK_FALSE(matches(ngram, "reply urgently please"));
  ngram.ngram_threshold = 0;
  CHECK_FALSE(matches(ngram, "zzz"));  // nothing in common
}

TEST_CASE("keyword signal: BM25 finds documents that share a rare word with the query", "[routing]") {
  KeywordRule bm25 =
      rule({"code", "function", "debug the algorithm", "machine learning"}, Operator::kOr, Method::kBm25);
  CHECK(evaluate(bm25, "please debug this").detail == "debug the algorithm");
  CHECK(evaluate(bm25, "a learning machine").value > evaluate(bm25, "learning").value);
  CHECK_FALSE(matches(bm25, "the weather of the day"));  // "the" is no term
  CHECK_FALSE(matches(bm25, ""));
  CHECK(matches(rule({"机器学习"}, Operator::kOr, Method::kBm25), "什么是学习"));
  CHECK_FALSE(matches(rule({"机器学习"}, Operator::kOr, Method::kBm25), "习学"));
  bm25.bm25_threshold = 100;
  CHECK_FALSE(matches(bm25, "code function"));
}

TEST_CASE("keyword signal: only the rules that are asked for are answered, in the order asked", "[routing]") {
  const std::vector<KeywordRule> rules{rule({"a"}), rule({"b"}), rule({"c"})};
  const KeywordSignals signals(rules);
  const std::vector<size_t> which{2, 0};
  const std::vector<SignalValue> values = signals.evaluate("a b", which);
  REQUIRE(values.size() == 2);
  CHECK_FALSE(values[0].matched);
  CHECK(values[1].matched);
  CHECK(KeywordSignals(std::span<const KeywordRule>()).evaluate("text").empty());
}

TEST_CASE("keyword signal: rules that cannot work are refused by name", "[routing]") {
  using vsr::base::Status;
  using vsr::test::failure_of;
  const auto failure = [](const KeywordRule& bad) { return failure_of([&] { evaluate(bad, ""); }); };
  CHECK(failure(rule({})) ==
        vsr::test::Failure{Status::kInvalidArgument, "keyword rule \"r\": no keywords, expected at least one"});
  CHECK(failure(rule({"fine", " \xE2\x80\x8B"})).status == Status::kInvalidArgument);
  const auto bad_pattern = failure(rule({"(a"}, Operator::kOr, Method::kRegex));
  CHECK(bad_pattern.status == Status::kParse);
  CHECK(bad_pattern.message.find("keyword rule \"r\": pattern \"(a\": missing )") == 0);
  CHECK(failure(rule({"(?=a)"}, Operator::kOr, Method::kRegex)).status == Status::kParse);
  CHECK(failure(rule({std::string(9000, 'a')}, Operator::kOr, Method::kRegex)).status == Status::kLimit);
  CHECK(failure(rule({"((a{1000}){1000}){1000}"}, Operator::kOr, Method::kRegex)).status.has_value());
  CHECK(failure(rule({std::string(KeywordMatcher::kMaxBytes + 1, 'a')})).status == Status::kLimit);
}

namespace {

// Every occurrence of every keyword whose ends are boundaries.
std::multiset<std::pair<size_t, uint32_t>> naive_matches(const std::vector<std::string>& keywords,
                                                         std::string_view text) {
  std::multiset<std::pair<size_t, uint32_t>> found;
  for (uint32_t k = 0; k < keywords.size(); ++k) {
    for (size_t i = text.find(keywords[k]); i != std::string_view::npos; i = text.find(keywords[k], i + 1)) {
      if (vsr::facts::may_begin_word(text, i) && vsr::facts::may_end_word(text, i + keywords[k].size()))
        found.insert({i, k});
    }
  }
  return found;
}

}  // namespace

TEST_CASE("keyword matcher: finds what a search for each keyword finds", "[routing]") {
  std::mt19937 random(7);
  const std::vector<std::string> letters{"a", "b", " ", "-", "的", "긴"};
  const auto word = [&](size_t longest) {
    std::string text;
    for (size_t n = 1 + random() % longest; n > 0; --n) text += letters[random() % letters.size()];
    return text;
  };
  size_t found = 0;
  for (int round = 0; round < 500; ++round) {
    std::set<std::string> distinct;
    for (int i = 0; i < 12; ++i) distinct.insert(word(4));
    const std::vector<std::string> keywords(distinct.begin(), distinct.end());
    const std::string text = word(60);
    std::multiset<std::pair<size_t, uint32_t>> matches;
    KeywordMatcher(keywords).find(text, [&](const KeywordMatch& m) {
      CHECK(text.substr(m.begin, m.end - m.begin) == keywords[m.keyword]);
      matches.insert({m.begin, m.keyword});
    });
    CHECK(matches == naive_matches(keywords, text));
    found += matches.size();
  }
  CHECK(found > 1000);
}

TEST_CASE("keyword signal: a hostile megabyte takes linear time with every method", "[routing]") {
  constexpr size_t kMegabyte = size_t{1} << 20;
  std::string spaced, distinct;
  while (spaced.size() < kMegabyte) spaced += "a ";
  for (size_t i = 0; distinct.size() < kMegabyte; ++i) distinct += std::to_string(i * 7919) + "x ";
  std::string nested(2000, 'a');
  const std::vector<std::string> overlapping{"a", "aa", "aaa", "aaaaaaaa", nested, nested + " b"};
  std::vector<KeywordRule> rules{rule(overlapping), fuzzy({"password", "credit card"}),
                                 rule({"a a a", "urgent"}, Operator::kOr, Method::kNgram),
                                 rule({"a b", "urgent"}, Operator::kOr, Method::kBm25),
                                 rule({"(a+)+$", "(a|aa)*b"}, Operator::kOr, Method::kRegex)};
  const KeywordSignals signals(rules);
  for (const std::string& text : {std::string(kMegabyte, 'a'), spaced, distinct, std::string(kMegabyte, ' ')}) {
    CHECK(signals.evaluate(text).size() == rules.size());
  }
}
