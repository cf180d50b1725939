// How long do lookups in the semantic cache take, and how often are they right?
//
//   cache_bench [--entries N]      time per call at N entries (100,000), beside an exact scan over the same vectors
//   cache_bench --rates FOLDER     hits by threshold, with and without veto, over the texts that cache_hit_rate.py
//   writes
//   cache_bench --verdicts FILE    what the veto says of pairs, a line each: label, kind, question, question
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "facts/cache_veto.h"
#include "routing/cache/semantic_cache.h"
#include "routing/vectors/dot_kernels.h"
#include "routing/vectors/vector_index.h"

namespace {

using vsr::routing::CacheOptions;
using vsr::routing::PartitionKey;
using vsr::routing::SemanticCache;
using vsr::routing::VectorIndex;

constexpr size_t kDim = 384;
constexpr size_t kQueries = 400;
const PartitionKey kPartition = {"tenant", "model", "policy"};

std::vector<float> unit(std::vector<float> vector) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * value;
  for (float& value : vector) value = static_cast<float>(value / std::sqrt(squares));
  return vector;
}

// Topics, and texts around them: the nearest topic mates have cosines of about 0.6, as questions of one intent have.
class Synthetic {
 public:
  explicit Synthetic(size_t topics) {
    for (size_t i = 0; i < topics; ++i) centres_.push_back(draw());
  }
  std::vector<float> next() { return near(centres_[random_() % centres_.size()], 0.8f); }
  std::vector<float> near(const std::vector<float>& from, float noise) {
    auto vector = draw();
    for (size_t i = 0; i < kDim; ++i) vector[i] = from[i] + noise * vector[i];
    return unit(vector);
  }

 private:
  std::vector<float> draw() {
    std::vector<float> vector(kDim);
    for (float& value : vector) value = normal_(random_);
    return unit(vector);
  }
  std::mt19937 random_{7};
  std::normal_distribution<float> normal_;
  std::vector<std::vector<float>> centres_;
};

struct Times {
  double median, p95;
};

// Of this thread: a lookup waits for nothing, and other programs of the machine are none of its business.
double cpu_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

Times microseconds(size_t calls, const std::function<void(size_t)>& call) {
  std::vector<double> times;
  for (size_t i = 0; i < calls; ++i) {
    const double start = cpu_microseconds();
    call(i);
    times.push_back(cpu_microseconds() - start);
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 95 / 100]};
}

void print(const char* what, Times times) { std::printf("%-44s %9.1f %9.1f\n", what, times.median, times.p95); }

void run_times(size_t entries) {
  Synthetic synthetic(std::max<size_t>(1, entries / 50));
  CacheOptions options;
  options.dim = kDim;
  options.max_entries = entries;
  options.max_bytes = size_t{8} << 30;
  SemanticCache cache(options);
  std::vector<std::vector<float>> vectors;
  std::vector<float> packed;
  for (size_t i = 0; i < entries; ++i) {
    vectors.push_back(synthetic.next());
    packed.insert(packed.end(), vectors.back().begin(), vectors.back().end());
  }
  const auto text = [](size_t i) { return "how do I do the thing called " + std::string(1 + i % 7, 'x') + " today"; };
  const auto key_text = [&](size_t i) { return text(i) + std::string(1 + i / 1000, 'y') + std::string(i % 1000, 'z'); };
  std::printf("%zu entries, dim %zu, one thread, kernels %s; microseconds of processor time\n", entries, kDim,
              vsr::routing::dot_kernels().name);
  std::printf("%-44s %9s %9s\n", "", "median", "p95");
  print("insert",
        microseconds(entries, [&](size_t i) { cache.insert(kPartition, key_text(i), vectors[i], "answer"); }));
  print("lookup, exact hit",
        microseconds(kQueries, [&](size_t i) { cache.lookup_exact(kPartition, key_text(i * 7)); }));
  print("lookup, exact miss", microseconds(kQueries, [&](size_t) { cache.lookup_exact(kPartition, "never asked"); }));

  std::vector<std::vector<float>> near, fresh;
  for (size_t i = 0; i < kQueries; ++i) {
    near.push_back(synthetic.near(vectors[(i * 7919) % entries], 0.25f));
    fresh.push_back(synthetic.next());
  }
  std::vector<float> found(kQueries), exact(kQueries);
  size_t hits = 0;
  const auto similar = [&](const std::vector<float>& vector) {
    return cache.lookup_similar(kPartition, "the thing called x today", vector, 0.85);
  };
  print("lookup, similar", microseconds(kQueries, [&](size_t i) { found[i] = similar(near[i]).nearest; }));
  print("lookup, similar, nothing near",
        microseconds(kQueries, [&](size_t i) { hits += similar(fresh[i]).nearest > 0; }));
  const VectorIndex index =
      VectorIndex(kDim, std::numeric_limits<size_t>::max()).with(packed, std::vector<uint32_t>(entries));
  print("for comparison: exact scan, 1 nearest",
        microseconds(kQueries, [&](size_t i) { exact[i] = index.nearest(near[i], 1)[0][0].similarity; }));
  size_t agree = 0, above = 0;
  for (size_t i = 0; i < kQueries; ++i) {
    above += exact[i] >= 0.85f;
    agree += exact[i] >= 0.85f && std::abs(exact[i] - found[i]) < 1e-5f;
  }
  std::printf("nearest found: %zu of %zu queries with one at 0.85 or above; %zu of %zu fresh ones had one\n", agree,
              above, hits, kQueries);
}

