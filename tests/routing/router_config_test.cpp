#include "routing/config/reader/config_file.h"

#include <catch2/catch.hpp>
#include <limits>

#include "routing/support/router_files.h"
#include "support/temp_folder.h"

using namespace vsr::routing;
using vsr::test::strict;
using vsr::test::with_decisions;

TEST_CASE("router config: an empty file is a router without decisions", "[routing][config]") {
  const RouterConfig config = strict("");
  CHECK(config.decisions.empty());
  CHECK(config.strategy == Strategy::kPriority);
  CHECK(config.catalog.auto_names == std::vector<std::string>{"auto"});
  CHECK(config.warnings.size() == 1);
}

TEST_CASE("router config: text signals are read with their defaults", "[routing][config]") {
  const RouterConfig config = strict(R"(
routing:
  signals:
    keywords:
      - {name: plain, keywords: [a, b c]}
      - {name: all, operator: NOR, method: bm25, keywords: [q], case_sensitive: true, bm25_threshold: 0.5}
      - {name: grams, operator: AND, method: ngram, keywords: [q], ngram_threshold: 0.6, ngram_arity: 2}
      - {name: edits, keywords: [q], fuzzy_match: true, scope: history}
    language: [{name: zh, threshold: 0.0}, {name: es, threshold: 0.6}]
    context: [{name: long, min_tokens: 32K, max_tokens: 1M}, {name: any, min_tokens: 7999}]
    structure:
      - name: lines
        feature: {type: exists, source: {type: regex, pattern: '(?m)^\d+\.'}}
      - name: flow
        feature: {type: sequence, source: {type: sequence, sequences: [[first, then], [先, 再]]}}
      - name: bytes
        feature: {type: count, source: {type: text_bytes}}
        predicate: {gte: 10, lt: 20.5}
)");
  const auto& keywords = config.signals.keywords;
  REQUIRE(keywords.size() == 4);
  CHECK(keywords[0].op == KeywordRule::Operator::kOr);
  CHECK(keywords[0].method == KeywordRule::Method::kLiteral);
  CHECK(keywords[0].keywords == std::vector<std::string>{"a", "b c"});
  CHECK(keywords[0].greatest_distance(10) == 0);
  CHECK(keywords[1].op == KeywordRule::Operator::kNor);
  CHECK(keywords[1].bm25_threshold == 0.5);
  CHECK(keywords[1].case_sensitive);
  CHECK(keywords[2].ngram_arity == 2);
  CHECK(keywords[3].greatest_distance(100) == 2);
  CHECK(keywords[3].scope == TextScope::kHistory);
  CHECK(config.signals.language[0].threshold == 0.3);
  CHECK(config.signals.language[1].threshold == 0.6);
  CHECK(config.signals.context[0].min_tokens == 32000);
  CHECK(config.signals.context[0].max_tokens == 1000000);
  CHECK(config.signals.context[1].min_tokens == 7999);
  CHECK(config.signals.context[1].max_tokens == std::numeric_limits<int64_t>::max());
  CHECK(config.signals.structure[1].sequences.at(1) == std::vector<std::string>{"先", "再"});
  CHECK(config.signals.structure[2].predicate.holds(20));
  CHECK_FALSE(config.signals.structure[2].predicate.holds(20.5));
}

TEST_CASE("router config: a fuzzy threshold above 10 is a percentage", "[routing][config]") {
  const RouterConfig config = strict(R"(
routing:
  signals:
    keywords: [{name: f, method: fuzzy, keywords: [social security, api key], fuzzy_threshold: 82}]
)");
  const KeywordRule& rule = config.signals.keywords.at(0);
  CHECK(rule.method == KeywordRule::Method::kLiteral);
  CHECK(rule.fuzzy_match);
  CHECK(rule.fuzzy_percent == 82);
  CHECK(rule.greatest_distance(15) == 2);
  CHECK(rule.greatest_distance(7) == 1);
  CHECK(rule.fuzzy_threshold == 1);  // that of the shortest
}

