#include "core/nn/heads.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/nn/nn_norm.h"
#include "support/failure.h"
#include "support/ragged.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

using namespace vsr::core;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::flat;
using vsr::test::matrix;
using vsr::test::ragged;
using vsr::test::SafetensorsWriter;
using vsr::test::TempFolder;

namespace {

std::shared_ptr<WeightStore> head_weights(const TempFolder& folder) {
  return WeightStore::open_file(folder.write("m.safetensors", SafetensorsWriter()
                                                                  .add("dense.weight", {2, 2}, {1, 2, 3, 4})
                                                                  .add("dense.bias", {2}, {0.5F, -0.5F})
                                                                  .add("classifier.weight", {3, 2}, {1, 0, 0, 1, 1, 1})
                                                                  .add("classifier.bias", {3}, {0, 0, 10})
                                                                  .bytes()));
}

}  // namespace

TEST_CASE("heads: a linear layer is x times W transposed, plus b", "[core][heads]") {
  const TempFolder folder;
  const auto store = head_weights(folder);
  const Linear dense(WeightScope(*store).scope("dense"), 2, 2);
  CHECK(flat(dense.forward(matrix(1, 2, {1, 10}))) == std::vector<float>{21.5F, 42.5F});
  const Linear bare(WeightScope(*store).scope("dense"), 2, 2, Linear::Bias::kNone);
  CHECK(flat(bare.forward(matrix(1, 2, {1, 10}))) == std::vector<float>{21, 43});
  CHECK(failure_of([&] {
          Linear(WeightScope(*store).scope("dense"), 3, 2);
        }).message.find("\"dense.weight\" is [2, 2], config.json needs [2, 3]") != std::string::npos);
}

TEST_CASE("heads: a sequence head pools first, a token head scores every row", "[core][heads]") {
  const TempFolder folder;
  const auto store = head_weights(folder);
  const PackedBatch batch = ragged({2, 1});
  const at::Tensor hidden = matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const ClassificationHead token{HeadKind::kToken, std::nullopt, std::nullopt,
                                 Linear(WeightScope(*store).scope("classifier"), 2, 3)};
  CHECK(flat(token.forward(hidden, batch)) == std::vector<float>{1, 2, 13, 3, 4, 17, 5, 6, 21});
  const ClassificationHead sequence{HeadKind::kSequence, Pooling::kCls,
                                    HeadDense{Linear(WeightScope(*store).scope("dense"), 2, 2), Activation::kRelu},
                                    Linear(WeightScope(*store).scope("classifier"), 2, 3)};
  // dense([1, 2]) = [5.5, 10.5], dense([5, 6]) = [17.5, 38.5]
  CHECK(flat(sequence.forward(hidden, batch)) == std::vector<float>{5.5F, 10.5F, 26, 17.5F, 38.5F, 66});
}

TEST_CASE("heads: activations are the functions that checkpoints name", "[core][heads]") {
  const auto apply = [](const std::string& name, double x) {
    return flat(activate(activation_named(name, "f"), matrix(1, 1, {static_cast<float>(x)})))[0];
  };
  const double pi = std::acos(-1.0);
  for (const double x : {-3.0, -0.5, 0.0, 0.7, 2.5}) {
    CAPTURE(x);
    const double exact = 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    const double tanh_form = 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
    CHECK(apply("gelu", x) == Approx(exact).margin(1e-6));
    for (const char* name : {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"}) {
      CHECK(apply(name, x) == Approx(tanh_form).margin(1e-6));
    }
    CHECK(apply("relu", x) == Approx(std::max(x, 0.0)));
    CHECK(apply("silu", x) == Approx(x / (1 + std::exp(-x))).margin(1e-6));
    CHECK(apply("swish", x) == apply("silu", x));
    CHECK(apply("tanh", x) == Approx(std::tanh(x)).margin(1e-6));
  }
  CHECK(std::abs(apply("gelu", 2.0) - apply("gelu_new", 2.0)) > 1e-5);
  CHECK(failure_of([] { activation_named("mish", "c.json: \"hidden_act\""); }) ==
        Failure{Status::kUnsupported, "c.json: \"hidden_act\": activation \"mish\" is not one of vsr's"});
}

TEST_CASE("heads: layer normalisation uses the population variance and eps", "[core][heads]") {
  const TempFolder folder;
  const auto store = WeightStore::open_file(
      folder.write("m", SafetensorsWriter().add("n.weight", {2}, {2, 3}).add("n.bias", {2}, {1, -1}).bytes()));
  const LayerNorm norm(WeightScope(*store).scope("n"), 2, 1.0);
  // mean 2, variance 1: (x - 2) / sqrt(2)
  const auto rows = flat(norm.forward(matrix(1, 2, {1, 3})));
  CHECK(rows[0] == Approx(2 * -1 / std::sqrt(2.0) + 1));
  CHECK(rows[1] == Approx(3 * 1 / std::sqrt(2.0) - 1));
}
