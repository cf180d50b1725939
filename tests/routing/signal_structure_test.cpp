#include "routing/signals/signal_structure.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;
using Feature = StructureRule::Feature;
using Source = StructureRule::Source;

namespace {

StructureRule pattern(Feature feature, std::string text, NumericPredicate predicate = {}) {
  return {
      .name = "s", .feature = feature, .source = Source::kRegex, .pattern = std::move(text), .predicate = predicate};
}

StructureRule keywords(Feature feature, std::vector<std::string> words, NumericPredicate predicate = {}) {
  return {.name = "s",
          .feature = feature,
          .source = Source::kKeywordSet,
          .keywords = std::move(words),
          .predicate = predicate};
}

StructureRule sequences(std::vector<std::vector<std::string>> parts) {
  return {.name = "s", .feature = Feature::kSequence, .source = Source::kSequence, .sequences = std::move(parts)};
}

SignalValue evaluate(const StructureRule& rule, std::string_view text) { return StructureSignal(rule).evaluate(text); }

}  // namespace

TEST_CASE("structure signal: counts questions in any script", "[routing]") {
  const StructureRule many = pattern(Feature::kCount, "[?？]", {.gte = 4});
  CHECK(evaluate(many, "Who? What? Where? 为什么？").value == 4);
  CHECK(evaluate(many, "Who? What? Where? 为什么？").matched);
  CHECK_FALSE(evaluate(many, "Who? What? Where?").matched);
  const StructureRule few = pattern(Feature::kCount, "[?？]", {.lte = 1});
  CHECK(evaluate(few, "No question").matched);
  CHECK_FALSE(evaluate(few, "Two? Really?").matched);
}

TEST_CASE("structure signal: finds numbered steps at the beginning of lines", "[routing]") {
  const StructureRule steps = pattern(Feature::kExists, R"((?m)^\s*\d+\.\s+)");
  CHECK(evaluate(steps, "Do this:\n 1. open\n 2. close").matched);
  CHECK_FALSE(evaluate(steps, "version 1. 2 is out").matched);
  StructureRule counted = steps;
  counted.feature = Feature::kCount;
  CHECK(evaluate(counted, "1. a\n2. b\n3. c").value == 3);
}

TEST_CASE("structure signal: empty matches count nothing and end", "[routing]") {
  CHECK(evaluate(pattern(Feature::kCount, "x*"), "axxbx").value == 2);
  CHECK(evaluate(pattern(Feature::kCount, "x*"), "äöü").value == 0);
  CHECK(evaluate(pattern(Feature::kCount, "$"), "").value == 0);
}

TEST_CASE("structure signal: density is per word, and per character of Han", "[routing]") {
  const StructureRule dense = keywords(Feature::kDensity, {"under", "at most", "不超过", "至少"}, {.gt = 0.08});
  const SignalValue english = evaluate(dense, "Summarize under 100 words with at most 3 points");
  CHECK(english.value == Approx(2.0 / 9));
  CHECK(english.matched);
  CHECK(evaluate(dense, "总结不超过一百字").value == Approx(1.0 / 8));
  CHECK_FALSE(evaluate(dense, "Please tell me a long story about the sea").matched);
  CHECK(evaluate(dense, "").value == 0);
  CHECK(evaluate(pattern(Feature::kDensity, "[?？]", {.lt = 0.05}), "").matched);
}

TEST_CASE("structure signal: of overlapping keywords the longest counts", "[routing]") {
  CHECK(
      evaluate(keywords(Feature::kCount, {"least", "at least", "no more than"}), "at least one, least of all").value ==
      2);
  CHECK(evaluate(keywords(Feature::kCount, {"JSON", "json"}), "json Json").value == 2);
  CHECK(evaluate(keywords(Feature::kCount, {"的的", "的"}), "的的的").value == 2);
}

TEST_CASE("structure signal: sequences need their parts in order", "[routing]") {
  const StructureRule flow =
      sequences({{"first", "then"}, {"first", "next", "finally"}, {"首先", "然后"}, {"先", "再"}});
  CHECK(evaluate(flow, "First open it, then close it").value == 1);
  CHECK(evaluate(flow, "first a, next b, finally c, then d").value == 2);
  CHECK_FALSE(evaluate(flow, "then first").matched);
  CHECK_FALSE(evaluate(flow, "firstly and thence").matched);
  CHECK(evaluate(flow, "首先打开，然后关闭").matched);
  CHECK(evaluate(sequences({{"a", "a"}}), "a b a").matched);
  CHECK_FALSE(evaluate(sequences({{"a", "a"}}), "a b").matched);
  CHECK_FALSE(evaluate(sequences({{"a b", "b c"}}), "a b c").matched);  // parts do not overlap
}

TEST_CASE("structure signal: text_bytes measures UTF-8", "[routing]") {
  const StructureRule bytes{
      .name = "s", .feature = Feature::kCount, .source = Source::kTextBytes, .predicate = {.gte = 6}};
  CHECK(evaluate(bytes, "你好").value == 6);
  CHECK(evaluate(bytes, "你好").matched);
  CHECK_FALSE(evaluate(bytes, "hello").matched);
}

TEST_CASE("structure signal: rules that make no sense are refused by name", "[routing]") {
  const auto status = [](const StructureRule& rule) {
    return vsr::test::failure_of([&] { StructureSignal signal(rule); }).status;
  };
  using vsr::base::Status;
  CHECK(status(pattern(Feature::kCount, "(")) == Status::kParse);
  CHECK(status(pattern(Feature::kCount, "")) == Status::kInvalidArgument);
  CHECK(status(pattern(Feature::kSequence, "a")) == Status::kInvalidArgument);
  CHECK(status(keywords(Feature::kCount, {})) == Status::kInvalidArgument);
  CHECK(status(keywords(Feature::kCount, {" "})) == Status::kInvalidArgument);
  CHECK(status(sequences({})) == Status::kInvalidArgument);
  CHECK(status(sequences({{}})) == Status::kInvalidArgument);
  CHECK(status({.name = "s", .feature = Feature::kDensity, .source = Source::kTextBytes}) == Status::kInvalidArgument);
}

TEST_CASE("structure signal: a hostile megabyte is counted in bounded time", "[routing]") {
  const std::string text(size_t{1} << 20, 'x');
  CHECK(evaluate(pattern(Feature::kCount, "(?s)x.*y|z", {.gte = 4}), text).value == 0);
  CHECK(evaluate(pattern(Feature::kCount, "x", {.gte = 4}), text).value == 1000);  // counting ends when all is decided
  CHECK(evaluate(pattern(Feature::kDensity, "x", {.gt = 0.5}), text).matched);
  CHECK(evaluate(keywords(Feature::kCount, {"x", "xx", "xxx"}), text).value == 0);
}
