// vsr/cancel.h, and deadlines.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "c_api/support/handles.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

namespace {

vsr_status embed_status(const vsr_embed_options& options, std::string* message = nullptr) {
  vsr_error error = VSR_ERROR_INIT;
  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(embedder(), &text, 1, &options, &result, &error);
  vsr_result_free(result);
  if (message != nullptr) *message = error.message;
  return status;
}

}  // namespace

TEST_CASE("cancel: a switch that is on ends calls, whichever are given it", "[c_api]") {
  vsr_cancel* cancel = nullptr;
  REQUIRE(vsr_cancel_create(&cancel, nullptr) == VSR_OK);
  vsr_embed_options embed = VSR_EMBED_OPTIONS_INIT;
  embed.cancel = cancel;
  CHECK(embed_status(embed) == VSR_OK);
  vsr_cancel_trigger(cancel);
  vsr_cancel_trigger(cancel);
  std::string message;
  CHECK(embed_status(embed, &message) == VSR_ERR_CANCELLED);
  CHECK(message == "the call was cancelled");

  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  vsr_classify_options classify = VSR_CLASSIFY_OPTIONS_INIT;
  classify.cancel = cancel;
  CHECK(vsr_classify(classifier(), &text, nullptr, 1, &classify, &result, nullptr) == VSR_ERR_CANCELLED);
  CHECK(vsr_token_probs(tagger(), text, &classify, &result, nullptr) == VSR_ERR_CANCELLED);
  CHECK(vsr_entities(tagger(), &text, 1, &classify, &result, nullptr) == VSR_ERR_CANCELLED);
  CHECK(vsr_token_probs_of_pair(tagger(), text, text, &classify, &result, nullptr) == VSR_ERR_CANCELLED);
  CHECK(vsr_entities_of_pairs(tagger(), &text, &text, 1, &classify, &result, nullptr) == VSR_ERR_CANCELLED);
  vsr_multi_options multi = VSR_MULTI_OPTIONS_INIT;
  multi.cancel = cancel;
  vsr_multi_result* results = nullptr;
  CHECK(vsr_classify_all(classifier(), &text, nullptr, 1, nullptr, 0, &multi, &results, nullptr) == VSR_ERR_CANCELLED);
  vsr_cancel_free(cancel);
}

TEST_CASE("cancel: NULL is allowed where the header says so", "[c_api]") {
  vsr_cancel_trigger(nullptr);
  vsr_cancel_free(nullptr);
  CHECK(vsr_cancel_create(nullptr, nullptr) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("deadline: one that has passed is an error of its own, one far away is none", "[c_api]") {
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  for (const int64_t past : {int64_t{-1}, INT64_MIN}) {
    options.deadline_ms = past;
    std::string message;
    CHECK(embed_status(options, &message) == VSR_ERR_DEADLINE);
    CHECK(message == "the deadline of the call has passed");
  }
  for (const int64_t later : {int64_t{60'000}, INT64_MAX}) {
    options.deadline_ms = later;
    CHECK(embed_status(options) == VSR_OK);
  }
}

TEST_CASE("cancel: the C++ options carry both", "[c_api][hpp]") {
  const vsr::Model model(tiny("bert-embedding"));
  vsr::Cancel cancel;
  vsr::EmbedOptions options;
  options.cancel = &cancel;
  CHECK(model.embed({"a"}, options).rows() == 1);
  cancel.trigger();
  try {
    model.embed({"a"}, options);
    FAIL("the call was not cancelled");
  } catch (const vsr::Error& error) {
    CHECK(error.code() == VSR_ERR_CANCELLED);
  }
  vsr::ClassifyOptions late;
  late.deadline_ms = -5;
  try {
    vsr::Model(tiny("bert-sequence")).classify({"a"}, late);
    FAIL("the deadline was not kept");
  } catch (const vsr::Error& error) {
    CHECK(error.code() == VSR_ERR_DEADLINE);
  }
}

TEST_CASE("cancel: generation and moderation end while they read and while they write", "[c_api][generate]") {
  const vsr::Model writer(tiny("qwen3-generate")), judge(tiny("qwen3-guard"));
  const auto code_of = [](auto&& call) -> vsr_status {
    try {
      call();
      return VSR_OK;
    } catch (const vsr::Error& error) {
      return error.code();
    }
  };
  vsr::Cancel on;
  on.trigger();
  CHECK(code_of([&] { writer.generate("a", {.cancel = &on}); }) == VSR_ERR_CANCELLED);
  CHECK(code_of([&] { judge.moderate("a", {}, {.cancel = &on}); }) == VSR_ERR_CANCELLED);
  CHECK(code_of([&] { writer.generate("a", {.deadline_ms = -1}); }) == VSR_ERR_DEADLINE);
  CHECK(code_of([&] { judge.moderate("a", "b", {.deadline_ms = -1}); }) == VSR_ERR_DEADLINE);
  vsr::Cancel off;
  CHECK(code_of([&] { writer.generate("a", {.max_new_tokens = 2, .deadline_ms = 60'000, .cancel = &off}); }) == VSR_OK);
  CHECK(code_of([&] { judge.moderate("a", {}, {.deadline_ms = 60'000, .cancel = &off}); }) == VSR_OK);
  // Triggered after the first token: there is no second one.
  size_t tokens = 0;
  const vsr::TokenCallback trigger = [&](int32_t, std::string_view) {
    ++tokens;
    off.trigger();
    return false;
  };
  vsr::GenerateOptions options{.max_new_tokens = 8, .stop_at_eos = false, .on_token = trigger, .cancel = &off};
  CHECK(code_of([&] { writer.generate("a", options); }) == VSR_ERR_CANCELLED);
  CHECK(tokens == 1);
}

TEST_CASE("cancel: compression ends when it is told to", "[c_api]") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "The weather of day " + std::to_string(i) + " was fine. ";
  vsr_compressed* made = nullptr;
  vsr_compress_options options = VSR_COMPRESS_OPTIONS_INIT;
  options.deadline_ms = -1;
  CHECK(vsr_compress(str(text), 50, &options, &made, nullptr) == VSR_ERR_DEADLINE);
  options.deadline_ms = 60'000;
  REQUIRE(vsr_cancel_create(const_cast<vsr_cancel**>(&options.cancel), nullptr) == VSR_OK);
  CHECK(vsr_compress(str(text), 50, &options, &made, nullptr) == VSR_OK);
  vsr_compressed_free(made);
  vsr_cancel_trigger(const_cast<vsr_cancel*>(options.cancel));
  CHECK(vsr_compress(str(text), 50, &options, &made, nullptr) == VSR_ERR_CANCELLED);
  CHECK(made == nullptr);
  vsr_cancel_free(const_cast<vsr_cancel*>(options.cancel));
  vsr::CompressOptions late;
  late.deadline_ms = -1;
  CHECK_THROWS_AS(vsr::compress(text, 50, late), vsr::Error);
}

TEST_CASE("describe: tells the depth of the queue and what was computed", "[c_api]") {
  vsr_string* json = nullptr;
  REQUIRE(vsr_engine_describe(embedder(), &json, nullptr) == VSR_OK);
  const std::string text = text_of(vsr_string_text(json));
  vsr_string_free(json);
  CHECK(text.find("\"queue\":{\"calls\":0,\"tokens\":0,\"max_calls\":4096,\"max_tokens\":8388608,") !=
        std::string::npos);
  CHECK(text.find("\"compute\":{\"threads\":") != std::string::npos);
}
