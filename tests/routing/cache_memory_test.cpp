// What the cache takes of memory: that it is near what the entries are, and that max_bytes counts it.
#include <malloc.h>

#include <catch2/catch.hpp>

#include "routing/cache/semantic_cache.h"

using namespace vsr::routing;

namespace {

#if !defined(__has_feature)
#define __has_feature(name) 0  // as GCC, which has names of its own
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer)
constexpr bool kHeapIsOurs = false;  // a sanitizer's own allocator does not tell
#else
constexpr bool kHeapIsOurs = true;
#endif

size_t heap_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

constexpr size_t kDim = 384;

CacheOptions options_of(size_t max_bytes) {
  CacheOptions options;
  options.dim = kDim;
  options.max_entries = 1000000;
  options.max_bytes = max_bytes;
  return options;
}

std::vector<float> vector_of(size_t i) {
  std::vector<float> vector(kDim);
  vector[i % kDim] = 1;
  return vector;
}

void fill(SemanticCache& cache, size_t partitions, size_t entries) {
  for (size_t p = 0; p < partitions; ++p) {
    const PartitionKey partition{"tenant", "auto", "digest of conversation " + std::to_string(p)};
    for (size_t e = 0; e < entries; ++e) {
      const std::string text = "what is this about, number " + std::to_string(e);
      cache.insert(partition, text, vector_of(p + e), std::string(500, 'a'));
    }
  }
}

}  // namespace

TEST_CASE("semantic cache: a partition of few entries takes little more than they do", "[routing][cache]") {
  const size_t partitions = GENERATE(5000, 1000, 1), entries = 5000 / partitions;
  const size_t before = heap_bytes();
  SemanticCache cache(options_of(size_t{1} << 30));
  fill(cache, partitions, entries);
  const size_t taken = heap_bytes() - before, counted = cache.stats().bytes;
  INFO(partitions << " partitions of " << entries << ": " << taken << " bytes taken, " << counted << " counted");
  constexpr size_t kRow = kDim * sizeof(float);
  CHECK(counted / 5000 < 2 * (kRow + 500) + 1500);
  CHECK(cache.clear() == 5000);
  CHECK(cache.stats().bytes == 0);
  if (!kHeapIsOurs) return;
  CHECK(taken < counted * 1.15);
  CHECK(counted < taken * 1.3);
}

TEST_CASE("semantic cache: max_bytes counts partitions too", "[routing][cache]") {
  constexpr size_t kMost = 4 << 20;
  const size_t before = heap_bytes();
  SemanticCache cache(options_of(kMost));
  fill(cache, 20000, 1);
  const auto stats = cache.stats();
  CHECK(stats.bytes <= kMost);
  CHECK(stats.entries == stats.partitions);
  CHECK(stats.entries > 500);
  if (kHeapIsOurs) CHECK(heap_bytes() - before < kMost * 1.3);
}

TEST_CASE("semantic cache: memory is given back as entries go", "[routing][cache]") {
  SemanticCache cache(options_of(size_t{1} << 30));
  const PartitionKey partition{"t", "m", "p"};
  std::vector<std::string> keys;
  for (size_t i = 0; i < 3000; ++i) keys.push_back(cache.insert(partition, std::to_string(i), vector_of(i), "answer"));
  const size_t full = cache.stats().bytes;
  for (size_t i = 1; i < keys.size(); ++i) CHECK(cache.remove(partition, keys[i]));
  const size_t rest = cache.stats().bytes;
  INFO(full << " bytes full, " << rest << " with one entry");
  CHECK(rest < full / 2);
  CHECK(cache.lookup_similar(partition, "0", vector_of(0)).hit.has_value());
  CHECK(cache.remove(partition, keys[0]));
  CHECK(cache.stats().bytes == 0);
}
