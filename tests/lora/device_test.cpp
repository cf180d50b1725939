// That a pass stays where its weights are, for every kind of model and adapter. The device is LibTorch's "meta", which
// knows shapes alone and is there on every machine: an operator that is given a tensor of the processor beside one of
// this device fails as it would on a GPU. One case compares with a GPU, where there is one.
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/InferenceMode.h>
#include <torch/library.h>

#include <catch2/catch.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/schedule/device.h"
#include "lora/support/golden_adapters.h"
#include "support/encoder_pass.h"
#include "support/failure.h"
#include "support/goldens.h"

using namespace vsr;

namespace {

// Operators whose shapes LibTorch knows in Python only.

void check_beside(const at::Tensor& first, std::initializer_list<std::optional<at::Tensor>> others) {
  for (const auto& other : others) {
    const bool is_there = other && other->defined();
    TORCH_CHECK(!is_there || other->device() == first.device(), "a tensor on ", first.device(), " beside another");
  }
}

at::Tensor index_select(const at::Tensor& self, int64_t dim, const at::Tensor& index) {
  check_beside(self, {index});
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes.at(static_cast<size_t>(dim)) = index.numel();
  return at::empty(sizes, self.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> layer_norm(const at::Tensor& input, c10::SymIntArrayRef /*shape*/,
                                                          const std::optional<at::Tensor>& weight,
                                                          const std::optional<at::Tensor>& bias, double /*eps*/) {
  check_beside(input, {weight, bias});
  return {at::empty_like(input), at::empty_like(input), at::empty_like(input)};
}

at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  const std::optional<at::Tensor>& mask, double /*dropout*/, bool /*causal*/,
                  std::optional<double> /*scale*/, bool /*grouped*/) {
  check_beside(query, {key, value, mask});
  TORCH_CHECK(query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type());
  return at::empty(query.sizes(), query.options());
}

// Of single values.
at::Tensor where(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other) {
  check_beside(condition, {self, other});
  return at::empty(condition.sizes(), self.options());
}

TORCH_LIBRARY_IMPL(aten, Meta, library) {
  library.impl("index_select", index_select);
  library.impl("native_layer_norm", layer_norm);
  library.impl("scaled_dot_product_attention", attend);
  library.impl("where.self", where);
}

const std::vector<std::string> kFamilies{
    "bert-sequence",   "bert-token",       "modernbert-sequence", "modernbert-token", "mmbert-sequence",
    "qwen3-sequence",  "qwen3-sliding",    "qwen3-token",         "qwen3-embedding",  "modernbert-yarn",
    "gemma3-sequence", "gemma3-embedding", "gemma3-bidirectional"};
const std::vector<std::string> kGenerators{"qwen3-generate", "gemma3-generate"};

// Of several lengths, one beyond every window.
core::PackedBatch ragged_batch() {
  return test::pack_sequences({{5, 6, 7, 8, 9}, std::vector<int32_t>(40, 11), {12}, {13, 14, 15, 16, 17}});
}

void check_on_meta(const at::Tensor& tensor, int64_t rows) {
  CHECK(tensor.device() == at::kMeta);
  CHECK(tensor.size(0) == rows);
}

}  // namespace

TEST_CASE("device: a pass and its head stay where the weights are", "[lora][device]") {
  const c10::InferenceMode inference;
  for (const std::string& name : kFamilies) {
    for (const core::LinearType type : {core::LinearType::kFloat32, core::LinearType::kBFloat16}) {
      CAPTURE(name, core::linear_type_name(type));
      const test::GoldenBase base(name, at::kMeta, type);
      const core::PackedBatch batch = ragged_batch();
      const int64_t layers = base.parts.encoder->info().num_hidden_layers;
      const core::KeptRows kept(batch, {{0, 1}, {3, 5}, {0, 1}, {4, 5}});

      const at::Tensor all = test::run_encoder(*base.parts.encoder, batch);
      check_on_meta(all, batch.total_tokens());
      CHECK(all.scalar_type() == at::kFloat);
      const at::Tensor some =
          base.parts.encoder->run_blocks(base.parts.encoder->embed(batch), batch, {0, layers, &kept});
      check_on_meta(base.parts.encoder->final_norm(some, kept.batch()), 5);
      if (!base.parts.head) continue;
      const bool per_token = base.parts.head->kind == core::HeadKind::kToken;
      check_on_meta(base.parts.head->forward(all, batch), per_token ? batch.total_tokens() : batch.sequences());
    }
  }
}

TEST_CASE("device: a GPU gives the processor's hidden states and logits", "[lora][device]") {
  const c10::InferenceMode inference;
  constexpr double kTolerance = 1e-4;  // of the largest value; sums run in another order
  const test::Failure no_gpu = test::failure_of([] { core::device_named("cuda"); });
  if (no_gpu.status) return test::skip(no_gpu.message);
  const auto outputs_on = [](const std::string& name, at::Device device) {
    const test::GoldenBase base(name, device);
    const core::PackedBatch batch = ragged_batch();
    const at::Tensor hidden = test::run_encoder(*base.parts.encoder, batch);
    return (base.parts.head ? base.parts.head->forward(hidden, batch) : hidden).cpu();
  };
  for (const std::string& name : kFamilies) {
    CAPTURE(name);
    const at::Tensor expected = outputs_on(name, at::kCPU);
    const at::Tensor made = outputs_on(name, core::device_named("cuda"));
    CHECK((made - expected).abs().max().item<double>() <= kTolerance * expected.abs().max().item<double>());
  }
}

TEST_CASE("device: a causal LM and its cache stay where the weights are", "[lora][device]") {
  const c10::InferenceMode inference;
  for (const std::string& name : kGenerators) {
    CAPTURE(name);
    const test::GoldenBase base(name, at::kMeta);
    core::KvCache cache = base.parts.causal_lm->new_cache();
    const std::vector<int32_t> ids{5, 6, 7, 8};
    for (int64_t position = 0; position < 12; position += 4) {
      check_on_meta(base.parts.causal_lm->read(core::pack_tokens(ids, position), cache), 4);
    }
    const at::Tensor last = base.parts.causal_lm->read(core::pack_tokens(std::span(ids).first(1), 12), cache);
    check_on_meta(base.parts.causal_lm->logits(last), 1);
  }
}

TEST_CASE("device: adapters and their heads go where the base's weights are", "[lora][device]") {
  const c10::InferenceMode inference;
  const nlohmann::json goldens = test::golden("adapters").at("adapters");
  REQUIRE(goldens.size() == 19);
  for (const auto& [name, golden] : goldens.items()) {
    CAPTURE(name);
    const test::GoldenBase base(golden.at("base"), at::kMeta);
    const auto adapter = lora::load_adapter(name, test::adapter_folder(name), base.view());
    const core::PackedBatch batch = ragged_batch();
    const auto states =
        lora::run_shared(*base.parts.encoder, batch, {{{adapter.get(), {0, 1, 3}}, {nullptr, {0, 2}}}}, 0);
    check_on_meta(states[1].hidden, 6);
    const at::Tensor outputs = test::outputs_of(*adapter, states[0]);
    CHECK(outputs.device() == at::kMeta);
  }
}
