#include "routing/rewrite/request_plan.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;
using Type = ReasoningFamily::Type;

namespace {

ModelCatalog catalog() {
  ModelCatalog models;
  models.reasoning_families["qwen3"] = {Type::kChatTemplateKwargs, "enable_thinking"};
  models.models.push_back({.name = "qwen", .context_window = 32000, .reasoning_family = "qwen3"});
  models.models.push_back({.name = "claude", .reasoning_family = "qwen3", .api_format = "anthropic"});
  models.models.push_back({.name = "plain"});
  models.models.push_back({.name = "odd", .reasoning_family = "unheard-of"});
  return models;
}

ModelChoice reasoning(const std::string& model) {
  ModelChoice choice{.model = model};
  choice.reasoning = true;
  choice.effort = "high";
  return choice;
}

Decision decision() {
  Decision made{.name = "d"};
  made.plugins.system_prompt = SystemPromptPlugin{.text = "Be brief."};
  made.plugins.request_params = RequestParamsPlugin{.max_n = 2};
  return made;
}

}  // namespace

TEST_CASE("request plan: a choice, its card and the decision's plugins are joined", "[routing]") {
  const Decision made = decision();
  const RequestPlan plan = plan_request(catalog(), &made, reasoning("qwen"), 500);
  CHECK(plan.model == "qwen");
  CHECK(plan.context_window == 32000);
  CHECK(plan.prompt_tokens == 500);
  REQUIRE(plan.system_prompt);
  CHECK(plan.system_prompt->text == "Be brief.");
  CHECK(plan.params.max_n == 2);
  REQUIRE(plan.reasoning);
  CHECK(plan.reasoning->family.parameter == "enable_thinking");
  CHECK(plan.reasoning->on);
  CHECK(plan.reasoning->effort == "high");
  CHECK(plan.reasoning->openai);
}

TEST_CASE("request plan: a LoRA's name takes the model's place, its base model's card holds", "[routing]") {
  ModelChoice choice = reasoning("qwen");
  choice.lora = "math-expert";
  const RequestPlan plan = plan_request(catalog(), nullptr, choice, 0);
  CHECK(plan.model == "math-expert");
  CHECK(plan.context_window == 32000);
  CHECK(plan.reasoning);
}

TEST_CASE("request plan: a request that names its model is not changed", "[routing]") {
  const Decision made = decision();
  ModelChoice choice = reasoning("qwen");
  choice.routed = false;
  const RequestPlan plan = plan_request(catalog(), &made, choice, 500);
  CHECK_FALSE(plan.model);
  CHECK_FALSE(plan.system_prompt);
  CHECK_FALSE(plan.reasoning);
  CHECK_FALSE(plan.params.max_n);
  CHECK(plan.context_window == 0);
}

TEST_CASE("request plan: without a family, a word from the decision, or a card, reasoning stays the client's",
          "[routing]") {
  CHECK_FALSE(plan_request(catalog(), nullptr, reasoning("plain"), 0).reasoning);
  CHECK_FALSE(plan_request(catalog(), nullptr, {.model = "qwen"}, 0).reasoning);
  CHECK_FALSE(plan_request(catalog(), nullptr, reasoning("elsewhere"), 0).reasoning);
}

TEST_CASE("request plan: a server of another dialect takes effort inside the template's arguments", "[routing]") {
  REQUIRE(plan_request(catalog(), nullptr, reasoning("claude"), 0).reasoning);
  CHECK_FALSE(plan_request(catalog(), nullptr, reasoning("claude"), 0).reasoning->openai);
}

TEST_CASE("request plan: a family that the catalog lacks is an error", "[routing]") {
  const auto failed = failure_of([] { plan_request(catalog(), nullptr, reasoning("odd"), 0); });
  CHECK(failed.status == Status::kInvalidArgument);
  CHECK_THAT(failed.message, Catch::Contains("model odd: reasoning family \"unheard-of\""));
}
