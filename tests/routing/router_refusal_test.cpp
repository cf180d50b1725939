// What a router does not let a request go past, and what of it does not depend on the request.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/support/opened_router.h"
#include "support/host_locale.h"

using namespace vsr;
using namespace vsr::routing;
using base::Status;
using test::Failure;
using Opened = test::OpenedRouter;
using Json = nlohmann::json;

TEST_CASE("router refusal: lenient, no request goes past a rule that might have blocked it", "[routing][open]") {
  const auto with = [](const std::string& rules, const std::string& first = "") {
    return R"(routing:
  signals:
    keywords: [{name: bad, keywords: [bad]}, {name: fine, keywords: [fine]}]
    embeddings: [{name: again, threshold: 0.1, candidates: [x], query_modality: image}]
    language: [{name: en}]
  decisions:
    - {name: block, priority: 50, rules: )" +
           rules + R"(, plugins: [{type: fast_response, configuration: {message: "no"}}]}
    - {name: fine, priority: 10, rules: {type: keyword, name: fine}, modelRefs: [{model: large}]}
)" + first;
  };
  const std::string skipped = "{type: embedding, name: again}";
  const std::string word = "{type: keyword, name: bad}";

  {  // The whole rule hangs on it: everything is refused but what comes first.
    Opened opened(with(skipped, "    - {name: first, priority: 90, rules: {type: keyword, name: fine}}\n"), true);
    REQUIRE_FALSE(opened.failure.status);
    CHECK_THAT(opened.warnings(),
               Catch::VectorContains(
                   std::string(R"(r.yaml:10:7: decision "block" blocks or protects and needs embedding:again, which )"
                               "is not run: requests that it might have won are refused")));
    CHECK(opened.route("hello") ==
          Failure{Status::kUnsupported, R"(r.yaml:10:7: decision "block" blocks or protects, and might have won: its )"
                                        "rule needs embedding:again, which is not run"});
    REQUIRE_FALSE(opened.route("fine").status);
    CHECK(opened.routed.decision == "first");
  }
  {  // AND: only where the rest of the rule matches.
    Opened opened(with("{operator: AND, conditions: [" + skipped + ", " + word + "]}"), true);
    CHECK(opened.route("bad").status == Status::kUnsupported);
    CHECK(opened.route("bad and fine").status == Status::kUnsupported);
    REQUIRE_FALSE(opened.route("fine").status);
    CHECK(opened.routed.decision == "fine");
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK_FALSE(opened.routed.decision);
  }
  {  // OR: what surely matches is blocked, the rest refused.
    Opened opened(with("{operator: OR, conditions: [" + skipped + ", " + word + "]}"), true);
    REQUIRE_FALSE(opened.route("bad").status);
    CHECK(opened.routed.outcome == RouteOutcome::kRespond);
    CHECK(opened.route("hello").status == Status::kUnsupported);
  }
  {  // NOT: a signal that is not run does not match, so that the rule does, and blocks.
    Opened opened(with("{operator: NOT, conditions: [" + skipped + "]}"), true);
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.outcome == RouteOutcome::kRespond);
  }
  {  // A rule that came before the one that blocks, and would not have with a signal that is not run.
    const std::string shadow = "    - {name: shadow, priority: 99, rules: {operator: NOT, conditions: [" + skipped +
                               "]}, modelRefs: [{model: large}]}\n";
    Opened opened(with(word, shadow), true);
    CHECK(opened.route("bad") == Failure{Status::kUnsupported,
                                         R"(r.yaml:10:7: decision "block" blocks or protects, and might have won: a )"
                                         "rule that came before it needs a signal that is not run"});
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.decision == "shadow");
  }
  {  // decide() is told what matched.
    const Opened opened(with(skipped), true);
    CHECK(opened.router->decide(std::vector<GivenSignal>{{"embedding:again", 1}}).outcome == RouteOutcome::kRespond);
    CHECK_FALSE(opened.router->decide({}).decision);
  }
  {  // Nothing hangs on what blocks nothing.
    Opened opened(R"(routing:
  signals: {embeddings: [{name: again, threshold: 0.1, candidates: [x], query_modality: image}]}
  decisions: [{name: d, rules: {type: embedding, name: again}, modelRefs: [{model: large}]}]
)",
                  true);
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK_FALSE(opened.routed.decision);
  }
}

TEST_CASE("router refusal: lenient, a request that names its model is refused as well where it is checked",
          "[routing][open]") {
  const auto with = [](const std::string& passthrough) {
    return R"(routing:
  signals: {keywords: [{name: bad, keywords: [bad]}], embeddings: [{name: again, threshold: 0.1, candidates: [x], query_modality: image}]}
  decisions:
    - name: block
      rules: {operator: AND, conditions: [{type: keyword, name: bad}, {type: embedding, name: again}]}
      plugins: [{type: fast_response, configuration: {message: "no"}}]
vsr: {passthrough: )" +
           passthrough + "}\n";
  };
  const auto body = [](const std::string& text) {
    return Json{{"model", "large"}, {"messages", {{{"role", "user"}, {"content", text}}}}}.dump();
  };
  Opened checked(with("check"), true);
  CHECK(checked.route(body("bad")).status == Status::kUnsupported);
  REQUIRE_FALSE(checked.route(body("fine")).status);
  CHECK(checked.routed.outcome == RouteOutcome::kPassthrough);
  Opened allowed(with("allow"), true);
  CHECK_FALSE(allowed.route(body("bad")).status);
}

