#include "routing/cache/cache_vectors.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "routing/vectors/vector_sketch.h"

using namespace vsr::routing;

namespace {

std::vector<float> unit(std::vector<float> vector) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * value;
  for (float& value : vector) value = static_cast<float>(value / std::sqrt(squares));
  return vector;
}

std::vector<float> random_unit(std::mt19937& random, size_t dim) {
  std::normal_distribution<float> normal;
  std::vector<float> vector(dim);
  for (float& value : vector) value = normal(random);
  return unit(vector);
}

// A vector of exactly that cosine to a unit vector, apart from rounding.
std::vector<float> at_cosine(std::mt19937& random, const std::vector<float>& from, double cosine) {
  std::vector<float> other = random_unit(random, from.size());
  double dot = 0;
  for (size_t i = 0; i < from.size(); ++i) dot += double{from[i]} * other[i];
  for (size_t i = 0; i < from.size(); ++i) other[i] -= static_cast<float>(dot) * from[i];
  other = unit(other);
  const double sine = std::sqrt(1 - cosine * cosine);
  for (size_t i = 0; i < from.size(); ++i) other[i] = static_cast<float>(cosine * from[i] + sine * other[i]);
  return other;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

}  // namespace

TEST_CASE("vector sketch: distances grow with angles as the theorem says", "[routing][cache]") {
  std::mt19937 random(1);
  const size_t dim = GENERATE(40, 384, 1024);
  const VectorSketch sketch(dim);
  for (const double cosine : {0.99, 0.9, 0.5, 0.0}) {
    double total = 0;
    size_t beyond = 0;
    for (int i = 0; i < 200; ++i) {
      const auto a = random_unit(random, dim), b = at_cosine(random, a, cosine);
      uint16_t distance = 0;
      hamming_distances(sketch.of(a).data(), sketch.of(b).data(), 1, sketch.words(), &distance);
      total += distance;
      beyond += distance > sketch.radius(cosine);
    }
    INFO("dim " << dim << ", cosine " << cosine);
    CHECK(total / 200 / sketch.bits() == Approx(std::acos(cosine) / M_PI).margin(0.01));
    CHECK(beyond == 0);
  }
}

TEST_CASE("vector sketch: sketches are of fixed size and do not depend on length", "[routing][cache]") {
  CHECK(VectorSketch(1).bits() == 256);
  CHECK(VectorSketch(384).bits() == 512);
  CHECK(VectorSketch(4096).bits() == 1024);
  std::mt19937 random(2);
  auto vector = random_unit(random, 384);
  const auto sketch = VectorSketch(384).of(vector);
  for (float& value : vector) value *= 4;
  CHECK(VectorSketch(384).of(vector) == sketch);
}

TEST_CASE("cache vectors: adding, removing and searching agree with a naive model", "[routing][cache]") {
  const size_t dim = 24;
  const VectorSketch sketch(dim);
  CacheVectors vectors(dim, sketch);
  std::map<uint64_t, std::vector<float>> model;
  std::vector<uint64_t> tag_of_slot;
  std::mt19937 random(3);
  uint64_t next = 1;
  for (int step = 0; step < 9000; ++step) {
    if (model.size() < 5 || random() % 3 != 0) {
      const auto vector = random_unit(random, dim);
      CHECK(vectors.add(CacheVectors::prepare(sketch, vector), next) == tag_of_slot.size());
      tag_of_slot.push_back(next);
      model[next++] = vector;
    } else {
      const size_t slot = random() % tag_of_slot.size();
      model.erase(tag_of_slot[slot]);
      const uint64_t moved = vectors.remove(slot);
      CHECK(moved == (slot + 1 == tag_of_slot.size() ? tag_of_slot[slot] : tag_of_slot.back()));
      tag_of_slot[slot] = tag_of_slot.back();
      tag_of_slot.pop_back();
    }
    if (step % 100 != 0) continue;
    REQUIRE(vectors.size() == model.size());
    const auto query = random_unit(random, dim);
    std::vector<std::pair<double, uint64_t>> expected;
    for (const auto& [tag, vector] : model) {
      if (dot(query, vector) >= 0.6) expected.push_back({-dot(query, vector), tag});
    }
    std::sort(expected.begin(), expected.end());
    const auto hits = vectors.nearest(CacheVectors::prepare(sketch, query), 0.6f, 4);
    REQUIRE(hits.size() == std::min<size_t>(4, expected.size()));
    for (size_t i = 0; i < hits.size(); ++i) {
      CHECK(hits[i].tag == expected[i].second);
      CHECK(hits[i].similarity == Approx(-expected[i].first).margin(1e-5));
    }
  }
  CHECK(vectors.size() > 2048);  // beyond the exact scan
}

TEST_CASE("cache vectors: a crowd around the query does not hide the nearest", "[routing][cache]") {
  const size_t dim = 384;
  const VectorSketch sketch(dim);
  CacheVectors vectors(dim, sketch);
  std::mt19937 random(4);
  const auto query = random_unit(random, dim);
  for (uint64_t i = 0; i < 5000; ++i) vectors.add(CacheVectors::prepare(sketch, at_cosine(random, query, 0.9)), i);
  vectors.add(CacheVectors::prepare(sketch, at_cosine(random, query, 0.98)), 9999);
  const auto hits = vectors.nearest(CacheVectors::prepare(sketch, query), 0.85f, 3);
  REQUIRE(hits.size() == 3);
  CHECK(hits[0].tag == 9999);
}
