#include "routing/vectors/vector_index.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "routing/vectors/dot_kernels.h"

using namespace vsr::routing;

namespace {

constexpr size_t kNoGraph = std::numeric_limits<size_t>::max();

std::vector<float> random_rows(size_t n, size_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> rows(n * dim);
  for (float& value : rows) value = normal(random);
  return rows;
}

// By the definition, in double.
double cosine(const float* a, const float* b, size_t dim) {
  double dot = 0, aa = 0, bb = 0;
  for (size_t d = 0; d < dim; ++d) {
    dot += double{a[d]} * b[d];
    aa += double{a[d]} * a[d];
    bb += double{b[d]} * b[d];
  }
  return dot / std::sqrt(aa * bb);
}

std::vector<uint64_t> ids(const std::vector<Neighbour>& neighbours) {
  std::vector<uint64_t> result;
  for (const auto& neighbour : neighbours) result.push_back(neighbour.id);
  return result;
}

// The ids of the k nearest of `rows` by the definition.
std::vector<uint64_t> expected_ids(const std::vector<float>& rows, const float* query, size_t dim, size_t k) {
  std::vector<uint64_t> order(rows.size() / dim);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> similarity;
  for (const uint64_t id : order) similarity.push_back(cosine(rows.data() + id * dim, query, dim));
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return similarity[a] > similarity[b]; });
  order.resize(std::min(k, order.size()));
  return order;
}

}  // namespace

TEST_CASE("dot kernels: every variant of this machine agrees with the definition", "[routing][kernels]") {
  size_t count = 0;
  const auto* kernels = runnable_dot_kernels(&count);
  REQUIRE(count >= 1);
  CHECK(kernels[0] == &dot_kernels());
  const size_t stride = padded_dim(GENERATE(1, 16, 17, 384, 1000)), n_rows = 7;
  const auto rows = random_rows(n_rows, stride, 1), queries = random_rows(kQueryBlock, stride, 2);
  for (size_t variant = 0; variant < count; ++variant) {
    INFO(kernels[variant]->name << ", stride " << stride);
    std::vector<float> out(kQueryBlock * n_rows);
    kernels[variant]->dot_rows(queries.data(), rows.data(), n_rows, stride, out.data());
    for (size_t q = 0; q < kQueryBlock; ++q) {
      for (size_t r = 0; r < n_rows; ++r) {
        const float *a = queries.data() + q * stride, *b = rows.data() + r * stride;
        const double exact =
            std::inner_product(a, a + stride, b, 0.0, std::plus<>(), [](float x, float y) { return double{x} * y; });
        CHECK(out[q * n_rows + r] == Approx(exact).margin(1e-4));
        CHECK(kernels[variant]->dot(a, b, stride) == out[q * n_rows + r]);
      }
    }
  }
}

TEST_CASE("vector index: an exact scan finds what the definition says, for any dim and batch", "[routing][index]") {
  const size_t dim = GENERATE(1, 3, 16, 50, 384), n_queries = GENERATE(1, 2, 4, 9);
  const auto rows = random_rows(301, dim, 3), queries = random_rows(n_queries, dim, 4);
  const auto index = VectorIndex(dim, kNoGraph).with(rows, std::vector<uint32_t>(301, 6));
  const auto found = index.nearest(queries, 10);
  REQUIRE(found.size() == n_queries);
  for (size_t q = 0; q < n_queries; ++q) {
    const float* query = queries.data() + q * dim;
    REQUIRE(found[q].size() == 10);
    if (dim > 1) CHECK(ids(found[q]) == expected_ids(rows, query, dim, 10));
    for (const auto& neighbour : found[q]) {
      CHECK(neighbour.similarity == Approx(cosine(rows.data() + neighbour.id * dim, query, dim)).margin(1e-5));
      CHECK(neighbour.owner == 6);
    }
  }
}

TEST_CASE("vector index: rows added one by one are found as if added at once", "[routing][index]") {
  constexpr size_t kDim = 24, kRows = 150;
  const auto rows = random_rows(kRows, kDim, 5), query = random_rows(1, kDim, 6);
  VectorIndex index(kDim, kNoGraph);
  for (uint32_t r = 0; r < kRows; ++r) {
    index = index.with(std::span(rows).subspan(r * kDim, kDim), std::vector<uint32_t>{r});
  }
  CHECK(index.size() == kRows);
  CHECK(ids(index.nearest(query, kRows)[0]) == expected_ids(rows, query.data(), kDim, kRows));
  uint64_t next = 0;
  index.for_each([&](uint64_t id, uint32_t owner, const float* row) {
    CHECK(id == next);
    CHECK(owner == next);
    CHECK(cosine(row, rows.data() + next * kDim, kDim) == Approx(1));
    ++next;
  });
  CHECK(next == kRows);
}

TEST_CASE("vector index: equal rows are ordered by insertion, across blocks and tiles", "[routing][index]") {
  const std::vector<float> row = {0.6f, 0.8f};
  VectorIndex index(2, kNoGraph);
  for (uint32_t r = 0; r < 300; ++r) index = index.with(row, std::vector<uint32_t>{r});
  for (const size_t n_queries : {1, 3}) {
    std::vector<float> queries;
    for (size_t q = 0; q < n_queries; ++q) queries.insert(queries.end(), {3.0f, 4.1f});
    for (const auto& neighbours : index.nearest(queries, 5)) {
      CHECK(ids(neighbours) == std::vector<uint64_t>{0, 1, 2, 3, 4});
    }
  }
}

