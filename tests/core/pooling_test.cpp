#include "core/nn/pooling.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/failure.h"
#include "support/ragged.h"

using namespace vsr::core;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::flat;
using vsr::test::matrix;
using vsr::test::ragged;

TEST_CASE("pooling: each sequence is reduced by itself", "[core][pooling]") {
  const PackedBatch batch = ragged({2, 1, 3});
  const at::Tensor hidden = matrix(6, 2, {1, -2, 3, -4, 5, 6, 7, 0, 1, 2, 4, -5});
  CHECK(flat(pool(Pooling::kCls, hidden, batch)) == std::vector<float>{1, -2, 5, 6, 7, 0});
  CHECK(flat(pool(Pooling::kLastToken, hidden, batch)) == std::vector<float>{3, -4, 5, 6, 4, -5});
  CHECK(flat(pool(Pooling::kMean, hidden, batch)) == std::vector<float>{2, -3, 5, 6, 4, -1});
  CHECK(flat(pool(Pooling::kMax, hidden, batch)) == std::vector<float>{3, -2, 5, 6, 7, 2});
  const auto roots = flat(pool(Pooling::kMeanSqrtLength, hidden, batch));
  CHECK(roots[0] == Approx(4 / std::sqrt(2.0)));
  CHECK(roots[3] == Approx(6));
  CHECK(roots[5] == Approx(-3 / std::sqrt(3.0)));
}

TEST_CASE("pooling: names are those of sentence-transformers and map back", "[core][pooling]") {
  for (const char* name : {"cls", "mean", "max", "lasttoken", "mean_sqrt_len_tokens"}) {
    CHECK(pooling_name(pooling_named(name, "f")) == name);
  }
  CHECK(failure_of([] { pooling_named("weightedmean", "p/config.json"); }) ==
        Failure{Status::kUnsupported, "p/config.json: pooling \"weightedmean\" is not one of vsr's"});
}
