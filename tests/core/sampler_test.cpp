#include "core/nn/sampler.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "support/failure.h"
#include "support/goldens.h"

using vsr::base::Status;
using vsr::test::failure_of;
using namespace vsr::core;

TEST_CASE("sampler: processed distributions are those of transformers", "[core][sampler]") {
  const auto golden = vsr::test::golden("generation/sampling");
  REQUIRE(golden.at("cases").size() == 24);
  for (const auto& one : golden.at("cases")) {
    const auto logits = one.at("logits").get<std::vector<float>>();
    const SamplerOptions options{
        .temperature = one.at("temperature"), .top_k = one.at("top_k"), .top_p = one.at("top_p")};
    INFO("temperature " << options.temperature << ", top_k " << options.top_k << ", top_p " << options.top_p);
    const auto expected = one.at("probs").get<std::vector<double>>();
    const std::vector<float> made = sampling_probabilities(logits, options);
    REQUIRE(made.size() == expected.size());
    for (size_t i = 0; i < made.size(); ++i) {
      CHECK(std::abs(made[i] - expected[i]) <= 1e-6);
      CHECK((made[i] == 0) == (expected[i] == 0));
    }
  }
}

TEST_CASE("sampler: greedy takes the first of the largest", "[core][sampler]") {
  Sampler sampler({});
  CHECK(sampler.choose(std::vector<float>{1, 3, 3, 2}) == 1);
}

TEST_CASE("sampler: random numbers are SplitMix64's", "[core][sampler]") {
  // The first outputs for seed 1234567, as published with the algorithm.
  Random random(1234567);
  for (const uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u}) {
    CHECK(random.next() == static_cast<double>(expected >> 11) * 0x1p-53);
  }
}

TEST_CASE("sampler: draws follow the distribution, and the seed decides them", "[core][sampler]") {
  const std::vector<float> logits{0.0f, std::log(2.0f), std::log(5.0f), -100.0f};
  Sampler sampler({.temperature = 1, .seed = 7});
  Sampler again({.temperature = 1, .seed = 7});
  Sampler other({.temperature = 1, .seed = 8});
  std::vector<int> counts(logits.size());
  int differences = 0;
  for (int i = 0; i < 8000; ++i) {
    const int32_t id = sampler.choose(logits);
    ++counts[static_cast<size_t>(id)];
    CHECK(id == again.choose(logits));
    differences += id != other.choose(logits) ? 1 : 0;
  }
  CHECK(std::abs(counts[0] - 1000) < 100);
  CHECK(std::abs(counts[1] - 2000) < 140);
  CHECK(std::abs(counts[2] - 5000) < 150);
  CHECK(counts[3] == 0);
  CHECK(differences > 1000);
}

TEST_CASE("sampler: options out of range are named", "[core][sampler]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const SamplerOptions& options : std::vector<SamplerOptions>{{.temperature = -1},
                                                                   {.temperature = nan},
                                                                   {.temperature = infinity},
                                                                   {.temperature = 1, .top_k = -1},
                                                                   {.temperature = 1, .top_p = 0},
                                                                   {.temperature = 1, .top_p = 1.5f},
                                                                   {.temperature = 1, .top_p = nan},
                                                                   {.temperature = 0, .top_k = 5},
                                                                   {.temperature = 0, .top_p = 0.5f}}) {
    CHECK(failure_of([&] { check(options); }).status == Status::kInvalidArgument);
  }
}
