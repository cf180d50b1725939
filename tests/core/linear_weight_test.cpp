#include "core/linear/linear_weight.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "core/kernels/path.h"
#include "core/linear/linear_float.h"
#include "core/linear/linear_integer.h"
#include "core/linear/linear_onednn.h"
#include "core/linear/linear_packing.h"
#include "core/linear/linear_plain.h"
#include "core/linear/quantize.h"
#include "core/schedule/machine.h"

using at::Tensor;
using namespace vsr::core;

namespace {

// The largest difference from the product in double, in units of the largest value: of the few values of a small
// product, all may lie near zero, so of at least twice what their spread is for normal inputs.
double error_of(const LinearWeight& packed, const Tensor& weight, const Tensor& input, const Tensor& bias) {
  const Tensor actual = packed.multiply(input, bias);
  const Tensor expected =
      at::linear(input.to(at::kDouble), weight.to(at::kDouble), bias.defined() ? bias.to(at::kDouble) : bias);
  REQUIRE(actual.sizes() == expected.sizes());
  const double unit = std::max(expected.abs().max().item<double>(), 2 * std::sqrt(static_cast<double>(input.size(1))));
  return (actual.to(at::kDouble) - expected).abs().max().item<double>() / unit;
}

void check(const LinearWeight& packed, const Tensor& weight, double tolerance) {
  const int64_t in = weight.size(1);
  const Tensor bias = at::randn({weight.size(0)});
  for (const int64_t rows : {1, 2, 33, 2049}) {  // the last is more than one block of rows
    INFO(rows << " rows of " << in);
    const Tensor wide = at::randn({rows, 2 * in});
    CHECK(error_of(packed, weight, wide.narrow(1, 0, in), bias) < tolerance);
    CHECK(error_of(packed, weight, wide.narrow(1, in, in).contiguous(), {}) < tolerance);
  }
}

std::string message_of(const std::string& dtype) {
  try {
    linear_type_named(dtype, at::kCPU);
  } catch (const vsr::base::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("linear weight: every form multiplies within its type's precision") {
  const c10::InferenceMode inference;
  for (const auto& [out, in] : {std::pair<int64_t, int64_t>{48, 64}, {7, 19}, {100, 33}}) {
    const Tensor weight = at::randn({out, in});
    check(*pack_linear_weight(weight, LinearType::kFloat32), weight, 1e-5);
    check(*plain_linear_weight(weight), weight, 1e-5);
    check(*pack_floats(weight), weight, 1e-5);
    check(*pack_for_onednn(weight, at::kFloat), weight, 1e-5);
    check(*pack_linear_weight(weight, LinearType::kInt8), weight, 0.02);
    check(*quantize_for_integers(weight), weight, 0.015);
    check(*quantize_for_onednn(weight), weight, machine().int8 ? 0.02 : 0.04);
    if (machine().bfloat16) check(*pack_linear_weight(weight, LinearType::kBFloat16), weight, 0.02);
  }
}

TEST_CASE("linear weight: integers with balanced columns lose less where a few columns are large") {
  const c10::InferenceMode inference;
  Tensor weight = at::randn({64, 256});
  weight.narrow(1, 0, 4).mul_(30);
  weight.select(1, 7).zero_();
  const Tensor factors = balancing_factors(weight);
  CHECK(factors.min().item<double>() > 0);
  CHECK(factors.max().item<double>() == 1);
  const auto back = [](const QuantizedMatrix& q) { return q.integers.to(at::kFloat).mul(q.scales.unsqueeze(1)); };
  const double plain = back(quantize_weight(weight)).sub(weight).abs().mean().item<double>();
  const double balanced = back(quantize_weight(weight, factors)).mul(factors).sub(weight).abs().mean().item<double>();
  CHECK(balanced < plain / 3);
  check(*quantize_for_integers(weight), weight, 0.015);
  CHECK(balancing_factors(at::zeros({3, 5})).min().item<double>() > 0);
}

TEST_CASE("linear weight: on the plain path panels are left aside") {
  const c10::InferenceMode inference;
  const Tensor weight = at::randn({40, 24}), input = at::randn({5, 24});
  const auto packed = pack_floats(weight);
  const Tensor panels_left_aside = [&] {
    const kernels::PlainPath plain;
    return packed->multiply(input, {});
  }();
  CHECK(panels_left_aside.equal(at::linear(input, weight)));
  CHECK(packed->multiply(at::empty({0, 24}), {}).size(0) == 0);
}

namespace {

// Integers from `least` to `most` of which each row has both, so that it is its own quantised form, with scale 1.
Tensor own_quantised_form(int64_t rows, int64_t size, int64_t least, int64_t most) {
  const Tensor values = at::randint(least, most + 1, {rows, size}).to(at::kFloat);
  values.select(1, 0).fill_(static_cast<double>(least));
  values.select(1, size - 1).fill_(static_cast<double>(most));
  return values;
}

void check_exact(const LinearWeight& packed, const Tensor& weight, int64_t least, int64_t most) {
  for (const int64_t rows : {1, 7, 130}) {
    const Tensor input = own_quantised_form(rows, weight.size(1), least, most);
    const Tensor expected = at::matmul(input.to(at::kLong), weight.to(at::kLong).t());
    REQUIRE(expected.abs().max().item<int64_t>() < (1 << 24));  // so that float32 holds it
    CHECK(packed.multiply(input, {}).equal(expected.to(at::kFloat)));
  }
}

}  // namespace

TEST_CASE("linear weight: int8 loses nothing where weights and rows are integers") {
  const c10::InferenceMode inference;
  const int64_t most = machine().int8 ? 255 : 127;
  for (const auto& [out, in] : {std::pair<int64_t, int64_t>{48, 64}, {1, 2}, {77, 31}, {400, 384}}) {
    const Tensor weight = own_quantised_form(out, in, -127, 127);
    weight.select(0, 0).fill_(127);  // columns alike, so that balancing leaves them alone
    check_exact(*quantize_for_integers(weight), weight, -2000, 2047);
    check_exact(*quantize_for_onednn(weight), weight, 0, most);
    check_exact(*quantize_for_onednn(weight), weight, -most / 3, most - most / 3);
  }
}

TEST_CASE("linear weight: a layer with more inputs than int8 can sum stays float32") {
  const c10::InferenceMode inference;
  const Tensor weight = at::randn({2, kMostQuantizedInputs + 1});
  CHECK_FALSE(pack_linear_weight(weight, LinearType::kInt8)->copied());
  const Tensor largest = at::ones({2, kMostQuantizedInputs});
  const auto packed = pack_linear_weight(largest, LinearType::kInt8);
  CHECK(packed->copied());
  CHECK(error_of(*packed, largest, at::ones({3, kMostQuantizedInputs}), {}) < 1e-6);
}

TEST_CASE("linear weight: int8 products do not saturate where all terms have one sign") {
  const c10::InferenceMode inference;
  const Tensor weight = at::randn({16, 512}).abs().add(1);
  const Tensor input = at::randn({9, 512}).abs().add(1);
  const auto packed = pack_linear_weight(weight, LinearType::kInt8);
  CHECK(error_of(*packed, weight, input, {}) < 0.005);
}

TEST_CASE("linear weight: an int8 row that holds no number gives none, and zeros give the bias") {
  const c10::InferenceMode inference;
  const Tensor weight = at::randn({8, 24});
  const Tensor bias = at::randn({8});
  Tensor input = at::randn({3, 24});
  input[0][3] = std::numeric_limits<float>::quiet_NaN();
  input[1].zero_();
  const Tensor output = pack_linear_weight(weight, LinearType::kInt8)->multiply(input, bias);
  CHECK(output[0].isnan().all().item<bool>());
  CHECK(output[1].equal(bias));
  CHECK_FALSE(output[2].isnan().any().item<bool>());
}

TEST_CASE("linear type: names, and what a machine lacks") {
  CHECK(linear_type_named("float32", at::kCPU) == LinearType::kFloat32);
  CHECK(linear_type_named("int8", at::kCPU) == LinearType::kInt8);
  CHECK(linear_type_named("auto", at::kCPU) != LinearType::kInt8);
  CHECK(message_of("float8").find("dtype \"float8\" is not one") == 0);
  if (machine().bfloat16) {
    CHECK(linear_type_named("bfloat16", at::kCPU) == LinearType::kBFloat16);
  } else {
    CHECK(message_of("bfloat16").find("dtype \"bfloat16\" needs a processor with AVX512_BF16 or AMX") == 0);
  }
}
