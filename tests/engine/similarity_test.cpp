#include "engine/similarity.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"

using namespace vsr;

namespace {

double dot(const engine::Result& vectors, size_t a, size_t b) {
  double sum = 0;
  for (size_t i = 0; i < vectors.cols; ++i) {
    sum += static_cast<double>(vectors.values[a * vectors.cols + i]) * vectors.values[b * vectors.cols + i];
  }
  return sum;
}

}  // namespace

TEST_CASE("similarity: scores are cosines of the embeddings", "[engine][similarity]") {
  const auto engine = test::open_goldens({"bert-embedding-cls-no-normalize"});
  const std::vector<std::string> texts{"where is my card", "book a flight", "", "where is my card"};
  const auto views = test::views(texts);
  const engine::Result vectors = engine->embed(views, {});
  const auto matrix = engine::similarity_matrix(*engine, views, std::span(views).first(3), {});
  REQUIRE(matrix.size() == 12);
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 3; ++j) CHECK(matrix[i * 3 + j] == Approx(dot(vectors, i, j)).margin(1e-5));
  }
  CHECK(matrix[0] == Approx(1));
  CHECK(matrix[9] == Approx(1));
  const auto pairs = engine::similarity(*engine, std::span(views).first(2), std::span(views).subspan(2), {});
  CHECK(pairs[0] == Approx(matrix[2]).margin(1e-6));
  CHECK(engine::similarity_matrix(*engine, {}, views, {}).empty());
  CHECK(engine::similarity(*engine, {}, {}, {}).empty());
}

TEST_CASE("similarity: asking for vectors that are not normalised changes nothing", "[engine][similarity]") {
  const auto engine = test::open_goldens({"bert-embedding-cls-no-normalize"});
  const std::vector<std::string> texts{"hello", "where is my card"};
  const auto views = test::views(texts);
  CHECK(engine::similarity_matrix(*engine, views, views, {.normalize = false}) ==
        engine::similarity_matrix(*engine, views, views, {}));
}

TEST_CASE("similarity: nearest gives the best first, equals in their order, never more than there are",
          "[engine][similarity]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::vector<std::string> texts{"book a flight", "where is my card", "hello", "where is my card"};
  const auto views = test::views(texts);
  const auto best = engine::nearest(*engine, "where is my card", views, 3, {});
  REQUIRE(best.size() == 3);
  CHECK(best[0].index == 1);
  CHECK(best[1].index == 3);
  CHECK(best[0].score == Approx(1));
  CHECK(best[2].score <= best[1].score);
  CHECK(engine::nearest(*engine, "x", views, 100, {}).size() == 4);
  CHECK(engine::nearest(*engine, "x", views, 0, {}).empty());
  CHECK(engine::nearest(*engine, "x", {}, 3, {}).empty());
}