struct Texts {
  std::vector<std::string> labels, texts;
  std::vector<float> vectors;
  std::span<const float> vector(size_t i) const { return std::span(vectors).subspan(i * kDim, kDim); }
};

// NAME.tsv has a label, a tab and a text per line, NAME.f32 a vector for each.
Texts read_texts(const std::string& name) {
  Texts all;
  std::ifstream lines(name + ".tsv");
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    all.labels.push_back(line.substr(0, tab));
    all.texts.push_back(line.substr(tab + 1));
  }
  std::ifstream file(name + ".f32", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  all.vectors.resize(bytes.size() / sizeof(float));
  std::memcpy(all.vectors.data(), bytes.data(), all.vectors.size() * sizeof(float));
  if (all.texts.empty() || all.vectors.size() != all.texts.size() * kDim) {
    std::fprintf(stderr, "%s.tsv, .f32: not texts with vectors of length %zu\n", name.c_str(), kDim);
    std::exit(1);
  }
  return all;
}

// A hit is right if the question that it was stored for has the label of the one asked.
void run_rates(const std::string& folder) {
  const Texts stored = read_texts(folder + "/stored"), asked = read_texts(folder + "/asked");
  std::printf("%zu stored, %zu asked; per cent of those asked\n", stored.texts.size(), asked.texts.size());
  std::printf("            |       without veto       |         with veto\n");
  std::printf("  threshold |   hits    right    false |   hits    right    false\n");
  std::vector<std::unique_ptr<SemanticCache>> caches;
  for (const bool veto : {false, true}) {
    CacheOptions options;
    options.dim = kDim;
    options.max_entries = stored.texts.size();
    options.veto = veto;
    caches.push_back(std::make_unique<SemanticCache>(options));
    for (size_t i = 0; i < stored.texts.size(); ++i) {
      caches.back()->insert(kPartition, stored.texts[i], stored.vector(i), stored.labels[i]);
    }
  }
  for (const double threshold : {0.80, 0.85, 0.88, 0.90, 0.92, 0.95}) {
    std::printf("       %.2f |", threshold);
    for (const auto& cache : caches) {
      size_t right = 0, wrong = 0;
      for (size_t i = 0; i < asked.texts.size(); ++i) {
        const auto hit = cache->lookup_similar(kPartition, asked.texts[i], asked.vector(i), threshold).hit;
        if (hit) ++(*hit->response == asked.labels[i] ? right : wrong);
      }
      const double all = static_cast<double>(asked.texts.size()) / 100;
      std::printf(" %6.2f   %6.2f   %6.2f |", (right + wrong) / all, right / all, wrong / all);
    }
    std::printf("\n");
  }
}

// The veto's verdict on each pair, "pass", "doubt" or "refuse", and its reason.
void run_verdicts(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '\t');) fields.push_back(field);
    if (line.empty() || line[0] == '#' || fields.size() != 4) continue;
    const auto found = vsr::facts::veto(vsr::facts::veto_terms(fields[2]), vsr::facts::veto_terms(fields[3]));
    std::printf("%s\t%s\n", !found ? "pass" : found->doubt ? "doubt" : "refuse", found ? found->reason.c_str() : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  size_t entries = 100000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--entries") entries = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--rates") return run_rates(argv[i + 1]), 0;
    if (option == "--verdicts") return run_verdicts(argv[i + 1]), 0;
  }
  run_times(std::max<size_t>(entries, 1));
}
