// Lazy evaluation against evaluating everything, over random trees, orders and signals.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "routing/decision/decision_evaluation.h"
#include "routing/support/router_files.h"
#include "support/failure.h"

using namespace vsr::routing;

namespace {

using Random = std::mt19937;

size_t below(Random& random, size_t limit) { return random() % limit; }

// Signals of all three costs, and complexities with composers.
class RandomConfig {
 public:
  explicit RandomConfig(Random& random) : random_(random) {
    static const char* const kTypes[] = {"keyword", "language", "embedding", "domain", "jailbreak", "pii"};
    for (size_t i = 0; i < 2 + below(random_, 8); ++i)
      leaves_.push_back({kTypes[below(random_, 6)], std::to_string(i)});
    add_complexities();
    add_projections();
    config.strategy = below(random_, 2) == 0 ? Strategy::kPriority : Strategy::kConfidence;
    const bool tiers = below(random_, 3) == 0;
    const size_t decisions = 1 + below(random_, 7);
    for (size_t i = 0; i < decisions; ++i) {
      Decision decision{.name = std::string(1, static_cast<char>('a' + (i * 5) % 7))};
      decision.priority = static_cast<double>(below(random_, 4));
      decision.tier = tiers ? static_cast<int64_t>(below(random_, 3)) : 0;
      decision.rules = node(3);
      config.decisions.push_back(std::move(decision));
    }
    if (below(random_, 4) == 0) config.not_run.push_back(leaves_[0]);
  }

  RouterConfig config;

 private:
  void add_complexities() {
    for (size_t i = 0; i < below(random_, 3); ++i) {
      ComplexityRule rule{.name = "c" + std::to_string(i)};
      if (below(random_, 2) == 0) rule.composer = node(2);
      config.signals.complexity.push_back(rule);
      for (const char* level : {":hard", ":medium", ":easy"}) leaves_.push_back({"complexity", rule.name + level});
    }
  }

  // A partition of the first signals, scores of any of them, and bands that overlap.
  void add_projections() {
    if (below(random_, 2) == 0) return;
    if (below(random_, 2) == 0) {
      PartitionRule partition{.name = "p", .softmax = below(random_, 2) == 0, .temperature = 0.2};
      for (size_t i = 0; i < 2 + below(random_, 2) && i < leaves_.size(); ++i) {
        if (leaves_[i].type != "complexity") partition.members.push_back(leaves_[i]);
      }
      partition.fallback = below(random_, partition.members.size());
      config.projections.partitions.push_back(partition);
    }
    const size_t scores = 1 + below(random_, 2);
    for (size_t i = 0; i < scores; ++i) {
      ScoreRule score{.name = "s" + std::to_string(i)};
      for (size_t k = 0; k < 1 + below(random_, 5); ++k) {
        static constexpr double kWeights[] = {-0.5, -0.2, 0, 0.1, 0.3, 0.6};
        score.inputs.push_back({.signal = leaves_[below(random_, leaves_.size())],
                                .weight = kWeights[below(random_, 6)],
                                .source = static_cast<ScoreRule::Source>(below(random_, 3))});
      }
      MappingRule mapping{.name = "m" + std::to_string(i), .score = i, .all = below(random_, 3) == 0};
      mapping.outputs = {{"low" + std::to_string(i), {.lt = 0.2}},
                         {"mid" + std::to_string(i), {.gte = 0.1, .lte = 0.5}},
                         {"high" + std::to_string(i), {.gt = 0.3}}};
      config.projections.scores.push_back(score);
      config.projections.mappings.push_back(mapping);
      for (const auto& output : mapping.outputs) leaves_.push_back({"projection", output.name});
    }
  }

  Rule node(size_t depth) {
    const size_t kind = depth == 0 ? 0 : below(random_, 8);
    if (kind < 3) return {Rule::Kind::kLeaf, leaves_[below(random_, leaves_.size())]};
    if (kind == 3) return {Rule::Kind::kNot, {}, {node(depth - 1)}};
    Rule group{kind < 6 ? Rule::Kind::kAnd : Rule::Kind::kOr};
    const size_t children = below(random_, 12) == 0 ? 0 : 1 + below(random_, 3);
    for (size_t i = 0; i < children; ++i) group.children.push_back(node(depth - 1));
    return group;
  }

