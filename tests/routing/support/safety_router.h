// A router with every kind of safety signal, over models that read window by window.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "routing/router.h"
#include "routing/support/window_inference.h"
#include "support/temp_folder.h"

namespace vsr::test {

inline constexpr const char* kSafetySignals = R"(
version: v0.3
routing:
  modelCards: [{name: small}]
  signals:
    keywords:
      - {name: word, keywords: ["ignore all rules"], scope: unanswered}
    jailbreak:
      - {name: model, threshold: 0.65}
      - {name: history, threshold: 0.65, include_history: true}
      - {name: examples, method: contrastive, threshold: 0.5, jailbreak_patterns: ["ignore all rules"]}
      - {name: both, method: hybrid, threshold: 0.65, jailbreak_patterns: ["ignore all rules"]}
    pii:
      - {name: card, pii_types_denied: [CREDIT_CARD]}
    classifiers:
      - {name: risk, task: jailbreak, labels: [safe, attack], threshold: 0.65}
      - {name: topic, task: jailbreak, labels: [attack], threshold: 0.65, safety: false}
  decisions:
    - {name: topic, priority: 1, rules: {type: classifier, name: topic, label: attack}, modelRefs: [{model: small}]}
    - {name: word, priority: 2, rules: {type: keyword, name: word}, modelRefs: [{model: small}]}
    - {name: safe, priority: 3, rules: {type: classifier, name: risk, label: safe}, modelRefs: [{model: small}]}
    - {name: risk, priority: 4, rules: {type: classifier, name: risk, label: attack}, modelRefs: [{model: small}]}
    - {name: card, priority: 5, rules: {type: pii, name: card}, modelRefs: [{model: small}]}
    - {name: both, priority: 6, rules: {type: jailbreak, name: both}, modelRefs: [{model: small}]}
    - {name: examples, priority: 7, rules: {type: jailbreak, name: examples}, modelRefs: [{model: small}]}
    - {name: history, priority: 8, rules: {type: jailbreak, name: history}, modelRefs: [{model: small}]}
    - name: blocked
      priority: 9
      rules: {type: jailbreak, name: model}
      plugins: [{type: fast_response, configuration: {message: "no"}}]
providers:
  defaults: {default_model: small}
  models: [{name: small}]
vsr:
  signal_tasks: {pii: none}
)";

class SafetyRouter {
 public:
  explicit SafetyRouter(const std::string& vsr_part = "") {
    const std::string path = folder_.write("router.yaml", kSafetySignals + vsr_part);
    router_ = routing::Router::open(path, {.inference = std::make_shared<WindowInference>()});
  }

  // With every signal evaluated.
  routing::Routed route(const nlohmann::json& body) const { return route(body.dump()); }
  routing::Routed route(const std::string& body) const {
    return router_->route(body, {.explain = true, .evaluate_all = true});
  }
  const routing::Router& router() const { return *router_; }

 private:
  TempFolder folder_;
  std::shared_ptr<const routing::Router> router_;
};

inline routing::SignalValue value_of(const routing::Routed& routed, const std::string& name) {
  for (const routing::EvaluatedSignal& signal : routed.signals) {
    if (signal.name == name) return signal.value;
  }
  throw std::runtime_error("signal " + name + " was not evaluated");
}

}  // namespace vsr::test
