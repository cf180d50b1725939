// Recipes: several routings in one file, by the name that a request gives for its model.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/support/opened_router.h"

using namespace vsr;
using namespace vsr::routing;
using test::Failure;
using Opened = test::OpenedRouter;
using Json = nlohmann::json;

namespace {

const std::string kMain = R"(routing:
  signals: {keywords: [{name: k, keywords: [code]}]}
  decisions: [{name: main, rules: {type: keyword, name: k}, modelRefs: [{model: large}]}]
)";

const std::string kRecipes = R"(entrypoints:
  - {model_names: [org/auto], recipe: default}
  - {model_names: [org/private, org/secret], recipe: private}
recipes:
  - name: private
    description: for people
    routing:
      signals: {keywords: [{name: k, keywords: [card]}]}
      decisions: [{name: private, rules: {type: keyword, name: k}, modelRefs: [{model: small}],
                   plugins: [{type: router_replay, configuration: {enabled: true}}]}]
)";

std::string body(const std::string& model, const std::string& text) {
  return Json{{"model", model}, {"messages", {{{"role", "user"}, {"content", text}}}}}.dump();
}

std::string decided(Opened& opened, const std::string& model, const std::string& text) {
  REQUIRE_FALSE(opened.route(body(model, text)).status);
  return opened.routed.decision.value_or("none") + " " + opened.routed.recipe;
}

}  // namespace

TEST_CASE("router recipe: the name of a model chooses the routing", "[routing][recipe]") {
  Opened opened(kMain + kRecipes);
  REQUIRE(opened.failure == Failure{});
  for (const char* name : {"auto", "org/auto"}) {
    CHECK(decided(opened, name, "write code") == "main ");
    CHECK(decided(opened, name, "my card") == "none ");
  }
  for (const char* name : {"org/private", "org/secret"}) {
    CHECK(decided(opened, name, "my card") == "private private");
    CHECK(Json::parse(opened.routed.request).at("model") == "small");
    CHECK(decided(opened, name, "write code") == "none private");
  }
  REQUIRE_FALSE(opened.route(body("large", "my card")).status);
  CHECK(opened.routed.outcome == RouteOutcome::kPassthrough);
  const Json replay = Json::parse(opened.router->replay());
  CHECK(replay.at("records").empty());
  CHECK(replay.at("recipes").at("private").at("records").size() == 2);
  const Json described = Json::parse(opened.router->describe());
  CHECK(described.at("recipes")[0] ==
        Json{{"name", "private"}, {"entrypoints", {"org/private", "org/secret"}}, {"decisions", {"private"}}});
}

TEST_CASE("router recipe: answers of the cache are of the name that was asked", "[routing][recipe][cache]") {
  Opened opened(kMain + kRecipes + "vsr: {cache: {}}\n");
  REQUIRE(opened.failure == Failure{});
  REQUIRE_FALSE(opened.route(body("org/private", "my card")).status);
  opened.router->store(opened.routed, "of the recipe");
  REQUIRE_FALSE(opened.route(body("org/auto", "my card")).status);
  CHECK(opened.routed.outcome == RouteOutcome::kForward);
  REQUIRE_FALSE(opened.route(body("org/private", "my card")).status);
  CHECK(opened.routed.response == "of the recipe");
}

TEST_CASE("router recipe: the cache reads what plugins of any routing name", "[routing][recipe][cache]") {
  const std::string by_user = "{type: response_cache, configuration: {enabled: true, scope: user}}";
  const std::string large = "modelRefs: [{model: large}]", replay = "{type: router_replay";
  std::string in_main = kMain, in_recipe = kRecipes;
  in_main.replace(in_main.find(large), large.size(), large + ", plugins: [" + by_user + "]");
  in_recipe.insert(in_recipe.find(replay), by_user + ", ");
  for (const std::string& text : {in_main + kRecipes, kMain + in_recipe}) {
    CAPTURE(text);
    Opened opened(text + "vsr: {cache: {}}\n");
    REQUIRE(opened.failure == Failure{});
    for (const char* name : {"org/auto", "org/private"}) {
      CHECK(opened.route(body(name, "my card")) == Failure{});
      CHECK(opened.route(body(name, "write code")) == Failure{});
    }
  }
}

TEST_CASE("router recipe: a reload changes recipes as well", "[routing][recipe]") {
  Opened opened(kMain + kRecipes);
  REQUIRE(opened.failure == Failure{});
  std::string changed = test::kTwoModels + kMain + kRecipes;
  changed.replace(changed.find("[card]"), 6, "[door]");
  opened.folder.write("r.yaml", changed);
  opened.router->reload({.inference = opened.models});
  CHECK(decided(opened, "org/private", "my card") == "none private");
  CHECK(decided(opened, "org/private", "my door") == "private private");
}

TEST_CASE("router recipe: what is wrong with one is said with its place", "[routing][recipe]") {
  const auto failure = [](const std::string& recipes) { return Opened(kMain + recipes).failure.message; };
  CHECK_THAT(failure("entrypoints: [{model_names: [a], recipe: r}]\n"),
             Catch::Contains("r.yaml:7:42") && Catch::Contains("\"r\", which is no recipe of this file"));
  CHECK_THAT(failure("recipes: [{name: r}]\n"), Catch::Contains("routing"));
  CHECK_THAT(failure("recipes: [{name: r, routing: {}}, {name: r, routing: {}}]\n"), Catch::Contains("which is taken"));
  CHECK_THAT(failure("recipes: [{name: default, routing: {}}]\n"), Catch::Contains("which is taken"));
  CHECK_THAT(failure("recipes: [{name: r, routing: {decision: []}}]\n"), Catch::Contains("decision"));
  CHECK_THAT(failure("recipes: [{name: r, routing: {}}]\nentrypoints: [{model_names: [large], recipe: r}]\n"),
             Catch::Contains("which is a model's name too"));
  CHECK_THAT(failure("recipes: [{name: a, routing: {}}, {name: b, routing: {}}]\n"
                     "entrypoints: [{model_names: [n], recipe: a}, {model_names: [n], recipe: b}]\n"),
             Catch::Contains("enters the recipe a already"));
  Opened lonely(kMain + "recipes: [{name: r, routing: {}}]\n");
  CHECK_THAT(lonely.warnings(), Catch::VectorContains(std::string("r.yaml:7:11: recipe \"r\" has no entrypoint")));
}
