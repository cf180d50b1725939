// vsr/router.h and vsr/compress.h, in C and C++, over a tiny model.
#include "vsr/router.h"

#include <string>
#include <vector>

#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

namespace {

const char* const kConfig = R"(version: v0.3
routing:
  modelCards: [{name: small}, {name: large}]
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
    embeddings: [{name: card, threshold: 0.999, candidates: ["where is my card?"]}]
    role_bindings: [{name: admins, role: admin, subjects: [{kind: Group, name: staff}]}]
    metadata: [{name: beta, key: plan, predicate: {equals: beta}}]
  decisions:
    - name: urgent
      priority: 100
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large}]
      plugins:
        - type: header_mutation
          configuration: {update: [{name: X-Lane, value: fast}], delete: [x-slow]}
    - name: staff
      priority: 90
      rules: {operator: OR, conditions: [{type: authz, name: admin}, {type: metadata, name: beta}]}
      modelRefs: [{model: large}]
    - name: card
      priority: 50
      rules: {type: embedding, name: card}
      modelRefs: [{model: small}]
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
)";

std::string config_path(const std::string& vsr_part) {
  static const TempFolder folder;
  static int number = 0;
  return folder.write("router" + std::to_string(++number) + ".yaml", kConfig + vsr_part);
}

std::string with_model() { return "vsr:\n  models:\n    tiny: {path: " + tiny("bert-embedding") + "}\n"; }

}  // namespace

TEST_CASE("router: one file decides, rewrites and changes headers", "[c_api][router]") {
  const vsr::Router router(config_path(""));
  const vsr::Decision decision = router.route(R"({"model":"auto","messages":[{"role":"user","content":"urgent!"}]})");
  CHECK(decision.outcome() == vsr::Outcome::kForward);
  CHECK(decision.name() == "urgent");
  CHECK(decision.model() == "large");
  CHECK(decision.request() == R"({"model":"large","messages":[{"role":"user","content":"urgent!"}]})");
  REQUIRE(decision.headers().size() == 2);
  CHECK(decision.headers()[0].name == "x-lane");
  CHECK(decision.headers()[0].value == "fast");
  CHECK(!decision.headers()[1].value);
  CHECK(decision.explanation().empty());
}

TEST_CASE("router: models of the file are loaded when a signal needs one", "[c_api][router]") {
  const vsr::Router router(config_path(with_model()));
  const vsr::Decision decision = router.route("where is my card?", {.explain = true});
  CHECK(decision.name() == "card");
  CHECK(decision.explanation().find("\"embedding:card\"") != std::string_view::npos);
  bool found = false;
  for (const vsr::Signal& signal : decision.signals())
    found = found || (signal.name == "embedding:card" && signal.matched);
  CHECK(found);
}

TEST_CASE("router: an engine stands in for the file's models", "[c_api][router]") {
  const vsr::Model model(tiny("bert-embedding"));
  vsr::RouterOptions options;
  options.engine = &model;
  const vsr::Router router(config_path(""), options);
  CHECK(router.route("where is my card?").name() == "card");
}

TEST_CASE("router: without any model a signal that needs one is an error", "[c_api][router]") {
  const vsr::Router router(config_path(""));
  try {
    router.route("hello");
    FAIL("it routed");
  } catch (const vsr::Error& error) {
    CHECK(error.code() == VSR_ERR_NOT_FOUND);
    CHECK_THAT(error.what(), Catch::Contains("vsr.models"));
  }
}

TEST_CASE("router: groups and metadata are those of the gateway", "[c_api][router]") {
  const vsr::Router router(config_path(with_model()));
  vsr::RouteOptions options;
  options.groups = {"staff"};
  CHECK(router.route("hello", options).name() == "staff");
  options.groups = {"guests"};
  CHECK(!router.route("hello", options).name());
  options.metadata = {{"plan", "beta"}};
  CHECK(router.route("hello", options).name() == "staff");
}

TEST_CASE("router: decide() needs no model", "[c_api][router]") {
  const vsr::Router router(config_path(""));
  CHECK(router.decide({{"embedding:card", 0.9}}).name() == "card");
  CHECK(!router.decide({}).name());
  CHECK(router.decide({}).model() == "small");
  CHECK_THROWS_WITH(router.decide({{"keyword:urgend", 1}}), Catch::Contains("keyword:urgent"));
  CHECK_THROWS_WITH(router.decide({{"keyword:urgent", 2}}), Catch::Contains("keyword:urgent"));
}

TEST_CASE("router: an answer is stored, found and judged", "[c_api][router]") {
  const vsr::Router router(config_path(with_model() + "  cache: {threshold: 0.95}\n"));
  const vsr::Decision first = router.route("urgent: my card");
  router.store(first, "in the post");
  const vsr::Decision again = router.route("urgent: my card");
  CHECK(again.outcome() == vsr::Outcome::kCached);
  CHECK(again.response() == "in the post");
  router.feedback(again, false);
  CHECK(router.route("urgent: my card").outcome() == vsr::Outcome::kForward);
  CHECK_THROWS_AS(router.feedback(first, true), vsr::Error);
}

