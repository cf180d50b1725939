// What a router's config file says, read and checked; config/reader/config_file.h reads it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/cache_config.h"
#include "routing/config/decision.h"
#include "routing/config/knowledge_base.h"
#include "routing/config/model_catalog.h"
#include "routing/config/projections.h"
#include "routing/config/signal_rules.h"

namespace vsr::routing {

enum class Strategy { kPriority, kConfidence };

// `vsr.compression`.
struct CompressionConfig {
  bool enabled = false;
  int64_t max_tokens = 512;
  int64_t above_tokens = 1024;  // shorter texts stay as they are
};

// `vsr.passthrough`: what happens to a request that names a model itself.
enum class Passthrough {
  kAllow,   // it passes, and no signal is evaluated
  kCheck,   // it passes unless the decision that wins has an answer of its own
  kRefuse,  // it is an error
};

// `vsr.limits`.
struct LimitsConfig {
  static constexpr int64_t kMostRequestBytes = int64_t{64} << 20;
  int64_t request_bytes = int64_t{8} << 20;  // a longer body is refused before anything reads it
};

struct RouterConfig;

// Another `routing` part of the same file: `recipes`, for requests to models by these names (`entrypoints`).
struct Recipe {
  std::string name;
  std::vector<std::string> entrypoints = {};
  std::shared_ptr<const RouterConfig> config = nullptr;  // what the file means by this recipe's routing
};

struct RouterConfig {
  std::string path;
  Strategy strategy = Strategy::kPriority;
  std::vector<Recipe> recipes;  // of the file's own config alone
  SignalRules signals;
  Projections projections;
  std::vector<KnowledgeBase> knowledge_bases;
  ModalityConfig modality;
  std::vector<Decision> decisions;
  ModelCatalog catalog;
  CacheConfig cache;
  CompressionConfig compression;
  Passthrough passthrough = Passthrough::kAllow;
  LimitsConfig limits;
  ToolNearness tools = {.most = 5, .least = 0.3};  // `global.integrations.tools`
  // `vsr.signal_tasks`: which task of the engine answers a kind of signal: "domain", "jailbreak", "pii", "fact_check",
  // "user_feedback", and "embedding"; or what looks at answers: "nli", "response_jailbreak". A kind that is absent has
  // the task of its own name. (`vsr.tasks` is the engine's.)
  std::map<std::string, std::string> tasks;
  std::string task_of(const std::string& kind, const std::string& otherwise) const {
    const auto found = tasks.find(kind);
    return found == tasks.end() ? otherwise : found->second;
  }
  // Any plugin, of recipes too, or vsr.cache.semantic for all of them, asks for answers to similar questions.
  bool answers_similar() const;
  // An empty name is the only embedding task.
  std::string embedding_task() const { return task_of("embedding", ""); }
  std::vector<SignalRef> signal_names;  // everything that rules of this file could name, in the file's order
  // Of each of them, by its key: "file:line:column" of the first rule that names it, or where no rule does, its own.
  std::map<std::string, std::string> places;
  std::vector<SignalRef> not_run;  // lenient only: those that vsr cannot evaluate; they never match
  // Lenient only; empty: none. Why routing would be unsafe: a rule needs a safety signal (jailbreak, pii, authz,
  // classifier) that is not run. `decide` from given signals works, `route` must fail with this (kUnsupported).
  std::string route_refusal;
  std::vector<std::string> warnings;  // rules that can never match or win, signals that nothing uses
  std::vector<std::string> skipped;   // lenient only: what the file uses and vsr does not run
  // Keys that are accepted and not run here, each with its place: what the gateway does by them, and what has no effect
  // because vsr has something else in its place.
  std::vector<std::string> for_gateway;
  std::vector<std::string> replaced;
};

}  // namespace vsr::routing