TEST_CASE("router config: model signals are read with their defaults", "[routing][config]") {
  const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals:
    embeddings: [{name: e, threshold: 0.7, candidates: [x], aggregation_method: any, query_modality: text}]
    domains:
      - {name: computer_science, model_scores: [{model: large, score: 0.9, use_reasoning: true}]}
      - {name: money, mmlu_categories: [Economics, business]}
    fact_check: [{name: needs_fact_check}]
    user_feedbacks: [{name: wrong_answer, threshold: 0.7}]
    complexity: [{name: c, threshold: 0.2, hard: {candidates: [h]}, easy: {candidates: [e]}}]
    jailbreak:
      - {name: model}
      - {name: near, method: contrastive, jailbreak_patterns: [p], benign_patterns: [b]}
      - {name: both, method: hybrid, threshold: 0.8, jailbreak_patterns: [p], include_history: true}
    pii: [{name: strict}, {name: some, threshold: 0.5, pii_types_allowed: [EMAIL_ADDRESS], pii_types_denied: [US_SSN]}]
    classifiers: [{name: risk, labels: [SAFE, RISKY], task: tool-risk}]
)");
  const SignalRules& s = config.signals;
  CHECK(s.embeddings.at(0).aggregation == EmbeddingRule::Aggregation::kAny);
  CHECK(s.domains.at(0).categories == std::vector<std::string>{"computer science"});
  CHECK(s.domains.at(0).threshold == 0.5);
  CHECK(s.domains.at(0).model_scores.at(0).use_reasoning);
  CHECK(s.domains.at(1).categories == std::vector<std::string>{"money", "economics", "business"});
  CHECK(s.user_feedbacks.at(0).threshold == 0.7);
  CHECK(s.complexity.at(0).hard == std::vector<std::string>{"h"});
  CHECK(s.jailbreak.at(0).threshold == 0.7);
  CHECK(s.jailbreak.at(1).threshold == 0.1);
  CHECK(s.jailbreak.at(2).method == JailbreakRule::Method::kHybrid);
  CHECK(s.jailbreak.at(2).threshold == 0.8);
  CHECK(s.jailbreak.at(2).contrastive_threshold == 0.1);
  CHECK(s.pii.at(0).threshold == 0.9);
  CHECK(s.pii.at(1).denied == std::vector<std::string>{"US_SSN"});
  CHECK(s.classifiers.at(0).task == "tool-risk");
}

TEST_CASE("router config: signals of the request are read", "[routing][config]") {
  const RouterConfig config = strict(R"(
routing:
  signals:
    role_bindings: [{name: admins, role: admin, subjects: [{kind: Group, name: ops}, {kind: User, name: ann}]}]
    conversation:
      - {name: turns, feature: {type: count, source: {type: message, role: user}}, predicate: {gte: 2}}
      - {name: loop, feature: {type: exists, source: {type: active_tool_loop}}}
    metadata:
      - {name: denied, key: consent, predicate: {equals: denied}}
      - {name: tier, key: tier, predicate: {in: [gold, silver]}}
      - {name: marked, key: mark, predicate: {exists: true}}
)");
  CHECK(config.signals.role_bindings.at(0).subjects.at(0).group);
  CHECK_FALSE(config.signals.role_bindings.at(0).subjects.at(1).group);
  CHECK(config.signals.conversation.at(0).role == "user");
  CHECK(config.signals.conversation.at(1).source == "active_tool_loop");
  CHECK(config.signals.metadata.at(0).equals == "denied");
  CHECK(config.signals.metadata.at(1).in.size() == 2);
  CHECK(config.signals.metadata.at(2).exists == true);
}

TEST_CASE("router config: models are joined from cards and providers", "[routing][config]") {
  const RouterConfig config = strict(R"(
routing:
  modelCards:
    - {name: big, context_window_size: 128K, quality_score: 0.9, loras: [{name: cs, description: d}], tags: [x]}
providers:
  defaults:
    default_model: big
    default_reasoning_effort: low
    reasoning_families:
      qwen3: {type: chat_template_kwargs, parameter: enable_thinking}
      gpt: {type: reasoning_effort, parameter: reasoning.effort}
  models:
    - {name: big, reasoning_family: qwen3, api_format: openai, backend_refs: [{endpoint: x}],
       pricing: {currency: USD, prompt_per_1m: 1.2, completion_per_1m: 3, cached_input_per_1m: 0.1}}
    - name: other
global: {router: {auto_model_name: route-me, auto_model_names: [vsr/auto, auto], strategy: confidence}, services: {ratelimit: {fail_open: true}}}
)");
  REQUIRE(config.catalog.models.size() == 2);
  const CatalogModel& big = *config.catalog.find("big");
  CHECK(big.context_window == 128000);
  CHECK(big.loras == std::vector<std::string>{"cs"});
  CHECK(big.reasoning_family == "qwen3");
  CHECK(big.prompt_per_1m == 1.2);
  CHECK(big.currency == "USD");
  CHECK(config.catalog.find("none") == nullptr);
  CHECK(config.catalog.reasoning_families.at("gpt").parameter == "reasoning.effort");
  CHECK(config.catalog.default_reasoning_effort == "low");
  CHECK(config.catalog.auto_names == std::vector<std::string>{"auto", "route-me", "vsr/auto"});
  CHECK(config.strategy == Strategy::kConfidence);
}