TEST_CASE("router: warnings and what is skipped go to the log", "[c_api][router]") {
  std::vector<std::string> lines;
  vsr::RouterOptions options;
  options.lenient = true;
  options.log = [&](vsr::LogLevel level, std::string_view line) {
    CHECK(level == vsr::LogLevel::kWarning);
    lines.emplace_back(line);
  };
  const std::string path = config_path("global: {stores: {memory: {enabled: true}}}\n");
  const vsr::Router router(path, options);
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], Catch::Contains(path) && Catch::Contains("signal \"embedding:card\" needs a model"));
  CHECK_THAT(lines[1], Catch::Contains(path) && Catch::Contains("the store of memories is not run by vsr"));
  lines.clear();
  const std::string never =
      "version: v0.3\nrouting:\n  decisions:\n    - {name: d, rules: {operator: OR, conditions: []}}\n"
      "providers: {defaults: {default_model: m}, models: [{name: m}]}\n";
  const TempFolder folder;
  const vsr::Router warned(folder.write("never.yaml", never), options);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::Contains("never.yaml:4:7: decision \"d\" can never match"));
  CHECK(router.describe().find("\"decisions\"") != std::string::npos);
  CHECK(router.metrics().ends_with("# EOF\n"));
  CHECK(vsr::router_schema().find("\"$schema\"") != std::string::npos);
}

TEST_CASE("router: wrong arguments are named", "[c_api][router]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_router* router = nullptr;
  vsr_router_options own_models = VSR_ROUTER_OPTIONS_INIT;
  own_models.own_models = 1;
  CHECK(vsr_router_open("/does/not/exist.yaml", &own_models, &router, &error) == VSR_ERR_NOT_FOUND);
  CHECK(vsr_router_open(nullptr, nullptr, &router, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message).find("config_path") != std::string::npos);
  REQUIRE(vsr_router_open(config_path("").c_str(), &own_models, &router, &error) == VSR_OK);
  vsr_decision* decision = nullptr;
  CHECK(vsr_router_route(nullptr, str("x"), nullptr, &decision, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_router_route(router, vsr_str{nullptr, 5}, nullptr, &decision, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_router_route(router, str("{\"messages\": 1}"), nullptr, &decision, &error) == VSR_ERR_PARSE);
  vsr_route_options options = VSR_ROUTE_OPTIONS_INIT;
  options.explain = 2;
  CHECK(vsr_router_route(router, str("x"), &options, &decision, &error) == VSR_ERR_INVALID_ARGUMENT);
  const char* const twice[] = {"A", "a"};
  const vsr_str values[] = {str("1"), str("2")};
  options = VSR_ROUTE_OPTIONS_INIT;
  options.header_names = twice;
  options.header_values = values;
  options.header_count = 2;
  CHECK(vsr_router_route(router, str("x"), &options, &decision, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message) == "header_names[1]: \"a\" is given twice");
  CHECK(decision == nullptr);
  CHECK(vsr_router_decide(router, nullptr, nullptr, 1, &decision, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_router_store(router, nullptr, str("x"), &error) == VSR_ERR_INVALID_ARGUMENT);
  vsr_router_free(router);
  vsr_router_free(nullptr);
  vsr_decision_free(nullptr);
  CHECK(vsr_decision_name(nullptr).data == nullptr);
  CHECK(vsr_decision_signal(nullptr, 0) == nullptr);
  CHECK(vsr_decision_outcome(nullptr) == VSR_OUTCOME_NONE);
}

TEST_CASE("compress: kept parts are whole, in order, and within the budget", "[c_api][compress]") {
  std::string text = "The quarterly report is due. ";
  for (int i = 0; i < 200; ++i) text += "The road was long and the day was warm. ";
  text += "Which tax rate applies to exported machines?";
  const vsr::Compressed compressed = vsr::compress(text, 60);
  CHECK(compressed.estimated());
  CHECK(compressed.tokens_after() <= 60);
  CHECK(compressed.tokens_before() > 1000);
  size_t end = 0;
  for (const vsr::Range& part : compressed.kept()) {
    CHECK(part.start >= end);
    CHECK(part.end > part.start);
    end = part.end;
  }
  CHECK(end <= text.size());
  CHECK(compressed.text().find("tax rate") != std::string_view::npos);

  const vsr::Tokenizer tokenizer(tiny("bert-embedding"));
  vsr::CompressOptions options;
  options.tokenizer = &tokenizer;
  CHECK(vsr::compress(text, 60, options).tokens_after() <= 60);
  CHECK(vsr::compress("short", 60).text() == "short");
  CHECK_THROWS_AS(vsr::compress(text, 0), vsr::Error);
}
