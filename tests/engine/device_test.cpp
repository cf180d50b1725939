// A GPU gives what the processor gives. Skipped where there is none.
#include "core/schedule/device.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/goldens.h"

using namespace vsr;
using base::Status;
using test::distance;

namespace {

// Of vectors of length 1 and probabilities. Sums run in another order; bfloat16 has 8 bits.
constexpr double kFloat32 = 2e-5;
constexpr double kBFloat16 = 5e-2;

// Those with a tokenizer; tests/lora/device_test.cpp has the others.
const std::vector<std::string> kEmbedding{"bert-embedding", "bert-odd-head-dim", "mmbert-embedding", "qwen3-text",
                                          "gemma3-embedding"};
const std::vector<std::string> kSequence{"bert-sequence", "mmbert-sequence", "modernbert-pairs"};
const std::vector<std::string> kToken{"bert-token", "bert-token-bioes"};

// Counts the running test case as skipped where there is no GPU.
bool has_gpu() {
  const test::Failure failure = test::failure_of([] { core::device_named("cuda"); });
  if (failure.message.empty()) return true;
  test::skip(failure.message);
  return false;
}

std::shared_ptr<const engine::Engine> open_on(const std::string& device, const std::string& dtype,
                                              const std::string& golden) {
  engine::EngineOptions options = test::engine_options({golden});
  options.models.front().device = device;
  options.models.front().dtype = dtype;
  return engine::Engine::open(options);
}

std::vector<std::string> texts() {
  std::vector<std::string> all{"where is my card", "", "please help me transfer money to my bank account"};
  std::string longest;
  for (int i = 0; i < 40; ++i) longest += "book a flight to paris and find a hotel in london ";
  all.push_back(longest);  // windows
  return all;
}

// `answer` of an engine: on the GPU in both types, against the processor in float32.
template <class Answer>
void check_against_processor(const std::vector<std::string>& goldens, const Answer& answer) {
  for (const std::string& golden : goldens) {
    const std::vector<float> expected = answer(*open_on("cpu", "float32", golden));
    for (const auto& [dtype, tolerance] : {std::pair{"float32", kFloat32}, std::pair{"bfloat16", kBFloat16}}) {
      CAPTURE(golden, dtype);
      CHECK(distance(answer(*open_on("cuda", dtype, golden)), expected) <= tolerance);
    }
  }
}

}  // namespace

TEST_CASE("device: names", "[engine][device]") {
  CHECK(core::device_named("auto") == at::Device(at::kCPU));
  CHECK(core::device_named("cpu") == at::Device(at::kCPU));
  for (const std::string name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:128", "cpu:0", "CUDA"}) {
    CHECK(test::failure_of([&] { core::device_named(name); }) ==
          test::Failure{Status::kUnsupported,
                        "device \"" + name + "\" is not one that this build runs (auto, cpu, cuda, cuda:N)"});
  }
  // Whatever this machine has, it does not have this many.
  const test::Failure failure = test::failure_of([] { core::device_named("cuda:127"); });
  CHECK(failure.status == Status::kUnsupported);
  CHECK(failure.message.starts_with("device \"cuda:127\": "));
}

TEST_CASE("device: int8 is the processor's", "[engine][device]") {
  if (!has_gpu()) return;
  CHECK(test::failure_of([] { open_on("cuda", "int8", "bert-embedding"); }) ==
        test::Failure{Status::kUnsupported, "dtype \"int8\" runs on the processor alone, not on cuda:0"});
}

TEST_CASE("device: a GPU gives the processor's embeddings", "[engine][device]") {
  if (!has_gpu()) return;
  check_against_processor(kEmbedding, [](const engine::Engine& engine) {
    const std::vector<std::string> all = texts();
    return engine.embed(test::views(all), {}).values;
  });
}

TEST_CASE("device: a GPU gives the processor's probabilities", "[engine][device]") {
  if (!has_gpu()) return;
  check_against_processor(kSequence, [](const engine::Engine& engine) {
    const std::vector<std::string> all = texts();
    return engine.classify(test::single(all), {}).values;
  });
  check_against_processor(kToken, [](const engine::Engine& engine) {
    const std::vector<std::string> all = texts();
    return engine.token_probs(all.back(), {}).values;
  });
}

TEST_CASE("device: a GPU runs adapters beside their base", "[engine][device]") {
  if (!has_gpu()) return;
  check_against_processor({"bert-embedding"}, [](const engine::Engine& engine) {
    engine.load_adapter({.name = "a", .path = test::source_path("tests/goldens/adapters/bert-last-layer"), .model = ""},
                        false);
    engine.load_adapter({.name = "b", .path = test::source_path("tests/goldens/adapters/bert-dora"), .model = ""},
                        false);
    const std::vector<std::string> all = texts();
    std::vector<float> values;
    for (const auto& task : engine.classify_all(test::single(all), {}).tasks) {
      values.insert(values.end(), task.result.values.begin(), task.result.values.end());
    }
    return values;
  });
}

TEST_CASE("device: a GPU writes the processor's words", "[engine][device]") {
  if (!has_gpu()) return;
  for (const std::string golden : {"qwen3-generate", "gemma3-generate"}) {
    CAPTURE(golden);
    const auto write = [&](const std::string& device) {
      engine::GenerateOptions options;
      options.max_new_tokens = 8;
      return open_on(device, "float32", golden)->generate("where is my card", options).ids;
    };
    CHECK(write("cuda") == write("cpu"));
  }
}
