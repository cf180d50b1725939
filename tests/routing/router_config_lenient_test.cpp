// What the form knows and vsr does not run: an error in strict mode, a line of `skipped` with `lenient`.
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "routing/support/router_files.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::kModels;
using vsr::test::lenient;
using vsr::test::strict_failure;
using vsr::test::with_decisions;

TEST_CASE("router config: what vsr does not run is refused or skipped, with its place", "[routing][config]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"routing: {signals: {embeddings: [{name: e, threshold: 0.1, candidates: [x], query_modality: image}]}}",
       R"(r.yaml:1:93: the query_modality image of "e")"},
      {with_decisions("  - {name: d, algorithm: {type: gmtrouter}}"), "r.yaml:11:26: selection algorithm gmtrouter"},
      {"global: {stores: {memory: {enabled: true}}}", "r.yaml:1:27: the store of memories"},
      {with_decisions("  - {name: d, plugins: [{type: rag, configuration: {enabled: true}}]}"),
       "r.yaml:11:25: plugin rag"},
      {with_decisions("  - {name: d, plugins: [{type: image_gen, configuration: {enabled: true}}]}"),
       "r.yaml:11:25: plugin image_gen"},
      {with_decisions(
           "  - {name: d, plugins: [{type: context_compression, configuration: {recovery: {enabled: true}}}]}"),
       "r.yaml:11:79: recovery of context_compression"},
  };
  for (const auto& [text, what] : cases) {
    CAPTURE(text);
    CHECK(strict_failure(text) ==
          Failure{Status::kUnsupported, what + " is known but not run by vsr (lenient skips it)"});
    const RouterConfig config = lenient(text);
    REQUIRE(config.skipped.size() == 1);
    CHECK(config.skipped[0].find(what + " is not run by vsr") == 0);
    CHECK(config.route_refusal.empty());
  }
}

TEST_CASE("router config: what is switched off is not refused", "[routing][config]") {
  CHECK(vsr::test::strict(with_decisions("  - {name: d, plugins: [{type: rag, configuration: {enabled: false}}]}"))
            .skipped.empty());
  CHECK(vsr::test::strict("global: {router: {learning: {enabled: false}}}").skipped.empty());
  CHECK(vsr::test::strict("entrypoints: []").skipped.empty());
}

TEST_CASE("router config: leaves of skipped signals keep their names and never match", "[routing][config]") {
  const RouterConfig config = lenient(std::string(kModels) + R"(
routing:
  projections:
    scores: [{name: s, inputs: [{type: embedding, name: image, weight: 1}]}]
    mappings: [{name: m, source: s, outputs: [{name: band, gte: 0.5}]}]
  signals:
    embeddings: [{name: image, threshold: 0.1, candidates: [x], query_modality: image}]
    keywords: [{name: k, keywords: [x]}]
  decisions:
    - {name: a, rules: {operator: OR, conditions: [{type: projection, name: band}, {type: keyword, name: k}]}}
    - {name: b, rules: {type: embedding, name: image}}
    - {name: c, rules: {operator: NOT, conditions: [{type: embedding, name: image}]}}
)");
  CHECK(config.not_run == std::vector<SignalRef>{{"projection", "band"}, {"embedding", "image"}});
  CHECK(config.decisions[0].rules.children[0].leaf == SignalRef{"projection", "band"});
  CHECK(config.route_refusal.empty());
  CHECK(config.warnings ==
        std::vector<std::string>{
            R"(r.yaml:14:7: decision "b" can never match when routing: it needs signals that are not run)"});
}

TEST_CASE("router config: a fragment without signals or models loads with lenient alone", "[routing][config]") {
  const std::string text = R"(
routing:
  decisions:
    - name: d
      rules: {operator: NOT, conditions: [{type: jailbreak, name: j}]}
      modelRefs: [{model: m, lora_name: l}]
)";
  CHECK(strict_failure(text) ==
        Failure{Status::kParse, R"(r.yaml:5:67: "name" is "j", which no jailbreak signal of this file is called)"});
  const RouterConfig config = lenient(text);
  CHECK(config.skipped ==
        std::vector<std::string>{"r.yaml:5:43: no signals are defined here: jailbreak:j is known to decide alone"});
  CHECK_FALSE(config.route_refusal.empty());
  CHECK(config.decisions.at(0).models.at(0).model == "m");
}
