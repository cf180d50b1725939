// What a causal LM reads with a cache against the pass over all of it.
#include <catch2/catch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <c10/core/InferenceMode.h>

#include <numeric>
#include <vector>

#include "support/encoder_pass.h"
#include "support/golden_encoder.h"

namespace {

using vsr::test::load_golden;
using vsr::test::LoadedGolden;

std::vector<int32_t> some_ids(size_t count) {
  std::vector<int32_t> ids(count);
  for (size_t i = 0; i < count; ++i) ids[i] = static_cast<int32_t>((i * i + 7 * i) % 96);
  return ids;
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

// Reads `ids` in parts of the given sizes, and the rest one by one.
at::Tensor read_in_parts(const LoadedGolden& golden, std::span<const int32_t> ids, const std::vector<size_t>& sizes) {
  vsr::core::KvCache cache = golden.parts.causal_lm->new_cache();
  std::vector<at::Tensor> parts;
  for (size_t part = 0; !ids.empty(); ++part) {
    const size_t size = std::min(part < sizes.size() ? sizes[part] : 1, ids.size());
    parts.push_back(golden.parts.causal_lm->read(vsr::core::pack_tokens(ids.first(size), cache.size()), cache));
    ids = ids.subspan(size);
  }
  return at::cat(parts);
}

}  // namespace

TEST_CASE("causal lm: what is read in parts equals the pass over all of it", "[models][causal_lm]") {
  const c10::InferenceMode inference;
  for (const char* name : {"qwen3-embedding", "qwen3-causal-lm-sharded", "gemma3-causal-sharded"}) {
    const LoadedGolden golden = load_golden(name);
    REQUIRE(golden.parts.causal_lm != nullptr);
    const std::vector<int32_t> ids = some_ids(300);
    const at::Tensor whole = vsr::test::run_encoder(*golden.parts.encoder, vsr::test::pack_ids({ids}));
    // Single steps; a long beginning; parts below, on and above the windows and the room of the cache.
    for (const auto& sizes : std::vector<std::vector<size_t>>{
             {}, {300}, {200}, {1, 2, 7, 8, 9, 10, 64, 65}, {127, 1, 1, 100}, {130, 150}}) {
      INFO(name << ", " << sizes.size() << " parts");
      // Whole passes attend by vsr's own kernel, parts by LibTorch's: two orders of adding up 300 keys.
      CHECK(largest_difference(read_in_parts(golden, ids, sizes), whole) <= 2e-5);
    }
  }
}

TEST_CASE("causal lm: windows hold across parts", "[models][causal_lm]") {
  const c10::InferenceMode inference;
  const LoadedGolden golden = load_golden("qwen3-sliding", [](auto& config) {
    config["architectures"] = {"Qwen3ForCausalLM"};
    config["tie_word_embeddings"] = true;
  });
  REQUIRE(golden.parts.causal_lm != nullptr);
  const std::vector<int32_t> ids = some_ids(700);
  const at::Tensor whole = vsr::test::run_encoder(*golden.parts.encoder, vsr::test::pack_ids({ids}));
  CHECK(largest_difference(read_in_parts(golden, ids, {3, 600}), whole) <= 2e-5);
  CHECK(largest_difference(read_in_parts(golden, ids, {650}), whole) <= 1e-5);
}

TEST_CASE("causal lm: a cache goes back to where it was", "[models][causal_lm]") {
  const c10::InferenceMode inference;
  const LoadedGolden golden = load_golden("qwen3-embedding");
  const auto& model = *golden.parts.causal_lm;
  vsr::core::KvCache cache = model.new_cache();
  const std::vector<int32_t> ids = some_ids(40);
  model.read(vsr::core::pack_tokens(ids, 0), cache);
  const std::vector<int32_t> next{5, 6};
  const at::Tensor first = model.read(vsr::core::pack_tokens(next, 40), cache);
  cache.truncate(40);
  model.read(vsr::core::pack_tokens(std::vector<int32_t>{9, 9, 9}, 40), cache);
  cache.truncate(40);
  CHECK(largest_difference(model.read(vsr::core::pack_tokens(next, 40), cache), first) == 0);
  CHECK(cache.size() == 42);
}

TEST_CASE("causal lm: only a checkpoint that predicts tokens is one", "[models][causal_lm]") {
  CHECK(load_golden("qwen3-sliding").parts.causal_lm == nullptr);
  CHECK(load_golden("qwen3-sequence").parts.causal_lm == nullptr);
  CHECK(load_golden("gemma3-bidirectional").parts.causal_lm == nullptr);
  // Neither tied nor with a head of its own: the reference would predict with random numbers.
  CHECK(load_golden("qwen3-embedding", [](auto& config) { config["tie_word_embeddings"] = false; }).parts.causal_lm ==
        nullptr);
}
