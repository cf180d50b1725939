#include "routing/cache/match_evidence.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace vsr::routing;

namespace {

struct Outcome {
  double wrong = 0;   // of all lookups, the share that got a wrong answer
  double served = 0;  // of the last tenth of them, the share that was served
};

// Lookups whose matches are right with the probability that `right` says; what is served is judged, and of the others
// every tenth.
template <class Right>
Outcome simulate(double bound, int lookups, uint32_t seed, Right right) {
  MatchEvidence evidence;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  int wrong = 0, late = 0;
  for (int i = 0; i < lookups; ++i) {
    const auto similarity = static_cast<float>(0.8 + 0.2 * uniform(random));
    const bool is_right = uniform(random) < right(similarity);
    const bool serve = spread_number(seed, static_cast<uint64_t>(i)) < evidence.chance_to_serve(similarity, {}, bound);
    wrong += serve && !is_right;
    late += serve && i >= lookups * 9 / 10;
    if (serve || i % 10 == 0) evidence.add({similarity, is_right});
  }
  return {static_cast<double>(wrong) / lookups, late * 10.0 / lookups};
}

}  // namespace

TEST_CASE("match evidence: the share of wrong answers stays below the bound whatever the matches are like",
          "[routing][cache]") {
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    CHECK(simulate(0.05, 2000, seed, [](float) { return 0.5; }).wrong <= 0.05);
    CHECK(simulate(0.05, 2000, seed, [](float) { return 0.0; }).wrong <= 0.05);
    CHECK(simulate(0.05, 2000, seed, [](float) { return 0.9; }).wrong <= 0.05);
    CHECK(simulate(0.02, 2000, seed, [](float s) { return 1 / (1 + std::exp(-60 * (s - 0.9))); }).wrong <= 0.02);
    CHECK(simulate(0.02, 2000, seed, [](float s) { return s > 0.93 ? 1.0 : 0.3; }).wrong <= 0.02);
    // Worse the nearer: the curves cannot say so, and the bound holds all the same.
    CHECK(simulate(0.05, 2000, seed, [](float s) { return 5 * (1 - s); }).wrong <= 0.05);
  }
}

TEST_CASE("match evidence: matches that are nearly always right come to be served", "[routing][cache]") {
  CHECK(simulate(0.05, 3000, 1, [](float) { return 0.998; }).served > 0.9);
  CHECK(simulate(0.05, 3000, 1, [](float) { return 0.5; }).served < 0.2);
  const MatchEvidence nothing;
  CHECK(nothing.chance_to_serve(0.95f, {}, 0.02) < 0.05);
  CHECK(nothing.chance_to_serve(0.95f, {}, 0.02) > 0);
}

TEST_CASE("match evidence: an entry that was wrong before is trusted less than others", "[routing][cache]") {
  MatchEvidence evidence;
  for (int i = 0; i < 500; ++i) evidence.add({0.95f, true});
  const double others = evidence.chance_to_serve(0.96f, {{0.95f, true}}, 0.02);
  CHECK(others > 0.9);
  CHECK(evidence.chance_to_serve(0.96f, {{0.95f, true}, {0.95f, false}}, 0.02) < others / 2);
}

TEST_CASE("match evidence: choices are the same in every run of a seed, and spread evenly", "[routing][cache]") {
  double sum = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    const double number = spread_number(7, i);
    REQUIRE((number >= 0 && number < 1));
    sum += number;
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.02));
  CHECK(spread_number(7, 3) == spread_number(7, 3));
  CHECK(spread_number(7, 3) != spread_number(8, 3));
}
