// A merged model answers as base and adapter did.
#include "lora/merge.h"

#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lora/support/golden_adapters.h"
#include "support/encoder_pass.h"
#include "support/failure.h"
#include "support/goldens.h"
#include "support/temp_folder.h"

using namespace vsr;
using base::Status;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-5;

// A merged checkpoint, read as any other.
void check_merged(const std::string& folder, const json& golden) {
  const base::JsonObject config = base::read_json_file(folder + "/config.json");
  const models::Labels labels = models::read_labels(config);
  const auto store = core::WeightStore::open_folder(folder);
  const models::LoadedParts parts =
      models::make_model({config, core::WeightScope(*store), static_cast<int64_t>(labels.names.size())});
  for (const json& one : golden.at("cases")) {
    const core::PackedBatch batch = test::pack_sequences({one.at("ids").get<std::vector<int32_t>>()});
    const at::Tensor hidden = test::run_encoder(*parts.encoder, batch);
    const bool has_head = golden.at("task") != "FEATURE_EXTRACTION";
    REQUIRE(parts.head.has_value() == has_head);
    const at::Tensor outputs =
        has_head ? parts.head->forward(hidden, batch) : core::pool(core::Pooling::kMean, hidden, batch);
    CHECK(test::difference(outputs, one.at("outputs"), has_head) < kTolerance);
  }
}

}  // namespace

TEST_CASE("merge: the folder is a standard checkpoint with the adapter's answers", "[lora][golden]") {
  const c10::InferenceMode inference;
  const json goldens = test::golden("adapters").at("adapters");
  for (const auto& [name, golden] : goldens.items()) {
    CAPTURE(name);
    const test::GoldenBase base(golden.at("base"));
    const test::TempFolder folder;
    lora::merge_adapter(test::adapter_folder(name), base.view(), base.path, folder / "merged");
    check_merged(folder / "merged", golden);
    CHECK(std::filesystem::exists(folder / "merged/tokenizer.json") ==
          std::filesystem::exists(base.path + "/tokenizer.json"));
    CHECK_FALSE(std::filesystem::exists(folder / "merged.part"));
  }
}

TEST_CASE("merge: the labels of the adapter are in the config", "[lora]") {
  const c10::InferenceMode inference;
  const test::GoldenBase base("bert-embedding");
  const test::TempFolder folder;
  lora::merge_adapter(test::adapter_folder("bert-last-layer"), base.view(), base.path, folder / "merged");
  const base::JsonObject config = base::read_json_file(folder / "merged/config.json");
  CHECK(models::read_labels(config).names == std::vector<std::string>{"banking", "travel", "other"});
  CHECK(config.required<std::vector<std::string>>("architectures") ==
        std::vector<std::string>{"BertForSequenceClassification"});
}

TEST_CASE("merge: what cannot be merged is refused and leaves nothing behind", "[lora]") {
  const c10::InferenceMode inference;
  const test::GoldenBase base("bert-embedding");
  const test::TempFolder folder;
  const std::string taken = folder.write("taken/file", "");
  const auto failure = test::failure_of(
      [&] { lora::merge_adapter(test::adapter_folder("bert-last-layer"), base.view(), base.path, folder / "taken"); });
  CHECK(failure == test::Failure{Status::kInvalidArgument, (folder / "taken") + ": exists already"});
  const auto broken =
      test::failure_of([&] { lora::merge_adapter(folder / "nowhere", base.view(), base.path, folder / "merged"); });
  CHECK(broken.status == Status::kNotFound);
  CHECK_FALSE(std::filesystem::exists(folder / "merged"));
  CHECK_FALSE(std::filesystem::exists(folder / "merged.part"));
}