TEST_CASE("router refusal: evaluating everything refuses the same requests", "[routing][open]") {
  Opened opened(R"(routing:
  signals: {keywords: [{name: a, keywords: [one]}, {name: b, keywords: [two]}], embeddings: [{name: r, threshold: 0.1, candidates: [x], query_modality: image}]}
  decisions:
    - {name: block, priority: 5, rules: {operator: AND, conditions: [{type: keyword, name: a}, {type: embedding, name: r}]},
       plugins: [{type: fast_response, configuration: {message: "no"}}]}
    - {name: b, priority: 9, rules: {type: keyword, name: b}}
)",
                true);
  for (const char* text : {"one", "two", "one two", "three"}) {
    CAPTURE(text);
    const Failure lazy = opened.route(text);
    CHECK(opened.route(text, {.evaluate_all = true}) == lazy);
    CHECK(lazy.status.has_value() == (std::string(text) == "one"));
  }
}

TEST_CASE("router open: metrics name configured models alone", "[routing][open][metrics]") {
  Opened opened("");
  for (int i = 0; i < 400; ++i) {
    const Json body = {{"model", "made-up-" + std::to_string(i)},
                       {"messages", {{{"role", "user"}, {"content", "hi"}}}}};
    REQUIRE_FALSE(opened.route(body.dump()).status);
  }
  REQUIRE_FALSE(opened.route("hi").status);
  REQUIRE_FALSE(opened.route(R"({"model": "large", "messages": [{"role": "user", "content": "hi"}]})").status);
  const std::string text = opened.router->metrics();
  CHECK_THAT(text, !Catch::Contains("made-up"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="other"} 400)"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="small"} 1)"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="large"} 1)"));
}

TEST_CASE("router open: metrics have room for every decision of a large file", "[routing][open][metrics]") {
  std::string text = "routing:\n  signals:\n    keywords:\n";
  std::string decisions = "  decisions:\n";
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    text += "      - {name: k" + n + ", keywords: [word" + n + "]}\n";
    decisions += "    - {name: d" + n + ", rules: {type: keyword, name: k" + n + "}}\n";
  }
  Opened opened(text + decisions);
  for (int i = 0; i < 300; ++i) REQUIRE_FALSE(opened.route("word" + std::to_string(i)).status);
  const std::string metrics = opened.router->metrics();
  CHECK_THAT(metrics, !Catch::Contains("other"));
  CHECK_THAT(metrics, Catch::Contains(R"(vsr_route_decisions_total{decision="d299"} 1)"));
}

TEST_CASE("router open: the host's locale changes nothing", "[routing][open][locale]") {
  const std::string text = R"(routing:
  modelCards: [{name: small, context_window_size: 40000, quality_score: 0.55}]
  signals:
    keywords: [{name: k, method: bm25, bm25_threshold: 0.25, keywords: [refund, money]}]
    embeddings: [{name: e, threshold: 0.75, candidates: [x]}]
    structure: [{name: s, feature: {type: density, source: {type: keyword_set, keywords: [money]}}, predicate: {gt: 0.01}}]
  decisions:
    - name: d
      rules: {operator: OR, conditions: [{type: keyword, name: k}, {type: embedding, name: e}, {type: structure, name: s}]}
      modelRefs: [{model: small, weight: 1.5}, {model: large, weight: 0.25}]
      plugins: [{type: request_params, configuration: {max_tokens_limit: 123456}}]
vsr: {cache: {threshold: 0.935, ttl_seconds: 86400}}
)";
  const auto all = [&] {
    Opened opened(text);
    CHECK_FALSE(opened.failure.status);
    CHECK_FALSE(opened
                    .route(R"({"max_tokens": 9999999, "temperature": 0.125, "messages": )"
                           R"([{"role": "user", "content": "my money back, a refund of 1,234.5"}]})",
                           {.evaluate_all = true})
                    .status);
    std::string told = opened.routed.request + *opened.routed.model + std::to_string(opened.routed.confidence > 0);
    for (const EvaluatedSignal& signal : opened.routed.signals) {
      told += Json{signal.name, signal.value.confidence, signal.value.value, signal.value.detail}.dump();
    }
    const std::string metrics = opened.router->metrics();
    for (const char* part : {"le=\"0.00025\"", "le=\"2.5\"", "vsr_cache_lookups 1\n"}) {
      CHECK_THAT(metrics, Catch::Contains(part));
    }
    Json info = Json::parse(opened.router->describe());
    for (const char* key : {"path", "warnings"}) info.erase(key);  // they name the folder
    return told + info.dump();
  };
  const std::string plain = all();
  {
    const test::CommaStreams streams;
    CHECK(all() == plain);
  }
  const test::HostLocale host("de_DE");
  if (!host.set()) WARN("no locale de_DE on this machine, and it could not be made");
  CHECK(all() == plain);
}
