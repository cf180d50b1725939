#include "routing/config/signal_kind.h"

#include <catch2/catch.hpp>
#include <set>

#include "routing/config/reader/config_names.h"
#include "routing/config/reader/config_signals.h"
#include "routing/config/reader/config_vsr.h"
#include "routing/decision/decision_engine.h"
#include "routing/signals/kinds/signal_set.h"
#include "routing/support/router_files.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::test::failure_of;

namespace {

// A signal of each kind that vsr runs, and a decision that names it.
constexpr const char* kOneOfEach = R"(
version: v0.3
routing:
  signals:
    keywords: [{name: k, operator: OR, keywords: [urgent]}]
    embeddings: [{name: e, threshold: 0.5, candidates: [a text]}]
    intents: [{name: i, examples: [a text]}]
    domains: [{name: law}]
    fact_check: [{name: needs_fact_check}]
    user_feedbacks: [{name: satisfied}]
    language: [{name: en}]
    context: [{name: long, min_tokens: 1000}]
    structure: [{name: s, feature: {type: exists, source: {type: regex, pattern: "a"}}}]
    complexity: [{name: c, hard: {candidates: [x]}, easy: {candidates: [y]}}]
    role_bindings: [{name: b, role: admin, subjects: [{kind: User, name: u}]}]
    jailbreak: [{name: j}]
    pii: [{name: p}]
    conversation: [{name: t, feature: {type: exists, source: {type: tool_definition}}}]
    metadata: [{name: m, key: tier, predicate: {equals: gold}}]
    classifiers: [{name: r, labels: [RISKY, SAFE]}]
    reasks: [{name: again}]
    preferences: [{name: terse, examples: [be brief]}]
    modality: [{name: DIFFUSION}]
    kb: [{name: g, kb: base, target: {kind: label, value: l}}]
    events: [{name: alarm, severities: [critical]}]
  projections:
    scores: [{name: s, inputs: [{type: keyword, name: k, weight: 1}]}]
    mappings: [{name: m, source: s, outputs: [{name: high, gte: 0.5}]}]
  decisions:
    - name: all
      rules:
        operator: OR
        conditions:
          - {type: keyword, name: k}
          - {type: embedding, name: e}
          - {type: intent, name: i}
          - {type: domain, name: law}
          - {type: fact_check, name: needs_fact_check}
          - {type: user_feedback, name: satisfied}
          - {type: language, name: en}
          - {type: context, name: long}
          - {type: structure, name: s}
          - {type: complexity, name: "c:hard"}
          - {type: authz, name: admin}
          - {type: jailbreak, name: j}
          - {type: pii, name: p}
          - {type: conversation, name: t}
          - {type: metadata, name: m}
          - {type: classifier, name: r, label: RISKY}
          - {type: reask, name: again}
          - {type: preference, name: terse}
          - {type: modality, name: DIFFUSION}
          - {type: kb, name: g}
          - {type: event, name: alarm}
          - {type: projection, name: high}
      modelRefs: [{model: small}]
providers: {models: [{name: small}]}
)";

std::vector<std::string_view> types_of(bool (*holds)(const SignalKind& kind)) {
  std::vector<std::string_view> types;
  for (const SignalKind& kind : kSignalKinds) {
    if (holds(kind)) types.push_back(kind.type);
  }
  return types;
}

using Types = std::vector<std::string_view>;

}  // namespace

TEST_CASE("signal kinds: types and sections are there once", "[routing][config]") {
  std::set<std::string_view> types, sections;
  for (const SignalKind& kind : kSignalKinds) {
    CAPTURE(kind.type);
    CHECK(types.insert(kind.type).second);
    CHECK((kind.section.empty() || sections.insert(kind.section).second));
    CHECK((!kind.derived || kind.task.empty()));
    CHECK((find_signal_reader(kind.type) != nullptr) == has_section(kind));
  }
}

TEST_CASE("signal kinds: what is dear, guards, and asks which task", "[routing][config]") {
  CHECK(types_of([](const SignalKind& kind) { return kind.cost == SignalCost::kEmbedding; }) ==
        Types{"embedding", "intent", "complexity", "reask", "preference", "kb", "kb_metric"});
  CHECK(types_of([](const SignalKind& kind) { return kind.cost == SignalCost::kClassifier; }) ==
        Types{"domain", "fact_check", "user_feedback", "jailbreak", "pii", "classifier", "modality"});
  CHECK(types_of([](const SignalKind& kind) { return is_safety_type(kind.type); }) ==
        Types{"authz", "jailbreak", "pii", "classifier"});
  CHECK(types_of([](const SignalKind& kind) { return kind.leaves == LeafForm::kAnswer; }) ==
        Types{"fact_check", "modality"});
  CHECK(types_of([](const SignalKind& kind) { return kind.leaves == LeafForm::kLevel; }) == Types{"complexity"});
  CHECK(types_of([](const SignalKind& kind) { return kind.leaves == LeafForm::kLabel; }) == Types{"classifier"});
  const std::vector<std::string_view>& tasks = task_kinds();
  CHECK(std::set(tasks.begin(), tasks.end()) == std::set<std::string_view>{"domain", "embedding", "fact_check",
                                                                           "jailbreak", "modality", "nli", "pii",
                                                                           "response_jailbreak", "user_feedback"});
}

TEST_CASE("signal kinds: each that runs is read from a file, costs what its row says, and is made",
          "[routing][config]") {
  const RouterConfig config = vsr::test::strict(kOneOfEach);
  const DecisionEngine engine(config);
  std::vector<SignalRef> names;
  std::set<std::string> types;
  for (const DecisionProgram::Leaf& leaf : engine.signals()) {
    CAPTURE(leaf.ref.key());
    names.push_back(leaf.ref);
    types.insert(leaf.ref.type);
    if (leaf.ref.type != "modality") CHECK(leaf.cost == find_signal_kind(leaf.ref.type)->cost);
  }
  for (const SignalKind& kind : kSignalKinds) {
    CAPTURE(kind.type);
    CHECK(types.contains(std::string(kind.type)) == (has_section(kind) || kind.derived));
  }
  CHECK_NOTHROW(SignalSet(config, names));
}

TEST_CASE(
    "signal kinds: what a jailbreak rule costs depends on its method, and a kind that there is not costs nothing "
    "that anybody could take for free",
    "[routing][config]") {
  RouterConfig config;
  SignalRules& rules = config.signals;
  rules.jailbreak.push_back({.name = "near", .method = JailbreakRule::Method::kContrastive});
  rules.jailbreak.push_back({.name = "both", .method = JailbreakRule::Method::kHybrid});
  CHECK(signal_cost({"jailbreak", "near"}, config) == SignalCost::kEmbedding);
  CHECK(signal_cost({"jailbreak", "both"}, config) == SignalCost::kClassifier);
  CHECK(failure_of([&] { signal_cost({"jailbrake", "near"}, config); }).status == vsr::base::Status::kInternal);
}

TEST_CASE("signal set: what is wrong with a rule that no leaf names is an error, and its examples are not embedded",
          "[routing][config]") {
  const RouterConfig config = vsr::test::strict(kOneOfEach);
  const std::vector<SignalRef> names = {{"embedding", "e"}};
  CHECK(SignalSet(config, names).bank().examples() == 1);
  RouterConfig large = config;
  large.signals.structure[0].source = StructureRule::Source::kKeywordSet;
  large.signals.structure[0].keywords = {std::string(KeywordMatcher::kMaxBytes + 1, 'a')};
  CHECK(failure_of([&] { SignalSet(large, names); }).status == vsr::base::Status::kLimit);
}
