// Every adapter against peft, alone and with the others of its base in one pass.
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "lora/support/golden_adapters.h"
#include "support/encoder_pass.h"
#include "support/goldens.h"

using namespace vsr;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-5;

using Sequences = std::vector<std::vector<int32_t>>;

struct Loaded {
  json golden;
  std::shared_ptr<const lora::Adapter> adapter;
};

// The adapters of each base.
std::map<std::string, std::vector<std::string>> by_base(const json& goldens) {
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& [name, golden] : goldens.items()) names[golden.at("base")].push_back(name);
  return names;
}

std::vector<int32_t> ids_of(const json& golden_case) { return golden_case.at("ids").get<std::vector<int32_t>>(); }

void check_case(const lora::Adapter& adapter, const lora::BranchStates& states, size_t sequence, const json& expected) {
  const at::Tensor all = test::outputs_of(adapter, states);
  const auto i = static_cast<int64_t>(sequence);
  const bool per_token = adapter.head && adapter.head->kind == core::HeadKind::kToken;
  const at::Tensor own = per_token ? all.narrow(0, states.batch.begin(i), states.batch.length(i)) : all.narrow(0, i, 1);
  CHECK(test::difference(own, expected, adapter.head.has_value()) < kTolerance);
}

}  // namespace

TEST_CASE("adapter goldens: each alone gives what peft gives", "[lora][golden]") {
  const c10::InferenceMode inference;
  const json goldens = test::golden("adapters").at("adapters");
  for (const auto& [base_name, names] : by_base(goldens)) {
    const test::GoldenBase base(base_name);
    for (const std::string& name : names) {
      CAPTURE(name);
      const auto adapter = lora::load_adapter(name, test::adapter_folder(name), base.view());
      for (const json& one : goldens.at(name).at("cases")) {
        const std::vector<lora::Branch> branches{{adapter.get(), {0}}};
        const auto states = lora::run_shared(*base.parts.encoder, test::pack_sequences({ids_of(one)}), branches, 0);
        check_case(*adapter, states.front(), 0, one.at("outputs"));
      }
    }
  }
}

TEST_CASE("adapter goldens: all adapters of a base in one pass, each with the texts of all", "[lora][golden]") {
  const c10::InferenceMode inference;
  const json goldens = test::golden("adapters").at("adapters");
  for (const auto& [base_name, names] : by_base(goldens)) {
    CAPTURE(base_name);
    const test::GoldenBase base(base_name);
    std::vector<std::shared_ptr<const lora::Adapter>> adapters;
    Sequences sequences;
    std::vector<size_t> first;  // sequence of each adapter's own cases
    for (const std::string& name : names) {
      adapters.push_back(lora::load_adapter(name, test::adapter_folder(name), base.view()));
      first.push_back(sequences.size());
      for (const json& one : goldens.at(name).at("cases")) sequences.push_back(ids_of(one));
    }
    std::vector<lora::Branch> branches{{nullptr, {}}};
    for (const auto& adapter : adapters) branches.push_back({adapter.get(), {}});
    for (lora::Branch& branch : branches) {
      for (size_t i = 0; i < sequences.size(); ++i) branch.sequences.push_back(static_cast<int64_t>(i));
    }
    const core::PackedBatch batch = test::pack_sequences(sequences);
    lora::PassReport report;
    lora::count_rows(*base.parts.encoder, batch, branches, 0, report);
    const auto states = lora::run_shared(*base.parts.encoder, batch, branches, 0);
    for (size_t a = 0; a < names.size(); ++a) {
      CAPTURE(names[a]);
      const json& cases = goldens.at(names[a]).at("cases");
      for (size_t i = 0; i < cases.size(); ++i) {
        check_case(*adapters[a], states[a + 1], first[a] + i, cases[i].at("outputs"));
      }
    }
    const at::Tensor plain = test::run_encoder(*base.parts.encoder, batch);
    CHECK((states[0].hidden - plain).abs().max().item<double>() < kTolerance);
    CHECK(report.block_rows <= report.separate_rows);
  }
}
