// Every kernel of every instruction set that this machine runs, against LibTorch's operators in double.
#include "core/kernels/table.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <utility>

#include "core/kernels/path.h"

using at::Tensor;
using namespace vsr::core;
namespace kernels = vsr::core::kernels;
using kernels::data;

namespace {

constexpr std::array<int64_t, 7> kSizes{1, 3, 8, 17, 31, 64, 100};  // whole vectors, tails, and less than a vector

double difference(const Tensor& a, const Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

// Calls body(table) for each instruction set.
template <class Body>
void for_each_table(const Body& body) {
  for (const kernels::Isa isa : kernels::runnable_isas()) {
    INFO("instruction set " << std::string(kernels::isa_name(isa)));
    body(kernels::table_of(isa));
  }
}

kernels::GateRows<float> gate_task(kernels::Gate act, const Tensor& gate, const Tensor& up, const Tensor& output) {
  return {act,          data<float>(gate), kernels::data_or_null<float>(up), data<float>(output), gate.size(0),
          gate.size(1), gate.stride(0),    up.defined() ? up.stride(0) : 0,  output.stride(0)};
}

}  // namespace

TEST_CASE("kernels: the norm of a sum is that of LibTorch, with and without bias") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t size : kSizes) {
      const Tensor hidden = at::randn({5, size}).mul(3).add(1);
      const Tensor delta = at::randn({5, size});
      const Tensor weight = at::randn({size});
      const Tensor bias = at::randn({size});
      Tensor sum = at::empty_like(hidden);
      Tensor output = at::empty_like(hidden);
      const Tensor total = hidden.add(delta).to(at::kDouble);
      kernels::NormRows<float> task{kernels::Norm::kLayer,
                                    data<float>(weight),
                                    data<float>(bias),
                                    1e-5F,
                                    5,
                                    size,
                                    data<float>(hidden),
                                    data<float>(delta),
                                    data<float>(sum),
                                    nullptr,
                                    data<float>(output)};
      table.f32.norm(task);
      CHECK(difference(sum, total) < 1e-6);
      CHECK(difference(output, at::layer_norm(total, {size}, weight.to(at::kDouble), bias.to(at::kDouble), 1e-5)) <
            2e-5);
      task.norm = kernels::Norm::kRms;
      task.bias = nullptr;
      task.delta = nullptr;
      table.f32.norm(task);
      CHECK(difference(output, at::rms_norm(hidden.to(at::kDouble), {size}, weight.to(at::kDouble), 1e-5)) < 1e-5);
    }
  });
}

TEST_CASE("kernels: a value that is no number spoils its own row only") {
  for_each_table([](const kernels::Table& table) {
    Tensor hidden = at::randn({3, 20});
    hidden[1][7] = std::numeric_limits<float>::quiet_NaN();
    const Tensor weight = at::rand({20});
    Tensor output = at::empty_like(hidden);
    table.f32.norm({kernels::Norm::kLayer, data<float>(weight), nullptr, 1e-5F, 3, 20, data<float>(hidden), nullptr,
                    nullptr, nullptr, data<float>(output)});
    CHECK(output[1].isnan().all().item<bool>());
    CHECK_FALSE(output[0].isnan().any().item<bool>());
    CHECK_FALSE(output[2].isnan().any().item<bool>());
    table.f32.gate(gate_task(kernels::Gate::kGelu, hidden, {}, output));
    CHECK(output.isnan().equal(hidden.isnan()));
  });
}

TEST_CASE("kernels: activations are those of LibTorch over the whole range") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t size : kSizes) {
      const Tensor fused = at::randn({4, 2 * size}).mul(6);
      fused[0][0] = -200;  // where an exponential underflows
      fused[1][0] = 200;
      const Tensor gate = fused.narrow(1, 0, size);
      const Tensor up = fused.narrow(1, size, size);
      const Tensor wide = gate.to(at::kDouble);
      Tensor output = at::empty({4, size});
      const auto check = [&](kernels::Gate act, const Tensor& expected) {
        table.f32.gate(gate_task(act, gate, {}, output));
        CHECK(difference(output, expected) < 2e-6);
        table.f32.gate(gate_task(act, gate, up, output));
        CHECK(difference(output.div(up.abs().clamp_min(1)), expected.mul(up).div(up.abs().clamp_min(1))) < 2e-5);
      };
      check(kernels::Gate::kGelu, at::gelu(wide, "none"));
      check(kernels::Gate::kGeluTanh, at::gelu(wide, "tanh"));
      check(kernels::Gate::kRelu, at::relu(wide));
      check(kernels::Gate::kSilu, at::silu(wide));
    }
  });
}