TEST_CASE("router config: decisions are read with rules, models and plugins", "[routing][config]") {
  const RouterConfig config = strict(with_decisions(R"(
  - name: d
    description: text
    priority: 200
    tier: 2
    rules:
      operator: AND
      conditions:
        - {type: keyword, name: a}
        - operator: NOT
          conditions: [{type: jailbreak, name: j}]
        - {operator: OR, conditions: [{type: complexity, name: "c:hard"}, {type: context, name: long}]}
    modelRefs:
      - {model: large, weight: 0.5, use_reasoning: true, reasoning_effort: high, reasoning_description: why}
      - model: small
    algorithm: {type: static}
    annotations: {owner: me}
    plugins:
      - {type: system_prompt, configuration: {enabled: true, mode: insert, system_prompt: Be brief.}}
      - {type: request_params, configuration: {max_tokens_limit: 100, max_tokens: 50, max_n: 2, blocked_params: [logprobs]}}
      - {type: header_mutation, configuration: {add: [{name: A, value: b}], update: [{name: C, value: d}], delete: [E]}}
      - {type: semantic-cache, configuration: {semantic: {similarity_threshold: 0.8}, ttl_seconds: 60, mode: exact}}
      - {type: hallucination, configuration: {enabled: false, use_nli: true, hallucination_action: header}}
      - {type: router_replay, configuration: {enabled: false}}
  - name: leaf
    rules: {type: keyword, name: b}
    plugins: [{type: fast_response, configuration: {message: No.}}]
  - name: rest
    priority: -5
    modelRefs: [{model: small}]
)"));
  REQUIRE(config.decisions.size() == 3);
  const Decision& d = config.decisions[0];
  CHECK(d.priority == 200);
  CHECK(d.tier == 2);
  CHECK(d.where == "r.yaml:12:5");
  REQUIRE(d.rules.children.size() == 3);
  CHECK(d.rules.children[1].kind == Rule::Kind::kNot);
  CHECK(d.rules.children[1].children[0].leaf == SignalRef{"jailbreak", "j"});
  CHECK(d.rules.children[2].children[0].leaf.name == "c:hard");
  CHECK(d.models.at(0).reasoning_effort == "high");
  CHECK_FALSE(d.models.at(1).reasoning_effort);
  CHECK(d.plugins.system_prompt->insert);
  CHECK(d.plugins.request_params->max_tokens_limit == 100);
  CHECK(d.plugins.request_params->max_tokens == 50);
  CHECK(d.plugins.header_mutation->remove == std::vector<std::string>{"E"});
  CHECK(d.plugins.response_cache->similarity_threshold == 0.8);
  CHECK_FALSE(d.plugins.response_cache->semantic);
  CHECK(config.decisions[1].rules.kind == Rule::Kind::kLeaf);
  CHECK(config.decisions[1].plugins.fast_response == "No.");
  CHECK(config.decisions[2].rules.children.empty());
  CHECK(config.cache.enabled);  // by the plugin
}

TEST_CASE("router config: similar questions are answered when a plugin or the cache asks for it", "[routing][config]") {
  const auto semantic = [](const std::string& type, const std::string& configuration, const std::string& own = "") {
    const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals: {keywords: [{name: b, operator: OR, keywords: [b]}]}
  decisions:
    - name: d
      rules: {type: keyword, name: b}
      modelRefs: [{model: small}]
      plugins: [{type: )" + type + ", configuration: {" +
                                       configuration + "}}]\n" + own);
    return config.decisions[0].plugins.response_cache->semantic;
  };
  CHECK_FALSE(semantic("response_cache", ""));
  CHECK_FALSE(semantic("response_cache", "ttl_seconds: 5"));
  CHECK(semantic("response_cache", "similarity_threshold: 0.9"));
  CHECK(semantic("response_cache", "semantic: {similarity_threshold: 0.9}"));
  CHECK(semantic("response_cache", "mode: exact_then_semantic"));
  CHECK(semantic("semantic-cache", "enabled: true"));
  CHECK_FALSE(semantic("semantic-cache", "mode: exact"));
  CHECK(semantic("response_cache", "", "vsr: {cache: {semantic: {}}}\n"));
  CHECK_FALSE(semantic("response_cache", "mode: exact", "vsr: {cache: {semantic: {}}}\n"));
  CHECK_FALSE(semantic("response_cache", "", "vsr: {cache: {}}\n"));
}

TEST_CASE("router config: how similar questions are checked", "[routing][config]") {
  const auto read = [](const std::string& cache) {
    return strict(vsr::test::kModels + ("vsr: {cache: " + cache + "}\n"));
  };
  CHECK_FALSE(read("{}").cache.semantic.enabled);
  const RouterConfig checked =
      read("{semantic: {same_question: pairs, least_probability: 0.9, max_error_rate: 0.02, seed: 5}}");
  CHECK(checked.cache.semantic.enabled);
  CHECK(checked.cache.semantic.same_question == "pairs");
  CHECK(checked.cache.semantic.threshold() == 0.75);
  CHECK(checked.cache.semantic.least_probability == 0.9);
  CHECK(checked.cache.semantic.max_error_rate == 0.02);
  CHECK(checked.warnings.empty());
  const RouterConfig unchecked = read("{semantic: {}}");
  CHECK(unchecked.cache.semantic.threshold() == 0.92);
  REQUIRE(unchecked.warnings.size() == 1);
  CHECK_THAT(unchecked.warnings[0], Catch::Contains("word rules alone"));
  CHECK(read("{semantic: {enabled: false}}").warnings.empty());
}

TEST_CASE("router config: leaves of a classifier become its questions", "[routing][config]") {
  const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals:
    classifiers: [{name: risk, labels: [SAFE, RISKY]}]
  decisions:
    - {name: one, rules: {type: classifier, name: risk, label: RISKY, predicate: {gte: 0.5}, on_error: no_match}}
    - {name: two, priority: 1, rules: {type: classifier, name: risk, label: RISKY, predicate: {gte: 0.9}}}
    - {name: three, priority: 2, rules: {type: classifier, name: "risk:SAFE"}}
    - {name: four, priority: 3, rules: {type: classifier, name: risk, label: RISKY, predicate: {gte: 0.5}, on_error: no_match}}
)");
  CHECK(config.decisions[0].rules.leaf.name == "risk:RISKY");
  CHECK(config.decisions[1].rules.leaf.name == "risk:RISKY[gte=0.9,on_error=error]");
  CHECK(config.decisions[2].rules.leaf.name == "risk:SAFE");
  CHECK(config.decisions[3].rules.leaf.name == "risk:RISKY");
  const auto& questions = config.signals.classifiers.at(0).questions;
  REQUIRE(questions.size() == 3);
  CHECK(questions[0].on_error == ClassifierRule::OnError::kNoMatch);
  CHECK(questions[1].predicate.gte == 0.9);
  CHECK(questions[2].predicate.empty());
}

TEST_CASE("router config: domains go by every spelling", "[routing][config]") {
  const RouterConfig config = strict(std::string(vsr::test::kModels) + R"(
routing:
  signals: {domains: [{name: computer science}]}
  decisions: [{name: d, rules: {type: domain, name: computer_science}}]
)");
  CHECK(config.decisions[0].rules.leaf == SignalRef{"domain", "computer science"});
}

TEST_CASE("router config: vsr's own part is read, the engine's left alone", "[routing][config]") {
  const vsr::test::TempFolder folder;
  const std::string path = folder.write("r.yaml", R"(
vsr:
  models: {m: {path: p, anything: goes}}
  adapters: {}
  tasks: {topic: {model: m}}
  signal_tasks: {domain: topic, embedding: m}
  cache: {threshold: 0.9, max_entries: 5, ttl_seconds: 9, snapshot: cache.bin, redis: "localhost:6379"}
  compression: {enabled: false, max_tokens: 100, above_tokens: 200}
)");
  const RouterConfig config = load_router_config(path, false);
  CHECK(config.tasks.at("domain") == "topic");
  CHECK(config.cache.enabled);
  CHECK(config.cache.max_entries == 5);
  CHECK(config.cache.semantic.enabled);  // a threshold asks for similar questions
  CHECK(config.cache.semantic.threshold() == 0.9);
  CHECK(config.cache.snapshot == folder / "cache.bin");
  CHECK_FALSE(config.compression.enabled);
  CHECK(config.compression.above_tokens == 200);
  CHECK(vsr::test::failure_of([&] { load_router_config(folder / "none.yaml", false); }).status ==
        vsr::base::Status::kNotFound);
}
