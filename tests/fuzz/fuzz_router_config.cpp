// routing::parse_router_config: any bytes are a config or an error; what loads strictly loads leniently, skips nothing,
// and makes an engine whose lazy and eager outcomes agree.
#include "fuzz_target.h"
#include "routing/config/reader/config_file.h"
#include "routing/decision/decision_evaluation.h"

using namespace vsr;
using namespace vsr::routing;

namespace {

void try_engine(const RouterConfig& config) {
  const DecisionEngine engine(config);
  std::vector<Signal> signals;
  for (size_t i = 0; i < engine.signals().size(); ++i) {
    signals.push_back({engine.signals()[i].runs && i % 3 != 0, static_cast<double>(i % 5) / 4});
  }
  auto scratch = engine.scratch();
  Evaluation evaluation(engine);
  while (!evaluation.done()) {
    const std::vector<uint32_t> needed = evaluation.needed();
    fuzz::demand(!needed.empty(), "an open outcome needs a signal");
    for (const uint32_t id : needed) evaluation.set(id, signals[id]);
  }
  fuzz::demand(evaluation.winner() == engine.decide(signals, scratch), "lazy is eager");
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  const std::string models =
      "providers: {defaults: {default_model: m}, models: [{name: m, pricing: {prompt_per_1m: 1}}]}\n";
  return {models + R"(routing:
  strategy: confidence
  signals:
    keywords: [{name: k, keywords: [a, b], method: regex}, {name: f, keywords: [abc], method: fuzzy, fuzzy_threshold: 82}]
    context: [{name: long, min_tokens: 32K, max_tokens: 1M}]
    complexity: [{name: c, threshold: 0.2, hard: {candidates: [h]}, easy: {candidates: [e]}, composer: {type: keyword, name: k}}]
    classifiers: [{name: risk, labels: [A, B]}]
  decisions:
    - {name: one, priority: 3, tier: 1, rules: {operator: AND, conditions: [{type: keyword, name: k}, {type: complexity, name: "c:hard"}]}}
    - {name: two, rules: {operator: NOT, conditions: [{type: classifier, name: risk, label: A, predicate: {gte: 0.5}}]}}
    - {name: three, rules: {operator: OR, conditions: [{type: context, name: long}, {operator: AND}]}, modelRefs: [{model: m}]}
)",
          models + R"(routing:
  signals:
    structure: [{name: s, feature: {type: count, source: {type: regex, pattern: '[?]'}}, predicate: {gte: 4}}]
    role_bindings: [{name: r, role: admin, subjects: [{kind: Group, name: g}]}]
    metadata: [{name: m, key: k, predicate: {equals: v}}]
    pii: [{name: p, pii_types_allowed: [EMAIL_ADDRESS]}]
    domains: [{name: law, model_scores: [{model: m, score: 1}]}]
    reasks: [{name: again}]
  decisions:
    - name: d
      rules: {type: reask, name: again}
      plugins: [{type: system_prompt, configuration: {system_prompt: x, mode: insert}}, {type: rag}]
      algorithm: {type: knn}
)",
          "vsr: {cache: {threshold: 0.9, snapshot: c}, compression: {max_tokens: 5}, signal_tasks: {domain: d}}\n"
          "global: {router: {auto_model_names: [a], learning: {enabled: true}}}\nrecipes: [{name: x}]\n",
          "vllm_endpoints: []\n"};
}

int fuzz::runs() { return 4000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  bool strict = false;
  fuzz::accept_errors([&] {
    const RouterConfig config = parse_router_config(text, "f.yaml", false);
    strict = true;
    fuzz::demand(config.skipped.empty() && config.not_run.empty() && config.route_refusal.empty(),
                 "strict skips nothing");
    try_engine(config);
  });
  bool lenient = false;
  fuzz::accept_errors([&] {
    const RouterConfig config = parse_router_config(text, "f.yaml", true);
    lenient = true;
    try_engine(config);
  });
  fuzz::demand(lenient || !strict, "what loads strictly loads leniently");
  return 0;
}
