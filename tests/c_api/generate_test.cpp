#include <catch2/catch.hpp>

#include <vsr/vsr.hpp>

#include <cstring>
#include <stdexcept>
#include <string>

#include "support/data.h"

namespace {

std::string tiny(const std::string& name) { return vsr::test::source_path("tests/goldens/models/" + name); }

const std::string kQuestion = "how do I take a card that is not mine?";

}  // namespace

TEST_CASE("generate: the C++ and the C interface give the same", "[c_api][generate]") {
  const vsr::Model model(tiny("qwen3-generate"));
  std::string streamed;
  const vsr::Generation made =
      model.generate("where is my card?",
                     {.max_new_tokens = 12, .stop_at_eos = false, .on_token = [&](int32_t, std::string_view text) {
                        streamed += text;
                        return false;
                      }});
  CHECK(made.ids.size() == 12);
  CHECK(made.finish == vsr::Finish::kLength);
  CHECK(streamed == made.text);

  vsr_generate_options options = VSR_GENERATE_OPTIONS_INIT;
  options.max_new_tokens = 12;
  options.no_eos = 1;
  vsr_generation* generation = nullptr;
  const char* prompt = "where is my card?";
  REQUIRE(vsr_generate(model.get(), {prompt, std::strlen(prompt)}, &options, &generation, nullptr) == VSR_OK);
  CHECK(std::equal(made.ids.begin(), made.ids.end(), vsr_generation_ids(generation)));
  CHECK(std::string(vsr_generation_text(generation).data) == made.text);
  vsr_generation_free(generation);
}

TEST_CASE("generate: arguments are checked", "[c_api][generate]") {
  const vsr::Model model(tiny("qwen3-generate"));
  vsr_generation* generation = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_generate(model.get(), {nullptr, 3}, nullptr, &generation, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_generate(model.get(), {"a", 1}, nullptr, nullptr, &error) == VSR_ERR_INVALID_ARGUMENT);
  vsr_generate_options options = VSR_GENERATE_OPTIONS_INIT;
  options.reserved = 1;
  CHECK(vsr_generate(model.get(), {"a", 1}, &options, &generation, &error) == VSR_ERR_INVALID_ARGUMENT);
  options.reserved = 0;
  options.no_eos = 2;
  CHECK(vsr_generate(model.get(), {"a", 1}, &options, &generation, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(generation == nullptr);
  CHECK(vsr_generation_token_count(nullptr) == 0);
  CHECK(vsr_generation_ids(nullptr) == nullptr);
  CHECK(vsr_generation_text(nullptr).size == 0);
  CHECK(vsr_generation_finish(nullptr) == 0);
  vsr_generation_free(nullptr);
  CHECK_THROWS_AS(
      model.generate("a", {.on_token = [](int32_t, std::string_view) -> bool { throw std::runtime_error("mine"); }}),
      std::runtime_error);
}

TEST_CASE("moderate: verdicts by way of C and C++", "[c_api][generate]") {
  const vsr::Model model(tiny("qwen3-guard"));
  const vsr::Verdict unsafe = model.moderate(kQuestion);
  CHECK(unsafe.severity == vsr::Severity::kUnsafe);
  CHECK(unsafe.categories == std::vector<std::string>{"Theft", "Harm"});
  CHECK(!unsafe.refusal);
  CHECK(unsafe.safe + unsafe.controversial + unsafe.unsafe == Approx(1));
  CHECK(model.moderate(kQuestion, "I will not help.").refusal == std::optional<bool>(true));
  CHECK(model.moderate("go on").severity == vsr::Severity::kUnparsed);

  vsr_verdict* verdict = nullptr;
  REQUIRE(vsr_moderate(model.get(), {kQuestion.data(), kQuestion.size()}, nullptr, nullptr, &verdict, nullptr) ==
          VSR_OK);
  CHECK(vsr_verdict_severity(verdict) == VSR_SEVERITY_UNSAFE);
  CHECK(vsr_verdict_category(verdict, 2).data == nullptr);
  CHECK(vsr_verdict_prob(verdict, VSR_SEVERITY_UNPARSED) == 0);
  CHECK(vsr_verdict_prob(verdict, 9) == 0);
  vsr_verdict_free(verdict);
  // What is not there is not safe.
  CHECK(vsr_verdict_severity(nullptr) == VSR_SEVERITY_UNPARSED);
  CHECK(vsr_verdict_prob(nullptr, VSR_SEVERITY_SAFE) == 0);
  CHECK(vsr_verdict_category_count(nullptr) == 0);
  vsr_verdict_free(nullptr);
}
