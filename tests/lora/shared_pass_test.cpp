// What is shared in a pass, and that it changes nothing.
#include "lora/shared_pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <vector>

#include "lora/support/golden_adapters.h"
#include "support/encoder_pass.h"
#include "support/goldens.h"

using namespace vsr;

namespace {

constexpr double kRounding = 1e-6;

double distance(const at::Tensor& a, const at::Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  return (a - b).abs().max().item<double>() / b.abs().max().item<double>();
}

at::Tensor rows_of(const at::Tensor& hidden, const std::vector<int64_t>& rows) {
  return at::index_select(hidden, 0, at::tensor(rows));
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

TEST_CASE("shared pass: tokens that no branch reads are left out, and change nothing of the others", "[lora]") {
  const c10::InferenceMode inference;
  const Bert bert;
  const std::vector<lora::Branch> whole{
      {bert.all.get(), {0, 2}}, {nullptr, {0, 1, 2}}, {bert.last.get(), {1, 2}}, {bert.two.get(), {0}}};
  std::vector<lora::Branch> some = whole;
  some[0].tokens = {{0, 1}, {3, 4}};
  some[2].tokens = {{2, 3}, {1, 3}};
  lora::PassReport report;
  const auto expected = bert.run(whole, report);
  const auto check = [&](size_t branch, const std::vector<int64_t>& rows) {
    CAPTURE(branch);
    const lora::BranchStates states = std::move(bert.run(some, report)[branch]);
    REQUIRE(states.batch.total_tokens() == static_cast<int64_t>(rows.size()));
    CHECK(distance(states.hidden, rows_of(expected[branch].hidden, rows)) < kRounding);
  };
  check(0, {0, 5 + 3});
  check(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  check(2, {2, 3 + 1, 3 + 2});
  check(3, {0, 1, 2, 3, 4});
  some[1].tokens = {{0, 1}, {0, 1}, {0, 1}};
  check(1, {0, 5, 8});
}

TEST_CASE("shared pass: every model leaves out tokens that are not read", "[lora]") {
  const c10::InferenceMode inference;
  const core::PackedBatch batch =
      test::pack_sequences({{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, {12, 13, 14}, {15, 16, 17, 18}});
  for (const std::string name :
       {"bert-embedding", "modernbert-sequence", "qwen3-embedding", "qwen3-sliding", "gemma3-embedding"}) {
    CAPTURE(name);
    const test::GoldenBase base(name);
    const auto run = [&](std::vector<core::TokenRange> tokens) {
      const std::vector<lora::Branch> branches{{nullptr, {0, 1, 2}, std::move(tokens)}};
      return lora::run_shared(*base.parts.encoder, batch, branches, 0).front().hidden;
    };
    const at::Tensor all = run({});
    CHECK(distance(run({{0, 1}, {0, 1}, {0, 1}}), rows_of(all, {0, 14, 17})) < kRounding);
    CHECK(distance(run({{13, 14}, {2, 3}, {3, 4}}), rows_of(all, {13, 16, 20})) < kRounding);
    CHECK(distance(run({{13, 14}, {0, 3}, {0, 1}}), rows_of(all, {13, 14, 15, 16, 17})) < kRounding);
  }
}

TEST_CASE("shared pass: branches that stay in the trunk get what any of them reads", "[lora]") {
  const c10::InferenceMode inference;
  const Bert bert;
  lora::Branch first{nullptr}, third{nullptr};
  first.read(0, {0, 1});
  third.read(0, {2, 3});
  third.read(0, {1, 2});
  third.read(1, {0, 1});
  const std::vector<core::TokenRange> joined{{1, 3}, {0, 1}};
  CHECK((third.tokens == joined));
  lora::PassReport report;
  const auto states = bert.run({first, third}, report);
  const at::Tensor expected = bert.alone({nullptr, {0, 1}});
  CHECK(distance(states[0].hidden, expected.narrow(0, 0, 3)) < kRounding);
  CHECK(distance(states[1].hidden, rows_of(expected, {0, 1, 2, 5})) < kRounding);
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
  CHECK(distance(states[1].hidden, test::run_encoder(*bert.base.parts.encoder, bert.batch, 2)) < kRounding);
}
