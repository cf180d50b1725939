#include "routing/decision/decision_engine.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "routing/decision/decision_trace.h"
#include "routing/support/router_files.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::strict;
using vsr::test::with_decisions;

namespace {

using Given = std::map<std::string, double>;

// The winner's name and confidence.
std::pair<std::string, double> decide(const RouterConfig& config, const Given& given) {
  const Winner outcome = DecisionEngine(config).decide(given);
  return {outcome.decision < 0 ? "" : config.decisions[static_cast<size_t>(outcome.decision)].name, outcome.confidence};
}

std::pair<std::string, double> decide(const std::string& decisions, const Given& given,
                                      const std::string& routing = "") {
  return decide(strict(with_decisions(decisions, routing)), given);
}

using Pair = std::pair<std::string, double>;

}  // namespace

TEST_CASE("decision engine: AND is the mean, OR the maximum, NOT one", "[routing][decision]") {
  const std::string both =
      "  - {name: d, rules: {operator: AND, conditions: [{type: keyword, name: a}, {type: keyword, name: b}]}}\n";
  CHECK(decide(both, {{"keyword:a", 0.5}, {"keyword:b", 1.0}}) == Pair{"d", 0.75});
  CHECK(decide(both, {{"keyword:a", 0.5}}) == Pair{"", 0});
  const std::string either =
      "  - {name: d, rules: {operator: OR, conditions: [{type: keyword, name: a}, {type: keyword, name: b}]}}\n";
  CHECK(decide(either, {{"keyword:a", 0.5}, {"keyword:b", 0.25}}) == Pair{"d", 0.5});
  CHECK(decide(either, {{"keyword:b", 0.25}}) == Pair{"d", 0.25});
  CHECK(decide(either, {}) == Pair{"", 0});
  const std::string neither = "  - {name: d, rules: {operator: NOT, conditions: [{type: keyword, name: a}]}}\n";
  CHECK(decide(neither, {}) == Pair{"d", 1});
  CHECK(decide(neither, {{"keyword:a", 0}}) == Pair{"", 0});
}

TEST_CASE("decision engine: a leaf matches with its signal, whatever the confidence", "[routing][decision]") {
  const std::string leaf = "  - {name: d, rules: {type: keyword, name: a}}\n";
  CHECK(decide(leaf, {{"keyword:a", 0}}) == Pair{"d", 0});
  CHECK(decide(leaf, {{"keyword:b", 1}}) == Pair{"", 0});
}

TEST_CASE("decision engine: no rules and an empty AND match with confidence 0", "[routing][decision]") {
  CHECK(decide("  - {name: d}\n", {}) == Pair{"d", 0});
  CHECK(decide("  - {name: d, rules: {operator: AND, conditions: []}}\n", {}) == Pair{"d", 0});
  CHECK(decide("  - {name: d, rules: {operator: OR, conditions: []}}\n", {}) == Pair{"", 0});
  CHECK(decide("  - {name: d, rules: {operator: AND, conditions: [{operator: AND}, {type: keyword, name: a}]}}\n",
               {{"keyword:a", 1}}) == Pair{"d", 0.5});
}

TEST_CASE("decision engine: the strategy orders by priority or by confidence, then by the other, then by name",
          "[routing][decision]") {
  const std::string two =
      "  - {name: z, priority: 2, rules: {type: keyword, name: a}}\n"
      "  - {name: y, priority: 1, rules: {type: keyword, name: b}}\n"
      "  - {name: x, priority: 1, rules: {type: keyword, name: b}}\n";
  const Given given = {{"keyword:a", 0.1}, {"keyword:b", 0.9}};
  CHECK(decide(two, given).first == "z");
  CHECK(decide(two, given, "  strategy: confidence\n").first == "x");
  CHECK(decide(two, {{"keyword:a", 0.5}, {"keyword:b", 0.5}}, "  strategy: confidence\n").first == "z");
  CHECK(decide(two, {{"keyword:b", 0.5}}).first == "x");
  const std::string tied =
      "  - {name: p, priority: 1, rules: {type: keyword, name: a}}\n"
      "  - {name: q, priority: 1, rules: {type: keyword, name: b}}\n";
  CHECK(decide(tied, given).first == "q");
}

TEST_CASE("decision engine: tiers count as soon as one matches", "[routing][decision]") {
  const std::string tiers =
      "  - {name: plain, priority: 1, rules: {type: keyword, name: a}}\n"
      "  - {name: better, priority: 5, rules: {type: keyword, name: a}}\n"
      "  - {name: two, tier: 2, priority: 9, rules: {type: keyword, name: b}}\n"
      "  - {name: three, tier: 3, priority: 99, rules: {type: keyword, name: b}}\n";
  CHECK(decide(tiers, {{"keyword:a", 1}}).first == "better");
  CHECK(decide(tiers, {{"keyword:b", 1}}).first == "two");
  CHECK(decide(tiers, {{"keyword:a", 0.2}, {"keyword:b", 1}}).first == "better");  // unset is tier 0, the lowest
  // Within a tier: confidence before priority, whatever the strategy.
  const std::string within =
      "  - {name: sure, tier: 1, priority: 1, rules: {type: keyword, name: a}}\n"
      "  - {name: high, tier: 1, priority: 9, rules: {type: keyword, name: b}}\n";
  CHECK(decide(within, {{"keyword:a", 0.9}, {"keyword:b", 0.1}}).first == "sure");
  CHECK(decide(within, {{"keyword:a", 0.5}, {"keyword:b", 0.5}}).first == "high");
}

