#include "core/batch/kept_rows.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <vector>

using namespace vsr::core;

namespace {

// Sequences of 3, 2 and 4 tokens, whose ids are their rows.
PackedBatch nine_tokens() {
  std::vector<vsr::text::Encoding> encodings;
  for (const std::vector<int32_t>& ids : {std::vector<int32_t>{0, 1, 2}, {3, 4}, {5, 6, 7, 8}}) {
    encodings.push_back({.ids = ids, .type_ids = std::vector<int32_t>(ids.size(), 0)});
  }
  return pack(encodings);
}

std::vector<int64_t> values(const at::Tensor& ids) {
  return {ids.const_data_ptr<int64_t>(), ids.const_data_ptr<int64_t>() + ids.numel()};
}

}  // namespace

TEST_CASE("kept rows: a batch of some tokens of each sequence", "[core]") {
  const c10::InferenceMode inference;
  PackedBatch source = nine_tokens();
  const AdapterUpdates none;
  source.adapted = {{0, 3, &none}, {5, 9, &none}};
  const KeptRows rows(source, {{1, 3}, {0, 1}, {3, 4}});
  CHECK_FALSE(rows.keeps_all());
  CHECK(values(rows.batch().input_ids) == std::vector<int64_t>{1, 2, 3, 8});
  CHECK(values(rows.batch().position_ids) == std::vector<int64_t>{1, 2, 0, 3});
  CHECK(rows.batch().cu_seqlens == std::vector<int64_t>{0, 2, 3, 4});
  REQUIRE(rows.batch().adapted.size() == 2);
  CHECK(rows.batch().adapted[0].begin == 0);
  CHECK(rows.batch().adapted[0].end == 2);
  CHECK(rows.batch().adapted[1].begin == 3);
  CHECK(rows.batch().adapted[1].end == 4);

  const at::Tensor hidden = at::arange(18, at::kFloat).view({9, 2});
  const at::Tensor kept = rows.take(hidden);
  CHECK(kept.select(1, 0).equal(at::tensor({2.0F, 4.0F, 6.0F, 16.0F})));
  const at::Tensor spread = rows.spread(kept);
  CHECK(rows.take(spread).equal(kept));
  CHECK(spread.sum().item<float>() == kept.sum().item<float>());
}

TEST_CASE("kept rows: all of them are the batch itself", "[core]") {
  const c10::InferenceMode inference;
  const PackedBatch source = nine_tokens();
  const at::Tensor hidden = at::arange(9);
  for (const KeptRows& rows : {KeptRows(source), KeptRows(source, {{0, 3}, {0, 2}, {0, 4}})}) {
    CHECK(rows.keeps_all());
    CHECK(&rows.batch() == &source);
    CHECK(rows.take(hidden).is_same(hidden));
    CHECK(rows.range(2) == TokenRange{0, 4});
  }
}
