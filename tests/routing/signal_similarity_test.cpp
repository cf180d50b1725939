#include "routing/signals/signal_similarity.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

// Similarities by candidate, without a scan.
std::vector<float> row(std::initializer_list<float> values) { return values; }

}  // namespace

TEST_CASE("candidate bank: texts of all rules are kept once", "[routing]") {
  CandidateBank bank;
  CHECK(bank.add("a") == 0);
  CHECK(bank.add("b") == 1);
  CHECK(bank.add("a") == 0);
  const std::vector<std::string> more{"b", "c"};
  CHECK(bank.add(more) == std::vector<uint32_t>{1, 2});
  CHECK(bank.texts() == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("candidate bank: a scan gives the dot product with every text", "[routing]") {
  constexpr size_t kDim = 37, kTexts = 23;
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  const auto rows = [&](size_t n) {
    std::vector<float> values(n * kDim);
    for (float& value : values) value = normal(random);
    return values;
  };
  CandidateBank bank;
  for (size_t i = 0; i < kTexts; ++i) bank.add("text " + std::to_string(i));
  const std::vector<float> texts = rows(kTexts);
  bank.set_vectors(texts, kDim);
  for (const size_t n_queries : {0, 1, 3, 4, 9}) {
    const std::vector<float> queries = rows(n_queries);
    const std::vector<float> result = bank.similarities(queries);
    REQUIRE(result.size() == n_queries * kTexts);
    for (size_t i = 0; i < result.size(); ++i) {
      double dot = 0;
      for (size_t d = 0; d < kDim; ++d) dot += double{queries[i / kTexts * kDim + d]} * texts[i % kTexts * kDim + d];
      REQUIRE(result[i] == Approx(dot).margin(1e-4));
    }
  }
}

TEST_CASE("candidate bank: vectors come once, complete and finite", "[routing]") {
  CandidateBank bank;
  bank.add("a");
  CHECK(failure_of([&] { bank.similarities({}); }).status == Status::kState);
  const std::vector<float> wrong(3, 0.5F), nan{std::nanf(""), 0};
  CHECK(failure_of([&] { bank.set_vectors(wrong, 2); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { bank.set_vectors({}, 0); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { bank.set_vectors(nan, 2); }).message == "candidate bank: the vector of \"a\" is not finite");
  const std::vector<float> good{1, 0};
  bank.set_vectors(good, 2);
  CHECK(failure_of([&] { bank.set_vectors(good, 2); }).status == Status::kState);
  CHECK(failure_of([&] { bank.add("b"); }).status == Status::kState);
  CHECK(failure_of([&] { bank.similarities(wrong); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { bank.similarities(nan); }).status == Status::kInvalidArgument);
}

TEST_CASE("embedding signal: aggregates all candidates as it says", "[routing]") {
  using Aggregation = EmbeddingRule::Aggregation;
  CandidateBank bank;
  bank.add("another rule's");
  EmbeddingRule rule{.name = "e", .threshold = 0.5, .candidates = {"x", "y"}};
  const auto evaluate = [&](Aggregation aggregation, std::initializer_list<float> similarities) {
    rule.aggregation = aggregation;
    return EmbeddingSignal(rule, bank).evaluate(row(similarities));
  };
  CHECK(evaluate(Aggregation::kMax, {0.99F, 0.2F, 0.75F}).value == 0.75);
  CHECK(evaluate(Aggregation::kMax, {0.99F, 0.2F, 0.75F}).detail == "y");
  CHECK(evaluate(Aggregation::kMax, {0, 0.5F, 0}).matched);  // at the threshold
  CHECK_FALSE(evaluate(Aggregation::kMax, {0.99F, 0.2F, 0.25F}).matched);
  CHECK(evaluate(Aggregation::kMean, {0.99F, 0.25F, 0.75F}).value == 0.5);
  CHECK_FALSE(evaluate(Aggregation::kMean, {0.99F, 0.125F, 0.75F}).matched);
  CHECK(evaluate(Aggregation::kAny, {0, 0.125F, 0.75F}).matched);
  CHECK(evaluate(Aggregation::kMax, {0, -0.5F, -0.25F}).confidence == 0);
}

TEST_CASE("complexity signal: exactly one level matches", "[routing]") {
  CandidateBank bank;
  const ComplexitySignal signal({.name = "c", .threshold = 0.25, .hard = {"h"}, .easy = {"e1", "e2"}}, bank);
  const auto levels = [&](std::initializer_list<float> similarities) { return signal.evaluate(row(similarities)); };
  const auto hard = levels({0.75F, 0.25F, 0.125F});
  CHECK(hard[ComplexitySignal::kHard].matched);
  CHECK_FALSE(hard[ComplexitySignal::kMedium].matched);
  CHECK_FALSE(hard[ComplexitySignal::kEasy].matched);
  CHECK(hard[ComplexitySignal::kHard].confidence == 0.5);
  CHECK(levels({0.25F, 0.125F, 0.75F})[ComplexitySignal::kEasy].value == -0.5);
  CHECK(levels({0.25F, 0.125F, 0.75F})[ComplexitySignal::kEasy].matched);
  CHECK(levels({0.5F, 0.25F, 0})[ComplexitySignal::kMedium].matched);  // at the threshold
  CHECK(levels({0.25F, 0.5F, 0})[ComplexitySignal::kMedium].matched);
}

TEST_CASE("contrastive signal: the worst message counts", "[routing]") {
  CandidateBank bank;
  const JailbreakRule rule{.name = "j", .threshold = 0.25, .jailbreak_patterns = {"bad"}, .benign_patterns = {"good"}};
  const ContrastiveSignal signal(rule, bank);
  CHECK(signal.evaluate(row({0.5F, 0.5F, 0.75F, 0.5F}), 2).matched);
  CHECK(signal.evaluate(row({0.75F, 0.5F, 0.5F, 0.5F}), 2).value == 0.25);
  CHECK_FALSE(signal.evaluate(row({0.75F, 0.75F}), 1).matched);
  CHECK(failure_of([&] { signal.evaluate({}, 0); }).status == Status::kInvalidArgument);
  JailbreakRule without = rule;
  without.benign_patterns.clear();
  CHECK(ContrastiveSignal(without, bank).evaluate(row({0.25F, 1}), 1).matched);
}

TEST_CASE("similarity signals: a rule without examples is refused by name", "[routing]") {
  CandidateBank bank;
  CHECK(failure_of([&] { EmbeddingSignal signal({.name = "e"}, bank); }) ==
        vsr::test::Failure{Status::kInvalidArgument, "embedding rule \"e\": no candidates, expected at least one"});
  CHECK(failure_of([&] { ComplexitySignal signal({.name = "c", .hard = {"h"}}, bank); }).status ==
        Status::kInvalidArgument);
  CHECK(failure_of([&] { ContrastiveSignal signal({.name = "j"}, bank); }).status == Status::kInvalidArgument);
}