TEST_CASE("decision engine: names given must be the config's", "[routing][decision]") {
  const RouterConfig config = strict(with_decisions("  - {name: d, rules: {type: keyword, name: a}}\n"));
  const DecisionEngine engine(config);
  CHECK(failure_of([&] {
          engine.decide(Given{{"keyword:aa", 1}});
        }) == Failure{Status::kInvalidArgument,
                      R"("keyword:aa" is no signal of the config, expected "type:name" (did you mean "keyword:a"?))"});
  CHECK(failure_of([&] { engine.decide(Given{{"a", 1}}); }).status == Status::kInvalidArgument);
  for (const double bad : {-0.1, 1.1, std::nan("")}) {
    CHECK(failure_of([&] { engine.decide(Given{{"keyword:a", bad}}); }).status == Status::kInvalidArgument);
  }
  CHECK(engine.decide(Given{{"jailbreak:j", 1}, {"complexity:c:hard", 1}}).decision == Winner::kNone);
}

TEST_CASE("decision engine: a domain may be given in any spelling", "[routing][decision]") {
  const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals: {domains: [{name: computer_science}]}
  decisions: [{name: d, rules: {type: domain, name: computer science}}]
)");
  CHECK(decide(config, {{"domain:computer science", 1}}).first == "d");
  CHECK(decide(config, {{"domain:computer_science", 1}}).first == "d");
}

TEST_CASE("decision engine: a complexity level needs its composer, but not when given by name", "[routing][decision]") {
  const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals:
    keywords: [{name: k, keywords: [x]}]
    complexity:
      - {name: c, hard: {candidates: [h]}, easy: {candidates: [e]}, composer: {type: keyword, name: k}}
      - {name: e, hard: {candidates: [h]}, easy: {candidates: [e]}, composer: {type: complexity, name: "c:hard"}}
  decisions: [{name: d, rules: {type: complexity, name: "e:easy"}}]
)");
  const DecisionEngine engine(config);
  REQUIRE(engine.signals().size() == 3);
  auto scratch = engine.scratch();
  std::vector<Signal> signals(3);
  const auto set = [&](const char* type, const char* name) {
    signals[static_cast<size_t>(engine.program().find({type, name}))] = {true, 0.5};
  };
  set("complexity", "e:easy");
  CHECK(engine.decide(signals, scratch).decision == Winner::kNone);
  CHECK(engine.decide(signals, scratch, Composers::kIgnore).decision == 0);
  set("complexity", "c:hard");
  CHECK(engine.decide(signals, scratch).decision == Winner::kNone);
  set("keyword", "k");
  CHECK(engine.decide(signals, scratch) == Winner{0, 0.5});
  CHECK(decide(config, {{"complexity:e:easy", 0.7}}) == Pair{"d", 0.7});
}

TEST_CASE("decision engine: confidences that are none count as the nearest", "[routing][decision]") {
  const RouterConfig config = strict(with_decisions("  - {name: d, rules: {type: keyword, name: a}}\n"));
  const DecisionEngine engine(config);
  auto scratch = engine.scratch();
  const auto confidence = [&](double given) {
    return engine.decide(std::vector<Signal>{{true, given}}, scratch).confidence;
  };
  CHECK(confidence(std::nan("")) == 0);
  CHECK(confidence(-1) == 0);
  CHECK(confidence(7) == 1);
  CHECK(confidence(std::numeric_limits<double>::infinity()) == 1);
  CHECK(failure_of([&] { engine.decide(std::vector<Signal>(2), scratch); }).status == Status::kInvalidArgument);
}

TEST_CASE("decision engine: a trace has the truth of every node", "[routing][decision]") {
  const RouterConfig config = strict(with_decisions(
      "  - {name: d, priority: 2, rules: {operator: OR, conditions: [{type: keyword, name: a}, {operator: NOT, "
      "conditions: [{type: jailbreak, name: j}]}]}}\n"
      "  - {name: e, priority: 1, rules: {type: keyword, name: b}}\n"));
  const DecisionEngine engine(config);
  Evaluation evaluation(engine);
  evaluation.set(static_cast<uint32_t>(engine.program().find({"keyword", "a"})),
                 SignalValue{.matched = true, .confidence = 1});
  REQUIRE(evaluation.done());  // nothing beats priority 2, and no confidence is above 1
  const auto traces = trace(evaluation, config);
  REQUIRE(traces.size() == 2);
  const RuleTrace& rules = traces[0].rules;
  CHECK(traces[0].name == "d");
  CHECK(rules.op == DecisionProgram::Op::kOr);
  CHECK(rules.truth == Truth::kTrue);
  CHECK(rules.confidence == 1);
  REQUIRE(rules.children.size() == 2);
  CHECK(rules.children[0].signal == SignalRef{"keyword", "a"});
  CHECK(rules.children[0].truth == Truth::kTrue);
  CHECK(rules.children[1].op == DecisionProgram::Op::kNot);
  CHECK(rules.children[1].truth == Truth::kUnknown);
  CHECK(rules.children[1].children.at(0).signal == SignalRef{"jailbreak", "j"});
  CHECK(traces[1].rules.truth == Truth::kUnknown);
}
