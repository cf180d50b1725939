// Where does an HNSW graph beat an exact scan? Recall, time per query and time to build, by number of rows.
//
//   vector_index_bench [--max-rows N] [--vectors FILE --dim D]
//
// FILE holds float32 rows of length D without a header; without one the rows are synthetic: topics in a latent space of
// few dimensions, turned into 384, with noise.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "routing/vectors/dot_kernels.h"
#include "routing/vectors/vector_index.h"

namespace {

using vsr::routing::VectorIndex;
using Clock = std::chrono::steady_clock;

constexpr size_t kQueries = 400;
constexpr size_t kNeighbours = 64;  // what intents ask for
constexpr size_t kLatent = 40;
constexpr size_t kRowsPerTopic = 20;

struct Data {
  size_t dim = 384;
  std::vector<float> rows;
  size_t count() const { return rows.size() / dim; }
};

Data synthetic(size_t count) {
  Data data;
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> turn(kLatent * data.dim);
  for (float& value : turn) value = normal(random) / std::sqrt(static_cast<float>(kLatent));
  const size_t topics = std::max<size_t>(1, count / kRowsPerTopic);
  std::vector<float> centres(topics * kLatent);
  for (float& value : centres) value = normal(random);
  data.rows.resize(count * data.dim);
  std::vector<float> latent(kLatent);
  for (size_t r = 0; r < count; ++r) {
    const float* centre = centres.data() + random() % topics * kLatent;
    for (size_t i = 0; i < kLatent; ++i) latent[i] = centre[i] + 0.7f * normal(random);
    float* row = data.rows.data() + r * data.dim;
    for (size_t d = 0; d < data.dim; ++d) row[d] = 0.3f * normal(random);
    for (size_t i = 0; i < kLatent; ++i) {
      for (size_t d = 0; d < data.dim; ++d) row[d] += latent[i] * turn[i * data.dim + d];
    }
  }
  return data;
}

Data read_file(const char* path, size_t dim) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (dim == 0 || bytes.empty() || bytes.size() % (dim * sizeof(float)) != 0) {
    std::fprintf(stderr, "%s: not float32 rows of length %zu\n", path, dim);
    std::exit(1);
  }
  Data data{dim, std::vector<float>(bytes.size() / sizeof(float))};
  std::memcpy(data.rows.data(), bytes.data(), bytes.size());
  // Files are often sorted; queries are taken from the end.
  std::mt19937 random(7);
  for (size_t r = data.count(); r > 1; --r) {
    const size_t other = random() % r;
    std::swap_ranges(data.rows.begin() + (r - 1) * dim, data.rows.begin() + r * dim, data.rows.begin() + other * dim);
  }
  return data;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Measured {
  double median_us, p95_us, batch_us;
  std::vector<std::vector<vsr::routing::Neighbour>> found;
};

Measured measure(const VectorIndex& index, std::span<const float> queries) {
  Measured result{};
  std::vector<double> times;
  for (size_t q = 0; q < kQueries; ++q) {
    const auto start = Clock::now();
    result.found.push_back(index.nearest(queries.subspan(q * index.dim(), index.dim()), kNeighbours)[0]);
    times.push_back(seconds_since(start) * 1e6);
  }
  std::sort(times.begin(), times.end());
  result.median_us = times[times.size() / 2];
  result.p95_us = times[times.size() * 95 / 100];
  const auto start = Clock::now();
  index.nearest(queries, kNeighbours);
  result.batch_us = seconds_since(start) * 1e6 / kQueries;
  return result;
}

// The share of the `top` nearest that `approximate` has among its own `top`.
double recall(const Measured& exact, const Measured& approximate, size_t top) {
  size_t hits = 0, all = 0;
  for (size_t q = 0; q < kQueries; ++q) {
    std::unordered_set<uint64_t> ids;
    for (size_t i = 0; i < std::min(top, exact.found[q].size()); ++i) ids.insert(exact.found[q][i].id);
    all += ids.size();
    for (size_t i = 0; i < std::min(top, approximate.found[q].size()); ++i) {
      hits += ids.count(approximate.found[q][i].id);
    }
  }
  return 100.0 * hits / all;
}

void run(const Data& data, size_t rows) {
  const std::span<const float> all(data.rows);
  const auto indexed = all.first(rows * data.dim);
  const auto queries = all.last(kQueries * data.dim);
  const std::vector<uint32_t> owners(rows);
  const VectorIndex exact = VectorIndex(data.dim, std::numeric_limits<size_t>::max()).with(indexed, owners);
  const auto start = Clock::now();
  const VectorIndex graph = VectorIndex(data.dim, 1).with(indexed, owners);
  const double build = seconds_since(start);
  const Measured by_scan = measure(exact, queries), by_graph = measure(graph, queries);
  std::printf("%8zu | %8.0f %8.0f %8.0f | %8.0f %8.0f %8.0f | %6.2f %6.2f %6.2f | %7.2f\n", rows, by_scan.median_us,
              by_scan.p95_us, by_scan.batch_us, by_graph.median_us, by_graph.p95_us, by_graph.batch_us,
              recall(by_scan, by_graph, 1), recall(by_scan, by_graph, 5), recall(by_scan, by_graph, kNeighbours),
              build);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  size_t max_rows = 131072, dim = 384;
  const char* path = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--max-rows") max_rows = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--dim") dim = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--vectors") path = argv[i + 1];
  }
  const Data data = path != nullptr ? read_file(path, dim) : synthetic(max_rows + kQueries);
  if (data.count() <= kQueries) {
    std::fprintf(stderr, "at least %zu rows are needed, %zu of them as queries\n", kQueries + 1, kQueries);
    return 1;
  }
  std::printf("%s, dim %zu, %zu nearest, one thread, kernels %s; times in microseconds per query\n",
              path != nullptr ? path : "synthetic rows", data.dim, kNeighbours, vsr::routing::dot_kernels().name);
  std::printf("         |        exact scan          |            graph           | recall of graph, %% |\n");
  std::printf("    rows |   median      p95    batch |   median      p95    batch |    @1     @5    @64 | build s\n");
  const size_t limit = std::min(max_rows, data.count() - kQueries);
  for (size_t rows = 1024; rows <= limit; rows *= 2) run(data, rows);
}
