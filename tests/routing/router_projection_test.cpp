// Projections, partitions and the signals that came with them, from the file to the outcome.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "routing/decision/decision_evaluation.h"
#include "routing/signals/event_words.h"
#include "routing/signals/signal_keyword.h"
#include "routing/support/router_files.h"

using namespace vsr::routing;
using vsr::test::kModels;
using vsr::test::strict;
using vsr::test::strict_failure;

namespace {

std::string with_projections(const std::string& projections, const std::string& rule) {
  return std::string(kModels) + "routing:\n  signals:\n" +
         "    keywords: [{name: a, keywords: [x]}, {name: b, keywords: [y]}]\n"
         "    domains: [{name: law}, {name: math}, {name: other}]\n"
         "    complexity: [{name: c, hard: {candidates: [h]}, easy: {candidates: [e]}}]\n"
         "  projections:\n" +
         projections + "  decisions:\n    - {name: d, rules: " + rule + "}\n    - {name: rest}\n";
}

constexpr const char* kScore =
    "    scores:\n"
    "      - {name: s, method: weighted_sum, inputs: [{type: keyword, name: a, weight: 0.4},\n"
    "          {type: keyword, name: b, weight: 0.3, value_source: confidence},\n"
    "          {type: complexity, name: 'c:hard', weight: -0.5, match: 2, miss: 0.5}]}\n"
    "    mappings:\n"
    "      - {name: m, source: s, method: threshold_bands, calibration: {method: sigmoid_distance, slope: 10},\n"
    "         outputs: [{name: low, lt: 0.1}, {name: high, gte: 0.1}, {name: never, gte: 0.2}]}\n";

// The winner's confidence by signals "type:name"; -1: not "d".
double confidence(const RouterConfig& config, const std::map<std::string, Signal>& given) {
  const DecisionEngine engine(config);
  std::vector<Signal> signals;
  for (const auto& leaf : engine.signals()) {
    const auto at = given.find(leaf.ref.key());
    signals.push_back(at == given.end() ? Signal{} : at->second);
  }
  auto scratch = engine.scratch();
  const Winner winner = engine.decide(signals, scratch);
  return config.decisions[static_cast<size_t>(winner.decision)].name == "d" ? winner.confidence : -1;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("projections: a weighted sum lies in the first band that holds", "[routing][projection]") {
  const RouterConfig config = strict(with_projections(kScore, "{type: projection, name: high}"));
  // Nothing: -0.5 * 0.5.
  CHECK(confidence(config, {}) == -1);
  CHECK(confidence(config, {{"keyword:a", {true, 0.6}}}) == Approx(logistic(10 * 0.05)));  // 0.4 - 0.25 = 0.15
  CHECK(confidence(config, {{"keyword:a", {true, 0.6}}, {"keyword:b", {true, 0.5}}}) == Approx(logistic(10 * 0.2)));
  CHECK(confidence(config, {{"keyword:a", {true, 0.6}}, {"complexity:c:hard", {true, 0.5}}}) == -1);  // 0.4 - 1
  CHECK(confidence(strict(with_projections(kScore, "{type: projection, name: never}")),
                   {{"keyword:a", {true, 0.6}}, {"keyword:b", {true, 1}}}) == -1);
  std::string all = kScore;
  all.replace(all.find("threshold_bands"), 15, "multi_emit");
  CHECK(confidence(strict(with_projections(all, "{type: projection, name: never}")),
                   {{"keyword:a", {true, 0.6}}, {"keyword:b", {true, 1}}}) > 0.5);
}

TEST_CASE("projections: of a partition one member matches, or its default", "[routing][projection]") {
  const auto config = [](const std::string& semantics, const std::string& rule) {
    return strict(with_projections("    partitions:\n      - {name: p, semantics: " + semantics +
                                       ", temperature: 0.1, members: [law, math, other], default: other}\n",
                                   rule));
  };
  const RouterConfig law = config("exclusive", "{type: domain, name: law}");
  CHECK(confidence(law, {{"domain:law", {true, 0.7}}}) == 0.7);
  CHECK(confidence(law, {{"domain:law", {true, 0.7}}, {"domain:math", {true, 0.6}}}) == 0.7);
  CHECK(confidence(law, {{"domain:law", {true, 0.7}}, {"domain:math", {true, 0.8}}}) == -1);
  CHECK(confidence(law, {}) == -1);
  CHECK(confidence(config("exclusive", "{type: domain, name: other}"), {}) == 1);
  const RouterConfig softmax = config("softmax_exclusive", "{type: domain, name: law}");
  CHECK(confidence(softmax, {{"domain:law", {true, 0.7}}}) == 0.7);
  CHECK(confidence(softmax, {{"domain:law", {true, 0.7}}, {"domain:math", {true, 0.6}}}) ==
        Approx(1 / (1 + std::exp(-1))));
}

TEST_CASE("projections: signals that cannot change the band are not asked for", "[routing][projection]") {
  const RouterConfig config = strict(with_projections(
      "    scores: [{name: s, inputs: [{type: keyword, name: a, weight: 1}, {type: domain, name: law, weight: 0.2}]}]\n"
      "    mappings: [{name: m, source: s, outputs: [{name: low, lt: 0.5}, {name: high, gte: 0.5}]}]\n",
      "{operator: NOT, conditions: [{type: projection, name: low}]}"));
  const DecisionEngine engine(config);
  Evaluation evaluation(engine);
  REQUIRE_FALSE(evaluation.done());
  for (const uint32_t id : evaluation.needed()) {
    CHECK(engine.signals()[id].ref == SignalRef{"keyword", "a"});
    evaluation.set(id, Signal{true, 1});
  }
  CHECK(evaluation.done());
}

TEST_CASE("projections: what is wrong is named with its place", "[routing][projection]") {
  const std::string rule = "{type: keyword, name: a}";
  const auto message = [&](const std::string& projections) {
    return strict_failure(with_projections(projections, rule)).message;
  };
  CHECK(message("    partitions: [{name: p, semantics: exclusive, members: [law, a], default: law}]\n")
            .find("members of a partition are all domains or all embeddings") != std::string::npos);
  CHECK(message("    partitions: [{name: p, semantics: exclusive, members: [law, math], default: other}]\n")
            .find("which is none of the members") != std::string::npos);
  CHECK(message("    scores: [{name: s, inputs: [{type: keyword, name: zz, weight: 1}]}]\n")
            .find("which no keyword signal of this file is called") != std::string::npos);
  CHECK(message("    mappings: [{name: m, source: zz, outputs: [{name: o, gt: 1}]}]\n").find("which is no score") !=
        std::string::npos);
  CHECK(message("    scores: [{name: s, inputs: [{type: projection, name: o, weight: 1}]}]\n"
                "    mappings: [{name: m, source: s, outputs: [{name: o, gt: 1}]}]\n")
            .find("needs itself, by way of projections") != std::string::npos);
  CHECK(message("    scores: [{name: s, inputs: [{type: kb_metric, kb: k, metric: m, weight: 1}]}]\n")
            .find("which global.model_catalog.kbs does not define") != std::string::npos);
}

TEST_CASE("events: criteria become keyword rules", "[routing][signals]") {
  const EventRule rule{
      .name = "e", .event_types = {"payment_failed"}, .severities = {"critical", "high"}, .temporal = true};
  const std::vector<KeywordRule> words = event_words(rule);
  REQUIRE(words.size() == 3);
  const KeywordSignals signals(words);
  const auto matched = [&](std::string_view text) {
    int count = 0;
    for (const SignalValue& value : signals.evaluate(text)) count += value.matched ? 1 : 0;
    return count;
  };
  CHECK(matched(R"({"event": "PAYMENT_FAILED", "severity": "High"})") == 2);
  CHECK(matched("respond immediately: critical payment_failed") == 3);
  CHECK(matched("highlight the payment") == 0);
}
