#include "core/nn/nn_attention.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "core/kernels/path.h"

using at::Tensor;
using vsr::core::AttentionSpec;
using vsr::core::PackedBatch;
using vsr::core::TokenRange;

namespace {

constexpr double kTolerance = 5e-6;  // float32 against double, of values up to about 4

PackedBatch batch_of(const std::vector<int64_t>& lengths) {
  std::vector<vsr::text::Encoding> encodings;
  for (const int64_t length : lengths) {
    vsr::text::Encoding encoding;
    encoding.ids.assign(static_cast<size_t>(length), 0);
    encoding.type_ids.assign(static_cast<size_t>(length), 0);
    encodings.push_back(std::move(encoding));
  }
  return vsr::core::pack(encodings);
}

// [heads, length, head_dim] of one sequence, the keys of a group repeated for each of its heads
Tensor dense_heads(const Tensor& rows, int64_t first, int64_t length, int64_t heads, const AttentionSpec& spec) {
  return rows.narrow(0, first, length)
      .reshape({length, heads, spec.head_dim})
      .transpose(0, 1)
      .repeat_interleave(spec.heads / heads, 0)
      .to(at::kDouble);
}

// The definition, slow and exact: all scores of a sequence in double, those out of sight at minus infinity.
Tensor oracle(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec,
              const PackedBatch& batch) {
  std::vector<Tensor> outputs;
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    const int64_t first = batch.begin(i);
    const int64_t length = batch.length(i);
    const Tensor keys = dense_heads(key, first, length, spec.kv_heads, spec);
    const Tensor positions = at::arange(length);
    const Tensor distance = positions.unsqueeze(1) - positions;
    Tensor hidden_from = distance.lt(spec.causal ? 0 : -length);
    if (spec.window) hidden_from = hidden_from.logical_or(distance.abs().gt(*spec.window));
    const Tensor scores = at::matmul(dense_heads(query, first, length, spec.heads, spec), keys.transpose(1, 2))
                              .mul(spec.scale)
                              .masked_fill(hidden_from, -std::numeric_limits<double>::infinity());
    const Tensor seen = at::matmul(at::softmax(scores, -1), dense_heads(value, first, length, spec.kv_heads, spec));
    outputs.push_back(seen.transpose(0, 1).reshape({length, spec.heads * spec.head_dim}));
  }
  return at::cat(outputs);
}

using RangeOf = std::function<TokenRange(int64_t length)>;  // which queries of a sequence are asked

TokenRange all_of(int64_t length) { return {0, length}; }

double difference(const std::vector<int64_t>& lengths, const AttentionSpec& spec, const RangeOf& asked = all_of) {
  at::set_num_threads(1);  // small products only wait for each other
  const PackedBatch batch = batch_of(lengths);
  std::vector<TokenRange> ranges;
  for (const int64_t length : lengths) ranges.push_back(asked(length));
  const vsr::core::KeptRows rows(batch, ranges);
  // Views of one fused projection, as ModernBERT has them.
  const int64_t columns = spec.heads + 2 * spec.kv_heads;
  const Tensor fused = at::randn({batch.total_tokens(), columns * spec.head_dim});
  const Tensor query = fused.narrow(1, 0, spec.heads * spec.head_dim);
  const Tensor key = fused.narrow(1, spec.heads * spec.head_dim, spec.kv_heads * spec.head_dim);
  const Tensor value = fused.narrow(1, (spec.heads + spec.kv_heads) * spec.head_dim, spec.kv_heads * spec.head_dim);
  const Tensor actual = vsr::core::attend(rows.take(query), key, value, spec, rows);
  const Tensor expected = rows.take(oracle(query, key, value, spec, batch));
  REQUIRE(actual.sizes() == expected.sizes());
  return (actual - expected).abs().max().item<double>();
}

struct Heads {
  int64_t heads, kv_heads, head_dim;
};
constexpr Heads kHeads[] = {{3, 3, 8}, {4, 2, 12}, {6, 1, 20}};