TEST_CASE("vector index: a removed owner's rows are gone, the rest keep their ids, the old index is untouched",
          "[routing][index]") {
  constexpr size_t kDim = 8, kRows = 60;
  const auto rows = random_rows(kRows, kDim, 7);
  std::vector<uint32_t> owners(kRows);
  for (uint32_t r = 0; r < kRows; ++r) owners[r] = r % 3;
  const auto all = VectorIndex(kDim, kNoGraph).with(rows, owners);
  const auto left = all.without(1);
  CHECK(all.size() == 60);
  CHECK(left.size() == 40);
  const auto found = left.nearest(std::span(rows).first(kDim), 100);
  for (const auto& neighbour : found[0]) {
    CHECK(neighbour.owner != 1);
    CHECK(neighbour.id % 3 == neighbour.owner);
  }
  CHECK(left.without(0).without(2).size() == 0);
  CHECK(left.without(9).size() == 40);
  const auto again = left.with(std::span(rows).first(kDim), std::vector<uint32_t>{1});
  CHECK(again.nearest(std::span(rows).first(kDim), 2)[0][1].id == 60);
}

TEST_CASE("vector index: zero and non-finite rows and queries have similarity 0", "[routing][index]") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::vector<float> rows = {0, 0, nan, 1, 1, inf, -1, 0, 1e30f, 0, 1e-30f, 0};
  const auto index = VectorIndex(2, kNoGraph).with(rows, std::vector<uint32_t>(6));
  const auto found = index.nearest(std::vector<float>{2, 0}, 9)[0];
  CHECK(ids(found) == std::vector<uint64_t>{4, 5, 0, 1, 2, 3});
  const std::vector<float> expected = {1, 1, 0, 0, 0, -1};
  for (size_t i = 0; i < expected.size(); ++i) CHECK(found[i].similarity == expected[i]);
  for (const float bad : {nan, inf, 0.0f}) {
    const auto none = index.nearest(std::vector<float>{bad, 0}, 9)[0];
    for (const auto& neighbour : none) CHECK(neighbour.similarity == 0);
  }
}

TEST_CASE("vector index: empty sets, k of 0 and k larger than the set", "[routing][index]") {
  const VectorIndex empty(4);
  CHECK(empty.nearest(std::vector<float>(8), 3) == std::vector<std::vector<Neighbour>>(2));
  CHECK(empty.without(0).size() == 0);
  CHECK(empty.with({}, {}).size() == 0);
  const auto one = empty.with(std::vector<float>{1, 0, 0, 0}, std::vector<uint32_t>{0});
  CHECK(one.nearest(std::vector<float>{1, 0, 0, 0}, 0)[0].empty());
  CHECK(one.nearest(std::vector<float>{1, 0, 0, 0}, std::numeric_limits<size_t>::max())[0].size() == 1);
  CHECK(one.nearest({}, 5).empty());
}

TEST_CASE("vector index: a graph finds nearly all, also after adding and removing", "[routing][index][graph]") {
  constexpr size_t kDim = 16, kRows = 2000, kTop = 10, kQueries = 50;
  const auto rows = random_rows(kRows, kDim, 8), queries = random_rows(kQueries, kDim, 9);
  std::vector<uint32_t> owners(kRows);
  for (uint32_t r = 0; r < kRows; ++r) owners[r] = r % 10;
  const auto grow = [&](size_t graph_rows) {
    auto index = VectorIndex(kDim, graph_rows);
    for (size_t from = 0; from < kRows; from += 250) {
      const std::span<const float> all(rows);
      index = index.with(all.subspan(from * kDim, 250 * kDim), std::span(owners).subspan(from, 250));
    }
    return index;
  };
  auto exact = grow(kNoGraph), graph = grow(500);
  CHECK_FALSE(exact.has_graph());
  CHECK(graph.has_graph());
  // The first removals leave gaps in the graph, later ones rebuild it.
  for (uint32_t removed = 0; removed < 9; ++removed) {
    const auto truth = exact.nearest(queries, kTop), found = graph.nearest(queries, kTop);
    size_t hits = 0;
    for (size_t q = 0; q < kQueries; ++q) {
      const auto wanted = ids(truth[q]);
      REQUIRE(found[q].size() == kTop);
      CHECK(std::is_sorted(found[q].begin(), found[q].end(),
                           [](const auto& a, const auto& b) { return a.similarity > b.similarity; }));
      for (const auto& neighbour : found[q]) {
        CHECK(neighbour.owner >= removed);
        hits += std::count(wanted.begin(), wanted.end(), neighbour.id);
      }
    }
    INFO("owners removed: " << removed);
    CHECK(hits >= kQueries * kTop * 97 / 100);
    exact = exact.without(removed);
    graph = graph.without(removed);
    CHECK(graph.size() == exact.size());
  }
  CHECK_FALSE(graph.has_graph());  // 200 rows are left
}

TEST_CASE("vector index: many threads may search one graph", "[routing][index][graph]") {
  constexpr size_t kDim = 16, kRows = 600;
  const auto rows = random_rows(kRows, kDim, 10);
  const auto index = VectorIndex(kDim, 100).with(rows, std::vector<uint32_t>(kRows));
  REQUIRE(index.has_graph());
  std::vector<std::thread> threads;
  std::vector<size_t> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t r = t; r < kRows; r += wrong.size()) {
        const auto found = index.nearest(std::span(rows).subspan(r * kDim, kDim), 3)[0];
        if (found.empty() || found[0].id != r) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const size_t count : wrong) CHECK(count <= 3);
}
