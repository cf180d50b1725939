// Every kernel of every instruction set that this machine runs, against LibTorch's operators in double.
#include "core/kernels/table.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/silu.h>

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <string>

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

TEST_CASE("kernels: bytes and their scale give a row back within half a step") {
  for_each_table([](const kernels::Table& table) {
    for (const int64_t size : kSizes) {
      Tensor rows = at::randn({3, size}).mul(5);
      rows[1].zero_();
      Tensor bytes = at::empty({3, size}, at::TensorOptions().dtype(at::kByte));
      Tensor scales = at::empty({3});
      table.f32.quantize({data<float>(rows), data<uint8_t>(bytes), data<float>(scales), 3, size, size, 127, 128});
      Tensor back = bytes.to(at::kFloat).sub(128);
      CHECK(back.abs().max().item<double>() <= 127);
      table.scale({data<float>(back), data<float>(scales), nullptr, 3, size});
      CHECK((back.sub(rows).abs().sub(scales.unsqueeze(1).mul(0.5001))).max().item<double>() <= 1e-6);
      rows[2][size - 1] = std::numeric_limits<float>::infinity();
      table.f32.quantize({data<float>(rows), data<uint8_t>(bytes), data<float>(scales), 3, size, size, 127, 128});
      CHECK(scales[2].isnan().item<bool>());
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
