// What is shared in a pass, and that it changes nothing.
#include "lora/shared_pass.h"

#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <vector>

#include "lora/support/golden_adapters.h"
#include "support/goldens.h"

using namespace vsr;

namespace {

constexpr double kRounding = 1e-6;

double distance(const at::Tensor& a, const at::Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  return (a - b).abs().max().item<double>() / b.abs().max().item<double>();
}

// Three layers; adapters of the last, the last two and all of them.
struct Bert {
  test::GoldenBase base{"bert-embedding"};
  std::shared_ptr<const lora::Adapter> last = load("bert-last-layer");
  std::shared_ptr<const lora::Adapter> two = load("bert-token");
  std::shared_ptr<const lora::Adapter> all = load("bert-all-layers");
  core::PackedBatch batch = test::pack_sequences({{7, 8, 9, 10, 11}, {12, 13, 14}, {15, 16, 17, 18}});  // 12 tokens

  std::shared_ptr<const lora::Adapter> load(const std::string& name) const {
    return lora::load_adapter(name, test::adapter_folder(name), base.view());
  }
  std::vector<lora::BranchStates> run(const std::vector<lora::Branch>& branches, lora::PassReport& report,
                                      int64_t layers = 0) const {
    lora::count_rows(*base.parts.encoder, batch, branches, layers, report);
    return lora::run_shared(*base.parts.encoder, batch, branches, layers);
  }
  at::Tensor alone(const lora::Branch& branch) const {
    lora::PassReport report;
    return run({branch}, report).front().hidden;
  }
};

}  // namespace

TEST_CASE("shared pass: blocks below the lowest adapted one run once", "[lora]") {
  const c10::InferenceMode inference;
  const Bert bert;
  CHECK(bert.last->first_block == 2);
  CHECK(bert.two->first_block == 1);
  CHECK(bert.all->first_block == 0);

  lora::PassReport report;
  bert.run({{bert.last.get(), {0, 1, 2}}, {nullptr, {0, 1, 2}}}, report);
  CHECK(report.shared_blocks == 2);
  CHECK(report.block_rows == 12 * 2 + 24);  // two blocks once, the third for both
  CHECK(report.separate_rows == 2 * 12 * 3);

  report = {};
  bert.run({{bert.last.get(), {0, 1, 2}}, {bert.two.get(), {0, 1, 2}}, {bert.all.get(), {0, 1, 2}}}, report);
  CHECK(report.shared_blocks == 0);
  CHECK(report.block_rows == 24 + 36 + 36);  // one leaves before each block
}

TEST_CASE("shared pass: a branch does not depend on the others, their order or their texts", "[lora]") {
  const c10::InferenceMode inference;
  const Bert bert;
  const std::vector<lora::Branch> branches{{bert.all.get(), {0, 2}},
                                           {nullptr, {1}},
                                           {bert.last.get(), {0, 1, 2}},
                                           {bert.two.get(), {}},
                                           {bert.two.get(), {2}}};
  lora::PassReport report;
  const auto together = bert.run(branches, report);
  const auto reversed = bert.run({branches.rbegin(), branches.rend()}, report);
  for (size_t i = 0; i < branches.size(); ++i) {
    CAPTURE(i);
    if (branches[i].sequences.empty()) {
      CHECK_FALSE(together[i].hidden.defined());
      continue;
    }
    CHECK(distance(together[i].hidden, bert.alone(branches[i])) < kRounding);
    CHECK(distance(reversed[branches.size() - 1 - i].hidden, together[i].hidden) < kRounding);
    CHECK(together[i].batch.sequences() == static_cast<int64_t>(branches[i].sequences.size()));
  }
}

TEST_CASE("shared pass: loading a second adapter changes nothing of the first", "[lora]") {
  const c10::InferenceMode inference;
  const test::GoldenBase base("bert-embedding");
  const core::PackedBatch batch = test::pack_sequences({{7, 8, 9, 10, 11}});
  const auto run = [&](const lora::Adapter* adapter) {
    const std::vector<lora::Branch> branches{{adapter, {0}}};
    return lora::run_shared(*base.parts.encoder, batch, branches, 0).front().hidden.clone();
  };
  const at::Tensor plain = run(nullptr);
  const auto first = lora::load_adapter("a", test::adapter_folder("bert-dora"), base.view());
  const at::Tensor before = run(first.get());
  const auto second = lora::load_adapter("b", test::adapter_folder("bert-bias-all"), base.view());
  const at::Tensor other = run(second.get());
  CHECK(run(first.get()).equal(before));
  CHECK(run(nullptr).equal(plain));
  CHECK_FALSE(other.equal(before));
  CHECK_FALSE(before.equal(plain));
}

TEST_CASE("shared pass: early exit ends below an adapter's first block", "[lora]") {
  const c10::InferenceMode inference;
  const Bert bert;
  lora::PassReport report;
  const std::vector<lora::Branch> branches{{bert.last.get(), {0, 1, 2}}, {nullptr, {0, 1, 2}}};
  const auto states = bert.run(branches, report, 2);
  CHECK(report.block_rows == 24);
  CHECK(states[0].hidden.equal(states[1].hidden));
  CHECK(distance(states[1].hidden, bert.base.parts.encoder->forward(bert.batch, {.layers = 2})) < kRounding);
}
