// A router's config file, read and checked. Errors name file, line and column.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/model_catalog.h"
#include "routing/config/signal_rules.h"

namespace vsr::routing {

struct ModelRef {
  std::string model;
  std::string lora_name = {};
  double weight = 1;
  bool use_reasoning = false;
  std::optional<std::string> reasoning_effort = std::nullopt;
};

struct SystemPromptPlugin {
  std::string text;
  bool insert = false;  // before the request's own; else in its place
};

struct RequestParamsPlugin {
  std::optional<int64_t> max_tokens_limit = std::nullopt;  // caps
  std::optional<int64_t> max_tokens = std::nullopt;        // fills an absent value
  std::optional<int64_t> max_n = std::nullopt;
  std::vector<std::string> blocked_params = {};
  bool strip_unknown = false;
};

struct HeaderMutationPlugin {
  struct Header {
    std::string name;
    std::string value;
  };
  std::vector<Header> add = {};     // kept when the request has one already
  std::vector<Header> update = {};  // set
  std::vector<std::string> remove = {};
};

struct ResponseCachePlugin {
  std::optional<double> similarity_threshold = std::nullopt;
  std::optional<int64_t> ttl_seconds = std::nullopt;  // 0: answers are not kept
  std::optional<bool> mode = std::nullopt;  // as written: whether similar questions are asked for, or exact ones alone
  bool semantic = false;                    // similar questions too: by the mode, a threshold, the name, or vsr.cache
  bool by_user = false;                     // entries are one user's own
};

struct HallucinationPlugin {
  std::map<std::string, std::string> options = {};  // scalars as written, for the guard
};

struct Plugins {
  std::optional<SystemPromptPlugin> system_prompt = std::nullopt;
  std::optional<RequestParamsPlugin> request_params = std::nullopt;
  std::optional<HeaderMutationPlugin> header_mutation = std::nullopt;
  std::optional<ResponseCachePlugin> response_cache = std::nullopt;
  std::optional<HallucinationPlugin> hallucination = std::nullopt;
  std::optional<std::string> fast_response = std::nullopt;  // the answer, without any model
  bool guards = false;             // one of them blocks or protects (PluginKind::guards), whether vsr runs it or not
  std::string guard_not_run = {};  // lenient only: its place and name, where vsr does not run it; empty: none
};

enum class Strategy { kPriority, kConfidence };

struct Decision {
  std::string name;
  std::string description = {};
  std::string where = {};  // "file:line:column"
  double priority = 0;
  int64_t tier = 0;
  Rule rules = {};
  std::vector<ModelRef> models = {};
  Plugins plugins = {};
};

// The parts under `vsr:`.
// `vsr.cache.semantic`: answers for questions that are not the same text.
struct SemanticHits {
  bool enabled = false;  // for decisions whose plugin does not say
  std::optional<double> similarity_threshold = std::nullopt;
  std::string same_question = {};    // the task that checks pairs; empty: none
  double least_probability = 0.7;    // that it must give
  std::optional<double> max_error_rate = std::nullopt;
  int64_t seed = 0;
  // Vectors alone must be nearer than those that a pair check reads again.
  double threshold() const { return similarity_threshold.value_or(same_question.empty() ? 0.92 : 0.75); }
};

struct CacheConfig {
  bool enabled = false;
  SemanticHits semantic = {};
  size_t max_entries = 1000;
  size_t max_bytes = size_t{1} << 30;  // of memory
  int64_t ttl_seconds = 3600;
  std::string snapshot = {};  // a file; empty: none
  std::string redis = {};     // "host:port" or a path of a socket; empty: memory only
};

struct CompressionConfig {
  bool enabled = false;
  int64_t max_tokens = 512;
  int64_t above_tokens = 1024;  // shorter texts stay as they are
};

// What happens to a request that names a model itself.
enum class Passthrough {
  kAllow,   // it passes, and no signal is evaluated
  kCheck,   // it passes unless the decision that wins has an answer of its own
  kRefuse,  // it is an error
};

struct LimitsConfig {
  static constexpr int64_t kMostRequestBytes = int64_t{64} << 20;
  int64_t request_bytes = int64_t{8} << 20;  // a longer body is refused before anything reads it
};

struct RouterConfig {
  std::string path;
  Strategy strategy = Strategy::kPriority;
  SignalRules signals;
  std::vector<Decision> decisions;
  ModelCatalog catalog;
  CacheConfig cache;
  CompressionConfig compression;
  Passthrough passthrough = Passthrough::kAllow;
  LimitsConfig limits;
  // `vsr.signal_tasks`: which task of the engine answers a kind of signal: "domain", "jailbreak", "pii", "fact_check",
  // "user_feedback", and "embedding". A kind that is absent has the task of its own name. (`vsr.tasks` is the
  // engine's.)
  std::map<std::string, std::string> tasks;
  std::string task_of(const std::string& kind, const std::string& otherwise) const {
    const auto found = tasks.find(kind);
    return found == tasks.end() ? otherwise : found->second;
  }
  // Any plugin, or vsr.cache.semantic for all of them, asks for answers to similar questions.
  bool answers_similar() const;
  // An empty name is the only embedding task.
  std::string embedding_task() const { return task_of("embedding", ""); }
  std::vector<SignalRef> signal_names;  // everything that rules of this file could name, in the file's order
  // Of each of them, by its key: "file:line:column" of the first rule that names it, or where no rule does, its own.
  std::map<std::string, std::string> places;
  std::vector<SignalRef> not_run;             // lenient only: those that vsr cannot evaluate; they never match
  // Lenient only; empty: none. Why routing would be unsafe: a rule needs a safety signal (jailbreak, pii, authz,
  // classifier) that is not run. `decide` from given signals works, `route` must fail with this (kUnsupported).
  std::string route_refusal;
  std::vector<std::string> warnings;  // rules that can never match or win, signals that nothing uses
  std::vector<std::string> skipped;   // lenient only: what the file uses and vsr does not run
};

// Reads the canonical v0.3 form with its `vsr:` part. What is written wrongly (unknown keys, names that resolve to
// nothing, wrong types, ranges, patterns that do not compile, the old flat form) is kParse; what is right but not run
// by vsr is kUnsupported, or with `lenient` an entry of `skipped`. A file without `routing.signals` is a fragment: with
// `lenient` its leaves name signals that only `decide` knows. Also throws kNotFound and kIo.
RouterConfig load_router_config(const std::string& path, bool lenient);
RouterConfig parse_router_config(std::string_view text, const std::string& path, bool lenient);

}  // namespace vsr::routing
