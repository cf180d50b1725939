// Adapters that are broken, or made for something else: one clear error that names both sides.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "lora/support/golden_adapters.h"
#include "support/failure.h"
#include "support/model_copy.h"

using namespace vsr;
using base::Status;
using test::AdapterCopy;
using test::Failure;
using test::Json;
using test::StoredTensors;

namespace {

const std::string kQuery = "base_model.model.bert.encoder.layer.2.attention.self.query";

// What loading the changed copy of bert-last-layer (rank 4, query and value of the last of three layers, three labels)
// says, with <a> for its folder and <b> for the base's.
Failure failure_of(const std::function<void(const AdapterCopy&)>& change,
                   const std::string& base_name = "bert-embedding", const std::string& golden = "bert-last-layer") {
  const AdapterCopy copy(golden);
  change(copy);
  const test::GoldenBase base(base_name);
  Failure failure = test::failure_of([&] { lora::load_adapter("a", copy.path().string(), base.view()); });
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = failure.message.find(from, at)) != std::string::npos;) {
      failure.message.replace(at, from.size(), to);
    }
  };
  replace(copy.path().string(), "<a>");
  replace(base.path, "<b>");
  return failure;
}

Failure with_config(const std::string& key, const Json& value) {
  return failure_of([&](const AdapterCopy& copy) { copy.set("adapter_config.json", key, value); });
}

std::string floats(size_t count) { return std::string(count * 4, '\0'); }

}  // namespace

TEST_CASE("hostile adapter: the golden itself loads", "[lora]") {
  CHECK(failure_of([](const AdapterCopy&) {}) == Failure{});
}

TEST_CASE("hostile adapter: missing and damaged files", "[lora]") {
  CHECK(failure_of([](const AdapterCopy& copy) { copy.remove("adapter_config.json"); }).status == Status::kNotFound);
  CHECK(failure_of([](const AdapterCopy& copy) { copy.remove("adapter_model.safetensors"); }).status ==
        Status::kNotFound);
  CHECK(failure_of([](const AdapterCopy& copy) { copy.write("adapter_config.json", "{"); }).status == Status::kParse);
  CHECK(failure_of([](const AdapterCopy& copy) { copy.write("adapter_model.safetensors", "abc"); }).status ==
        Status::kWeights);
  CHECK(failure_of([](const AdapterCopy& copy) { copy.write("id2label.json", "[]"); }).status == Status::kParse);
}

TEST_CASE("hostile adapter: what vsr does not run is named", "[lora]") {
  const std::vector<std::tuple<std::string, Json, std::string>> cases{
      {"peft_type", "IA3", "is \"IA3\", expected \"LORA\""},
      {"task_type", "CAUSAL_LM", "is \"CAUSAL_LM\", expected \"SEQ_CLS\", \"TOKEN_CLS\" or \"FEATURE_EXTRACTION\""},
      {"fan_in_fan_out", true, "is true"},
      {"layer_replication", Json::array({Json::array({0, 2})}), "is set, which vsr does not run"},
      {"use_qalora", true, "is set, which vsr does not run"},
      {"target_parameters", Json::array({"x"}), "is set, which vsr does not run"},
      {"some_future_option", 3, "is set, which vsr does not run"},
  };
  for (const auto& [key, value, message] : cases) {
    CAPTURE(key);
    CHECK(with_config(key, value) ==
          Failure{Status::kUnsupported, "<a>/adapter_config.json: \"" + key + "\" " + message});
  }
  CHECK(with_config("init_lora_weights", "pissa_niter_4").status == Status::kUnsupported);
  CHECK(with_config("some_future_option", false) == Failure{});
  CHECK(with_config("init_lora_weights", "gaussian") == Failure{});
}

TEST_CASE("hostile adapter: values out of range", "[lora]") {
  CHECK(with_config("r", 0) == Failure{Status::kParse, "<a>/adapter_config.json: \"r\" is out of range"});
  CHECK(with_config("r", "4").status == Status::kParse);
  CHECK(with_config("bias", "some").status == Status::kParse);
  CHECK(with_config("rank_pattern", {{"query", 0}}).status == Status::kParse);
  CHECK(with_config("rank_pattern", {{"(", 4}}).status == Status::kUnsupported);
  CHECK(with_config("alpha_pattern", {{"query", 4}, {"self.query", 5}}).status == Status::kUnsupported);
  CHECK(with_config("target_modules", 3).status == Status::kParse);
  const Failure slow = with_config("target_modules", "(?:.+)+x");
  CHECK(slow.status == Status::kUnsupported);
  CHECK(slow.message.find("<a>/adapter_config.json: \"target_modules\" takes too long to match ") == 0);
}

