#include "routing/decision/model_choice.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

CatalogModel card(const std::string& name, int64_t window, double price) {
  CatalogModel model{.name = name, .context_window = window};
  model.prompt_per_1m = price;
  model.completion_per_1m = 3 * price;
  return model;
}

ModelCatalog catalog() {
  ModelCatalog models{.default_model = "small"};
  models.models = {card("small", 8000, 0.1), card("middle", 32000, 0.5), card("large", 200000, 5)};
  models.models.push_back({.name = "free-text"});  // without window and price
  return models;
}

Decision decision(std::vector<ModelRef> models) { return {.name = "d", .models = std::move(models)}; }

ModelChoice choose(const Decision* decision, const DomainRule* domain = nullptr, int64_t tokens = 100) {
  return choose_model(catalog(),
                      {.requested = "auto", .decision = decision, .domain = domain, .prompt_tokens = tokens});
}

}  // namespace

TEST_CASE("model choice: a request that names its own model keeps it", "[routing]") {
  const Decision large = decision({{.model = "large"}});
  const ModelChoice choice = choose_model(catalog(), {.requested = "gpt-x", .decision = &large});
  CHECK(choice.model == "gpt-x");
  CHECK_FALSE(choice.routed);
  CHECK_FALSE(choice.reasoning);
}

TEST_CASE("model choice: auto names and an absent model ask for routing", "[routing]") {
  const Decision large = decision({{.model = "large"}});
  ModelCatalog models = catalog();
  models.auto_names = {"auto", "vsr-auto"};
  for (const std::string_view name : {"", "auto", "vsr-auto"}) {
    CAPTURE(name);
    CHECK(choose_model(models, {.requested = name, .decision = &large}).model == "large");
  }
  CHECK_FALSE(choose_model(models, {.requested = "AUTO", .decision = &large}).routed);
}

TEST_CASE("model choice: without a decision, or without candidates, it is the default", "[routing]") {
  CHECK(choose(nullptr).model == "small");
  CHECK(choose(nullptr).routed);
  CHECK_FALSE(choose(nullptr).reasoning);
  const Decision empty = decision({});
  CHECK(choose(&empty).model == "small");
  const ModelChoice tight = choose(nullptr, nullptr, 9000);
  CHECK(tight.model == "small");
  CHECK_THAT(tight.notes.back(), Catch::Contains("window of 8000 tokens"));
}

TEST_CASE("model choice: nothing that names a model is an error", "[routing]") {
  const Decision empty = decision({});
  const auto none = failure_of([] { choose_model({}, {.requested = "auto"}); });
  CHECK(none.status == Status::kNotFound);
  CHECK(none.message ==
        "no model for the request: no decision matched and providers.defaults.default_model is not set");
  CHECK(failure_of([&] { choose_model({}, {.decision = &empty}); }).status == Status::kNotFound);
}

TEST_CASE("model choice: the greatest weight wins, then the first", "[routing]") {
  const Decision equal = decision({{.model = "middle"}, {.model = "large"}});
  CHECK(choose(&equal).model == "middle");
  const Decision weighted = decision({{.model = "middle", .weight = 0.2}, {.model = "large", .weight = 0.8}});
  CHECK(choose(&weighted).model == "large");
}

TEST_CASE("model choice: the cheapest model good enough for the domain wins", "[routing]") {
  const Decision all = decision({{.model = "large"}, {.model = "small"}, {.model = "middle"}});
  DomainRule math{.name = "math", .model_scores = {{"small", 0.6}, {"middle", 0.85}, {"large", 0.9}}};
  CHECK(choose(&all, &math).model == "middle");
  CHECK_THAT(choose(&all, &math).notes.back(), Catch::Contains("middle scores 0.85 in math (best 0.9)"));
  math.model_scores[0].score = 0.82;
  CHECK(choose(&all, &math).model == "small");
  math.model_scores[1].score = math.model_scores[0].score = 0.5;
  CHECK(choose(&all, &math).model == "large");
}

TEST_CASE("model choice: a model without a price is dearer than any with one, one without a score is out",
          "[routing]") {
  const Decision refs = decision({{.model = "free-text"}, {.model = "large"}, {.model = "small"}});
  const DomainRule law{.name = "law", .model_scores = {{"free-text", 0.9}, {"large", 0.85}}};
  CHECK(choose(&refs, &law).model == "large");
  const DomainRule unknown{.name = "law", .model_scores = {{"free-text", 0.9}}};
  CHECK(choose(&refs, &unknown).model == "free-text");
  const DomainRule elsewhere{.name = "law", .model_scores = {{"other", 0.9}}};
  CHECK(choose(&refs, &elsewhere).model == "free-text");
}

TEST_CASE("model choice: at equal cost the higher score wins, then the first", "[routing]") {
  ModelCatalog models{.models = {card("a", 0, 1), card("b", 0, 1), card("c", 0, 1)}};
  const Decision refs = decision({{.model = "a"}, {.model = "b"}, {.model = "c"}});
  const DomainRule rule{.name = "law", .model_scores = {{"a", 0.8}, {"b", 0.81}, {"c", 0.81}}};
  CHECK(choose_model(models, {.decision = &refs, .domain = &rule}).model == "b");
}

TEST_CASE("model choice: a domain's scores serve a decision that names no model", "[routing]") {
  const Decision empty = decision({});
  const DomainRule math{.name = "math", .model_scores = {{"large", 0.9, true}, {"middle", 0.88, true}}};
  const ModelChoice choice = choose(&empty, &math);
  CHECK(choice.model == "middle");
  CHECK(choice.reasoning == true);
  CHECK(choose(nullptr, &math).model == "small");
}

TEST_CASE("model choice: a window that cannot hold the prompt is passed over while another can", "[routing]") {
  const Decision refs = decision({{.model = "small"}, {.model = "middle"}, {.model = "large"}});
  CHECK(choose(&refs, nullptr, 7999).model == "small");
  const ModelChoice longer = choose(&refs, nullptr, 8000);
  CHECK(longer.model == "middle");
  CHECK_THAT(longer.notes.front(), Catch::Contains("passed over: small has a window of 8000 tokens"));
  const DomainRule math{.name = "math", .model_scores = {{"small", 0.9}, {"middle", 0.9}, {"large", 0.2}}};
  CHECK(choose(&refs, &math, 50000).model == "large");
  const ModelChoice nowhere = choose(&refs, nullptr, 1000000);
  CHECK(nowhere.model == "small");
  CHECK(nowhere.notes.size() == 3);
}

TEST_CASE("model choice: LoRA name, reasoning and effort are the modelRef's", "[routing]") {
  Decision refs = decision({{.model = "large", .lora_name = "math-expert", .use_reasoning = true}});
  const ModelChoice choice = choose(&refs);
  CHECK(choice.model == "large");
  CHECK(choice.lora == "math-expert");
  CHECK(choice.reasoning == true);
  CHECK(choice.effort == "medium");
  refs.models[0].reasoning_effort = "high";
  CHECK(choose(&refs).effort == "high");
  ModelCatalog models = catalog();
  models.default_reasoning_effort = "low";
  refs.models[0].reasoning_effort.reset();
  CHECK(choose_model(models, {.decision = &refs}).effort == "low");
}

TEST_CASE("model choice: without reasoning the effort is the least", "[routing]") {
  Decision refs = decision({{.model = "large", .use_reasoning = false, .reasoning_effort = "high"}});
  CHECK(choose(&refs).reasoning == false);
  CHECK(choose(&refs).effort == "low");
  refs.models[0].reasoning_effort = "none";
  CHECK(choose(&refs).effort == "none");
}