  Random& random_;
  std::vector<SignalRef> leaves_;
};

std::vector<Signal> random_signals(Random& random, const DecisionEngine& engine) {
  static constexpr double kConfidences[] = {0, 0.25, 0.5, 0.5, 0.7, 1};  // ties are common
  std::vector<Signal> signals;
  for (const auto& leaf : engine.signals()) {
    const bool matched = leaf.runs && below(random, 2) == 0;
    signals.push_back({matched, kConfidences[below(random, 6)], leaf.runs ? kConfidences[below(random, 6)] : 0});
  }
  return signals;
}

// Whether some values of the signals that are not known give another outcome than `outcome`.
bool open(Random& random, const DecisionEngine& engine, const std::vector<Signal>& signals,
          const std::vector<bool>& known, const Winner& outcome) {
  auto scratch = engine.scratch();
  for (int i = 0; i < 20; ++i) {
    std::vector<Signal> other = random_signals(random, engine);
    for (size_t id = 0; id < other.size(); ++id) {
      if (known[id]) other[id] = signals[id];
    }
    if (engine.decide(other, scratch) != outcome) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("decision engine: lazy evaluation has the outcome of evaluating everything", "[routing][decision]") {
  Random random(7);
  size_t asked = 0;
  size_t signals_in_all = 0;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    const RandomConfig made(random);
    const DecisionEngine engine(made.config);
    const std::vector<Signal> signals = random_signals(random, engine);
    auto scratch = engine.scratch();
    const Winner eager = engine.decide(signals, scratch);

    Evaluation evaluation(engine);
    std::vector<bool> known;
    for (const auto& leaf : engine.signals()) known.push_back(!leaf.runs || leaf.derived());
    const bool all_at_once = below(random, 2) == 0;
    while (!evaluation.done()) {
      std::vector<uint32_t> needed = evaluation.needed();
      REQUIRE_FALSE(needed.empty());
      const auto cost = engine.signals()[needed.front()].cost;
      for (const uint32_t id : needed) {
        REQUIRE_FALSE(known[id]);
        REQUIRE(engine.signals()[id].cost == cost);
      }
      std::shuffle(needed.begin(), needed.end(), random);
      if (!all_at_once) needed.resize(1 + below(random, needed.size()));
      for (const uint32_t id : needed) {
        evaluation.set(id, signals[id]);
        known[id] = true;
        ++asked;
      }
    }
    REQUIRE(evaluation.needed().empty());
    REQUIRE(evaluation.winner() == eager);
    REQUIRE_FALSE(open(random, engine, signals, known, eager));  // it did not stop by luck
    signals_in_all += signals.size();
  }
  CHECK(asked < signals_in_all * 3 / 4);
}

TEST_CASE("decision engine: nothing is asked once the winner is fixed", "[routing][decision]") {
  Random random(8);
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    const RandomConfig made(random);
    const DecisionEngine engine(made.config);
    const std::vector<Signal> signals = random_signals(random, engine);
    Evaluation evaluation(engine);
    // Of a decision that is alone in its rules every needed leaf must be able to change the outcome.
    if (made.config.decisions.size() != 1 || evaluation.done()) continue;
    std::vector<bool> known(signals.size());
    for (const auto& leaf : engine.signals()) {
      if (!leaf.runs) known[static_cast<size_t>(engine.program().find(leaf.ref))] = true;
    }
    while (!evaluation.done()) {
      const uint32_t id = evaluation.needed().front();
      evaluation.set(id, signals[id]);
      known[id] = true;
    }
    auto scratch = engine.scratch();
    REQUIRE_FALSE(open(random, engine, signals, known, engine.decide(signals, scratch)));
  }
}

TEST_CASE("decision engine: free signals come first, classifiers last and only if they matter", "[routing][decision]") {
  const RouterConfig config =
      vsr::test::strict(vsr::test::with_decisions("  - {name: d, priority: 9, rules: {operator: AND, conditions: "
                                                  "[{type: jailbreak, name: j}, {type: keyword, name: a}, "
                                                  "{type: complexity, name: 'c:hard'}]}}\n"
                                                  "  - {name: e, rules: {type: keyword, name: b}}\n"));
  const DecisionEngine engine(config);
  const auto id = [&](const char* type, const char* name) {
    return static_cast<uint32_t>(engine.program().find({type, name}));
  };
  const uint32_t a = id("keyword", "a");
  const uint32_t b = id("keyword", "b");
  const uint32_t c = id("complexity", "c:hard");
  const uint32_t j = id("jailbreak", "j");
  {
    Evaluation evaluation(engine);
    std::vector<uint32_t> free = evaluation.needed();
    std::sort(free.begin(), free.end());
    CHECK(free == std::vector<uint32_t>{a, b});
    evaluation.set(a, Signal{});
    evaluation.set(b, Signal{true, 0.5});
    CHECK(evaluation.done());  // no vector, no model
    CHECK(evaluation.winner() == Winner{1, 0.5});
  }
  Evaluation evaluation(engine);
  evaluation.set(a, Signal{true, 1});
  evaluation.set(b, Signal{true, 1});
  CHECK(evaluation.needed() == std::vector<uint32_t>{c});
  CHECK(vsr::test::failure_of([&] { evaluation.winner(); }).status == vsr::base::Status::kState);
  evaluation.set(c, Signal{true, 0});
  CHECK(evaluation.needed() == std::vector<uint32_t>{j});
  evaluation.set(j, Signal{true, 0.5});
  CHECK(evaluation.winner() == Winner{0, 0.5});
  CHECK(vsr::test::failure_of([&] { evaluation.set(99, Signal{}); }).status == vsr::base::Status::kInvalidArgument);
}

TEST_CASE("decision engine: the winner's confidence is complete, other decisions are left open",
          "[routing][decision]") {
  const RouterConfig config =
      vsr::test::strict(vsr::test::with_decisions("  - {name: d, priority: 9, rules: {operator: OR, conditions: "
                                                  "[{type: keyword, name: a}, {type: jailbreak, name: j}]}}\n"
                                                  "  - {name: e, rules: {type: complexity, name: 'c:hard'}}\n"));
  const DecisionEngine engine(config);
  const auto a = static_cast<uint32_t>(engine.program().find({"keyword", "a"}));
  const auto j = static_cast<uint32_t>(engine.program().find({"jailbreak", "j"}));
  Evaluation evaluation(engine);
  evaluation.set(a, Signal{true, 0.75});
  CHECK(evaluation.needed() == std::vector<uint32_t>{j});  // may raise the maximum; the complexity cannot matter
  evaluation.set(j, Signal{true, 0.9});
  CHECK(evaluation.winner() == Winner{0, 0.9});
}