AttentionSpec spec_of(const Heads& heads, bool causal, std::optional<int64_t> window) {
  return {heads.heads, heads.kv_heads, heads.head_dim, 0.4, causal, window};
}

}  // namespace

TEST_CASE("attend: full and causal attention equal the definition", "[core][attention]") {
  const c10::InferenceMode guard;
  for (const Heads& heads : kHeads) {
    for (const bool causal : {false, true}) {
      CHECK(difference({1, 5, 5, 130, 64, 64, 64, 64, 64, 64, 64, 2}, spec_of(heads, causal, std::nullopt)) <
            kTolerance);
    }
  }
}

TEST_CASE("attend: some of a sequence's queries get what they get among all", "[core][attention]") {
  const c10::InferenceMode guard;
  const std::vector<int64_t> lengths = {1, 5, 5, 300, 64, 2};
  for (const RangeOf& asked : {RangeOf([](int64_t) {
                                 return TokenRange{0, 1};
                               }),
                               RangeOf([](int64_t length) {
                                 return TokenRange{length - 1, length};
                               }),
                               RangeOf([](int64_t length) {
                                 return TokenRange{length / 3, length / 2 + 1};
                               }),
                               RangeOf([](int64_t length) {
                                 return length == 5 ? all_of(length) : TokenRange{0, 1};
                               })}) {
    for (const Heads& heads : kHeads) {
      CHECK(difference(lengths, spec_of(heads, false, std::nullopt), asked) < kTolerance);
      CHECK(difference(lengths, spec_of(heads, true, 20), asked) < kTolerance);
      const vsr::core::kernels::PlainPath plain;
      CHECK(difference(lengths, spec_of(heads, true, std::nullopt), asked) < kTolerance);
      CHECK(difference(lengths, spec_of(heads, false, 20), asked) < kTolerance);
    }
  }
}

TEST_CASE("attend: windows equal the definition on every length around the edges of their blocks",
          "[core][attention]") {
  const c10::InferenceMode guard;
  for (const bool causal : {false, true}) {
    for (const int64_t window : {0, 1, 7, 63, 64, 65, 100}) {
      // Below: the first length with a block of its own, where the window ends with the sequence.
      const int64_t head = (window + 63) / 64 * 64;
      const int64_t interior = head + 64 + (causal ? 0 : window);
      std::vector<int64_t> lengths = {1, 2, window + 1, window + 2, 64, 65};
      for (const int64_t blocks : {0, 1, 3}) {
        for (const int64_t more : {-1, 0, 1, 17}) {
          if (interior + 64 * blocks + more > 0) lengths.push_back(interior + 64 * blocks + more);
        }
      }
      INFO("window " << window << (causal ? ", causal" : ""));
      CHECK(difference(lengths, spec_of(kHeads[1], causal, window)) < kTolerance);
    }
  }
}

TEST_CASE("attend: windows equal the definition on random batches", "[core][attention]") {
  const c10::InferenceMode guard;
  std::mt19937 random(3);
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  for (int trial = 0; trial < 25; ++trial) {
    const Heads& heads = kHeads[below(3)];
    const bool causal = below(2) == 0;
    const int64_t window = below(90);
    std::vector<int64_t> lengths;
    for (int64_t i = below(4); i >= 0; --i)
      lengths.insert(lengths.end(), static_cast<size_t>(1 + below(3)), 1 + below(500));
    INFO("window " << window << (causal ? ", causal, " : ", ") << heads.heads << " heads on " << heads.kv_heads);
    CHECK(difference(lengths, spec_of(heads, causal, window)) < kTolerance);
  }
}

TEST_CASE("attend: a window larger than a block of the sequence's ends equals the definition", "[core][attention]") {
  const c10::InferenceMode guard;
  for (const bool causal : {false, true}) CHECK(difference({1500, 600}, spec_of(kHeads[1], causal, 550)) < kTolerance);
}
