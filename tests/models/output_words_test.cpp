#include "models/output_words.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>

#include "support/ragged.h"

using vsr::models::OutputWords;

TEST_CASE("output words: a table of half precision gives float32 logits", "[models]") {
  const c10::InferenceMode inference;
  const at::Tensor table = vsr::test::random_matrix(50, 16, 1).to(at::kBFloat16);
  const at::Tensor hidden = vsr::test::random_matrix(3, 16, 2);
  const OutputWords words(table);
  CHECK(words.defined());
  CHECK(words.logits(hidden).scalar_type() == at::kFloat);
  CHECK(words.logits(hidden).equal(at::linear(hidden, table.to(at::kFloat))));
  CHECK_FALSE(OutputWords().defined());
}