TEST_CASE("hostile adapter: a rank that disagrees with the tensors", "[lora]") {
  CHECK(with_config("r", 8) ==
        Failure{Status::kWeights, "<a>/adapter_model.safetensors: \"" + kQuery +
                                      ".lora_A.weight\" is [4, 32], expected [8, 32]: the rank in "
                                      "<a>/adapter_config.json is 8, and \"encoder.layer.2.attention.self.query\" of "
                                      "<b>/model.safetensors is [32, 32]"});
}

TEST_CASE("hostile adapter: targets that the base or the file does not have", "[lora]") {
  CHECK(with_config("target_modules", {"query", "value", "q_proj"}) ==
        Failure{Status::kWeights,
                "<a>/adapter_config.json: \"target_modules\" has \"q_proj\", which no module of <b> is called"});
  CHECK(with_config("target_modules", {"query", "value", "key"}) ==
        Failure{Status::kWeights,
                "<a>/adapter_model.safetensors: has no lora_A and lora_B for \"encoder.layer.2.attention.self.key\" of "
                "<b>, which target_modules of <a>/adapter_config.json selects"});
  CHECK(with_config("target_modules", {"query"}) ==
        Failure{Status::kWeights,
                "<a>/adapter_model.safetensors: adapts \"bert.encoder.layer.2.attention.self.value\", which "
                "target_modules of <a>/adapter_config.json does not select"});
  CHECK(with_config("layers_to_transform", {1}).status == Status::kWeights);
  CHECK(with_config("use_dora", true).status == Status::kWeights);
}

TEST_CASE("hostile adapter: for another base", "[lora]") {
  const auto nothing = [](const AdapterCopy&) {};
  // Two layers instead of three, a head of its own; another architecture.
  CHECK(failure_of(nothing, "bert-sequence").status == Status::kWeights);
  const Failure other = failure_of(nothing, "modernbert-old-keys");
  CHECK(other.status == Status::kWeights);
  CHECK(other.message.find("<a>/") != std::string::npos);
  CHECK(other.message.find("<b>") != std::string::npos);
  CHECK(failure_of(nothing, "qwen3-embedding", "gemma3-last-layer").status == Status::kWeights);
}

TEST_CASE("hostile adapter: labels that do not match the head", "[lora]") {
  const Failure failure = failure_of(
      [](const AdapterCopy& copy) { copy.write("id2label.json", R"({"0": "a", "1": "b", "2": "c", "3": "d"})"); });
  CHECK(failure == Failure{Status::kWeights,
                           "<a>/id2label.json: has 4 labels, but \"base_model.model.classifier.weight\" in "
                           "<a>/adapter_model.safetensors has 3 rows"});
  CHECK(failure_of([](const AdapterCopy& copy) { copy.write("id2label.json", R"({"0": "a", "2": "c"})"); }).status ==
        Status::kParse);
}

TEST_CASE("hostile adapter: tensors that fit nothing", "[lora]") {
  const auto with_tensor = [](const std::string& name, const std::vector<int64_t>& shape, size_t count) {
    return failure_of([&](const AdapterCopy& copy) {
      copy.edit_tensors([&](StoredTensors& tensors) { tensors.add(name, "F32", shape, floats(count)); });
    });
  };
  CHECK(with_tensor("base_model.model.other.weight", {2, 2}, 4) ==
        Failure{Status::kWeights,
                "<a>/adapter_model.safetensors: \"base_model.model.other.weight\" fits nothing in the base <b>"});
  CHECK(with_tensor("other.weight", {2}, 2).status == Status::kWeights);
  CHECK(with_tensor("base_model.model.bert.embeddings.word_embeddings.lora_embedding_A", {2, 2}, 4).status ==
        Status::kUnsupported);
  CHECK(with_tensor("base_model.model.bert.encoder.layer.0.attention.self.query.weight", {32, 32}, 1024).status ==
        Status::kUnsupported);
  CHECK(with_tensor("base_model.model.bert.pooler.dense.weight", {2, 2}, 4).status == Status::kWeights);
}

TEST_CASE("hostile adapter: missing tensors and values that are not finite", "[lora]") {
  const auto with_tensors = [](const std::function<void(StoredTensors&)>& change) {
    return failure_of([&](const AdapterCopy& copy) { copy.edit_tensors(change); });
  };
  CHECK(with_tensors([](StoredTensors& tensors) { tensors.remove(kQuery + ".lora_B.weight"); }) ==
        Failure{Status::kWeights,
                "<a>/adapter_model.safetensors: \"bert.encoder.layer.2.attention.self.query\" has "
                "only one of lora_A and lora_B"});
  CHECK(with_tensors([](StoredTensors& tensors) { tensors.remove("base_model.model.classifier.bias"); }).status ==
        Status::kWeights);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(with_tensors([&](StoredTensors& tensors) {
          std::memcpy(tensors.bytes(kQuery + ".lora_A.weight"), &nan, sizeof nan);
        }).status == Status::kWeights);
}
