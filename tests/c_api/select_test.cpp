// vsr/select.h and its C++ form, on two tiny models.
#include "vsr/select.h"

#include <cstring>
#include <limits>

#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

namespace {

using SelectionHandle = std::unique_ptr<vsr_selection, Freer<vsr_selection, vsr_selection_free>>;

std::string config() {
  return "vsr:\n  models:\n    good: {path: " + tiny("bert-embedding") +
         ", quality: 0.9, languages: [de]}\n    fast: {path: " + tiny("bert-no-pooler") + ", quality: 0.2}\n";
}

const vsr::Engine& two_models() {
  static const TempFolder folder;
  vsr::EngineOptions options;
  options.config_path = folder.write("c.yaml", config());
  static const auto& engine = *new vsr::Engine(options);
  return engine;
}

struct Outcome {
  vsr_status status;
  std::string message;
};

Outcome select_with(const vsr_policy_options* policy, const vsr_embed_options* options = nullptr) {
  const vsr_str text = str("where is my card?");
  vsr_error error = VSR_ERROR_INIT;
  vsr_selection* selection = nullptr;
  const vsr_status status = vsr_select_model(two_models().get(), &text, 1, policy, options, &selection, &error);
  CHECK((selection != nullptr) == (status == VSR_OK));
  vsr_selection_free(selection);
  return {status, error.message};
}

}  // namespace

TEST_CASE("select: the chosen model's vectors are those of its own task", "[c_api][select]") {
  const vsr_str text = str("where is my card?");
  vsr_policy_options policy = VSR_POLICY_OPTIONS_INIT;
  for (const auto& [quality, expected] : {std::pair{1.0F, "good"}, {0.0F, "fast"}}) {
    policy.quality_priority = quality;
    policy.latency_priority = 1 - quality;
    vsr_error error = VSR_ERROR_INIT;
    vsr_result* result = nullptr;
    vsr_selection* selection = nullptr;
    const vsr_status status =
        vsr_embed_select(two_models().get(), &text, 1, &policy, nullptr, &result, &selection, &error);
    const ResultHandle held(result);
    const SelectionHandle chosen(selection);
    INFO(error.message);
    REQUIRE(status == VSR_OK);
    CHECK(vsr_selection_model(selection) == expected);
    vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
    options.task = expected;
    const ResultHandle same = embed(two_models().get(), {text}, &options);
    CHECK(std::memcmp(vsr_result_data(result), vsr_result_data(same.get()), 32 * sizeof(float)) == 0);
  }
}

TEST_CASE("select: a selection says what spoke for and against each model", "[c_api][select]") {
  const vsr_str text = str("where is my card?");
  vsr_policy_options policy = VSR_POLICY_OPTIONS_INIT;
  policy.language = "de";
  vsr_selection* selection = nullptr;
  REQUIRE(vsr_select_model(two_models().get(), &text, 1, &policy, nullptr, &selection, nullptr) == VSR_OK);
  const SelectionHandle held(selection);
  REQUIRE(vsr_selection_candidate_count(selection) == 2);
  const vsr_candidate& good = *vsr_selection_candidate(selection, 0);
  const vsr_candidate& fast = *vsr_selection_candidate(selection, 1);
  CHECK(good.model == "good");
  CHECK(good.rejected.data == nullptr);
  CHECK(good.chosen == 1);
  CHECK(good.token_count == 7);
  CHECK(good.score == Approx(0.5 * 0.9 + 0.5));
  CHECK(fast.rejected == "lists no languages");
  CHECK(fast.chosen == 0);
  CHECK(fast.score == 0);
  CHECK(text_of(vsr_selection_reason(selection)).find("score 0.950 = ") == 0);
  CHECK(vsr_selection_candidate(selection, 2) == nullptr);
  CHECK(vsr_selection_candidate_count(nullptr) == 0);
  CHECK(vsr_selection_model(nullptr).data == nullptr);
  CHECK(vsr_selection_reason(nullptr).data == nullptr);
  CHECK(vsr_selection_candidate(nullptr, 0) == nullptr);
}

TEST_CASE("select: arguments out of range are named", "[c_api][select]") {
  vsr_policy_options policy = VSR_POLICY_OPTIONS_INIT;
  CHECK(select_with(nullptr).status == VSR_OK);
  policy.quality_priority = std::numeric_limits<float>::quiet_NaN();
  CHECK(select_with(&policy).message == "quality_priority is nan, expected 0 to 1");
  policy = VSR_POLICY_OPTIONS_INIT;
  policy.latency_priority = 2;
  CHECK(select_with(&policy).message == "latency_priority is 2, expected 0 to 1");
  policy = VSR_POLICY_OPTIONS_INIT;
  policy.reserved = 1;
  CHECK(select_with(&policy).message == "policy.reserved is 1, expected 0");
  policy = VSR_POLICY_OPTIONS_INIT;
  policy.language = "";
  CHECK(select_with(&policy).message == "language is empty");
  policy = VSR_POLICY_OPTIONS_INIT;
  policy.struct_size = 3;
  CHECK(select_with(&policy).message.find("vsr_policy_options.struct_size is 3, expected 24") == 0);
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.task = "good";
  CHECK(select_with(nullptr, &options).message == "task is \"good\", and a policy chooses it");
  options = VSR_EMBED_OPTIONS_INIT;
  options.dim = 8;
  const Outcome none = select_with(nullptr, &options);
  CHECK(none.status == VSR_ERR_NOT_FOUND);
  CHECK(none.message.find("no embedding model qualifies: \"good\" has vectors of 32 values") == 0);
  const vsr_str text = str("x");
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_select_model(two_models().get(), &text, 1, nullptr, nullptr, nullptr, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message) == "out_selection is NULL");
  CHECK(vsr_embed_select(two_models().get(), &text, 1, nullptr, nullptr, nullptr, nullptr, &error) ==
        VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message) == "out_result is NULL");
  vsr_result* result = nullptr;
  REQUIRE(vsr_embed_select(two_models().get(), &text, 1, nullptr, nullptr, &result, nullptr, &error) == VSR_OK);
  vsr_result_free(result);
}

TEST_CASE("select: C++ chooses and embeds, and throws what C reports", "[c_api][select][hpp]") {
  vsr::EmbedPolicy policy;
  policy.quality_priority = 1;
  CHECK(vsr::select_model(two_models(), {"hello"}, policy).model() == "good");
  policy = {0, 1, ""};
  const vsr::SelectedResult made = vsr::embed_select(two_models(), {"hello", "card"}, policy);
  CHECK(made.selection.model() == "fast");
  CHECK(made.result.rows() == 2);
  CHECK(made.selection.candidates().size() == 2);
  CHECK(made.selection.candidates()[1].chosen);
  CHECK(made.selection.candidates()[0].rejected.empty());
  policy.language = "fr";
  CHECK_THROWS_AS(vsr::select_model(two_models(), {"hello"}, policy), vsr::Error);
}