TEST_CASE("kernels: bytes, their zero and their scale give a row back within a step") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t size : kSizes) {
      for (const int32_t most : {127, 255}) {
        const Tensor rows = at::randn({5, size}).mul(5);
        rows[1].zero_();
        rows[2].abs_();
        rows[3].abs_().neg_();
        const Tensor bytes = at::full({5, size + 1}, 77, at::TensorOptions().dtype(at::kByte));
        const Tensor scales = at::empty({5});
        const Tensor zeros = at::empty({5});
        kernels::QuantizeRows<float, uint8_t> task{data<float>(rows),
                                                   data<uint8_t>(bytes),
                                                   data<float>(scales),
                                                   data<float>(zeros),
                                                   5,
                                                   size,
                                                   size,
                                                   size + 1,
                                                   most};
        table.f32.quantize(task);
        const Tensor back = bytes.narrow(1, 0, size).to(at::kFloat);
        CHECK(back.max().item<double>() <= most);
        CHECK(bytes.select(1, size).eq(77).all().item<bool>());
        const Tensor ones = at::ones({size});
        const Tensor values = back.contiguous();
        table.scale(
            {data<float>(values), data<float>(scales), data<float>(zeros), data<float>(ones), nullptr, 5, size});
        CHECK(values.sub(rows).abs().sub(scales.unsqueeze(1).mul(1.0001)).max().item<double>() <= 1e-6);
        CHECK(values[1].eq(0).all().item<bool>());
        rows[4][size - 1] = std::numeric_limits<float>::infinity();
        table.f32.quantize(task);
        CHECK(scales[4].isnan().item<bool>());
      }
    }
  });
}

namespace {

Tensor integers(at::IntArrayRef sizes, int64_t limit, at::ScalarType type) {
  return at::randint(-limit, limit + 1, sizes, at::TensorOptions().dtype(type));
}

// The panels of kernels::IntegerProduct, element by element.
Tensor panels_of(const Tensor& weight) {
  const int64_t pairs = (weight.size(1) + 1) / 2;
  const int64_t panels = (weight.size(0) + kernels::kPanelOutputs - 1) / kernels::kPanelOutputs;
  Tensor packed = at::zeros({panels, pairs, kernels::kPanelOutputs, 2}, weight.options());
  for (int64_t out = 0; out < weight.size(0); ++out) {
    for (int64_t in = 0; in < weight.size(1); ++in) {
      packed[out / kernels::kPanelOutputs][in / 2][out % kernels::kPanelOutputs][in % 2] = weight[out][in];
    }
  }
  return packed;
}

// Row and weight scales of 1 and no bias: the sums themselves, rounded to float32 once.
void check_sums(const kernels::Table& table, const Tensor& rows, const Tensor& weight) {
  const int64_t count = rows.size(0);
  const int64_t outputs = weight.size(0);
  const Tensor ones = at::ones({count + outputs});
  const Tensor padded = rows.size(1) % 2 == 0 ? rows : at::constant_pad_nd(rows, {0, 1});
  const Tensor packed = panels_of(weight);
  Tensor output = at::full({count, outputs + 3}, 7.0F);
  table.multiply_integers({data<int16_t>(padded), data<float>(ones), data<int8_t>(packed), data<float>(ones), nullptr,
                           data<float>(output), count, packed.size(1), outputs, outputs + 3});
  const Tensor expected = at::matmul(rows.to(at::kLong), weight.to(at::kLong).t());
  CHECK(output.narrow(1, 0, outputs).equal(expected.to(at::kFloat)));
  CHECK(output.narrow(1, outputs, 3).eq(7.0F).all().item<bool>());  // nothing after the outputs is touched
}

}  // namespace

TEST_CASE("kernels: products of integers are exact, also where every term is as large as it can be") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t count : {1, 2, 3, 5, 6, 7, 13, 29}) {
      for (const auto& [outputs, inputs] : {std::pair<int64_t, int64_t>{1, 1}, {15, 8}, {16, 33}, {41, 70}}) {
        INFO(count << " rows of " << inputs << " to " << outputs);
        check_sums(table, integers({count, inputs}, 2047, at::kShort), integers({outputs, inputs}, 127, at::kChar));
      }
    }
    const Tensor most = at::full({7, 8192}, 2047, at::TensorOptions().dtype(at::kShort));
    const Tensor weights = at::full({17, 8192}, 127, at::TensorOptions().dtype(at::kChar));
    check_sums(table, most, weights);
    check_sums(table, most.neg(), weights);
  });
}

TEST_CASE("kernels: products of integers are scaled by row and by output, and shifted by the bias") {
  for_each_table([](const kernels::Table& table) {
    const Tensor rows = integers({5, 12}, 100, at::kShort);
    const Tensor weight = integers({21, 12}, 127, at::kChar);
    const Tensor row_scales = at::rand({5});
    const Tensor scales = at::rand({21});
    const Tensor bias = at::randn({21});
    const Tensor packed = panels_of(weight);
    const Tensor output = at::empty({5, 21});
    table.multiply_integers({data<int16_t>(rows), data<float>(row_scales), data<int8_t>(packed), data<float>(scales),
                             data<float>(bias), data<float>(output), 5, 6, 21, 21});
    const Tensor sums = at::matmul(rows.to(at::kDouble), weight.to(at::kDouble).t());
    const Tensor expected = sums.mul(row_scales.unsqueeze(1)).mul(scales).add(bias);
    CHECK(difference(output, expected) < 1e-6 * sums.abs().max().item<double>());
  });
}

TEST_CASE("kernels: products of float32 are those of double, and a row that is no number spoils itself alone") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t count : {2, 3, 6, 7, 14, 30}) {
      for (const auto& [outputs, inputs] : {std::pair<int64_t, int64_t>{1, 1}, {15, 8}, {16, 33}, {41, 70}}) {
        INFO(count << " rows of " << inputs << " to " << outputs);
        const Tensor rows = at::randn({count, inputs + 5});
        const Tensor weight = at::randn({outputs, inputs});
        const Tensor bias = at::randn({outputs});
        const int64_t panels = (outputs + kernels::kPanelOutputs - 1) / kernels::kPanelOutputs;
        const Tensor packed = at::constant_pad_nd(weight, {0, 0, 0, panels * kernels::kPanelOutputs - outputs})
                                  .view({panels, kernels::kPanelOutputs, inputs})
                                  .transpose(1, 2)
                                  .contiguous();
        const Tensor output = at::full({count, outputs + 3}, 7.0F);
        rows[count - 1][0] = std::numeric_limits<float>::quiet_NaN();
        table.multiply_floats({data<float>(rows), data<float>(packed), data<float>(bias), data<float>(output), count,
                               inputs, outputs, inputs + 5, outputs + 3});
        const Tensor expected =
            at::linear(rows.narrow(1, 0, inputs).to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble));
        CHECK(difference(output.narrow(0, 0, count - 1).narrow(1, 0, outputs), expected.narrow(0, 0, count - 1)) <
              1e-4);
        CHECK(output[count - 1].narrow(0, 0, outputs).isnan().all().item<bool>());
        CHECK(output.narrow(1, outputs, 3).eq(7.0F).all().item<bool>());  // nothing after the outputs is touched
      }
    }
  });
}

TEST_CASE("kernels: integers of 16 bits and their scale give a row back within half a step") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t size : kSizes) {
      const Tensor rows = at::randn({3, size}).mul(5);
      const Tensor wide = at::full({3, size + 1}, 9, at::TensorOptions().dtype(at::kShort));
      const Tensor scales = at::empty({3});
      const Tensor factors = at::rand({size}).add(0.1);
      table.f32.quantize_wide({.input = data<float>(rows),
                               .output = data<int16_t>(wide),
                               .scales = data<float>(scales),
                               .zeros = nullptr,
                               .rows = 3,
                               .size = size,
                               .input_stride = size,
                               .output_stride = size + 1,
                               .most = 2047,
                               .factors = data<float>(factors)});
      const Tensor back = wide.narrow(1, 0, size).to(at::kFloat);
      CHECK(back.abs().max().item<double>() <= 2047);
      CHECK(back.mul(scales.unsqueeze(1))
                .sub(rows.mul(factors))
                .abs()
                .sub(scales.unsqueeze(1).mul(0.5001))
                .max()
                .item<double>() <= 1e-6);
      CHECK(wide.select(1, size).eq(9).all().item<bool>());
    }
  });
}

TEST_CASE("kernels: bfloat16 is rounded as LibTorch rounds it") {
  for_each_table([](const kernels::Table& table) {
    const Tensor input = at::randn({2, 37}).mul(3).to(at::kBFloat16);
    Tensor output = at::empty_like(input);
    const auto* gate = data<kernels::Bf16>(input);
    table.bf16.gate({kernels::Gate::kRelu, gate, gate, data<kernels::Bf16>(output), 2, 37, 37, 37, 37});
    const Tensor wide = input.to(at::kFloat);
    CHECK(output.equal(at::relu(wide).mul(wide).to(at::kBFloat16)));
  });
}
