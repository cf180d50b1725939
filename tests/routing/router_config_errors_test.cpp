// What a config file may get wrong: each mistake is an error that names its place.
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "routing/support/router_files.h"

using vsr::base::Status;
using vsr::routing::RouterConfig;
using vsr::test::Failure;
using vsr::test::strict;
using vsr::test::strict_failure;
using vsr::test::with_decisions;

namespace {

// One signal under a kind.
std::string signal(const std::string& kind, const std::string& fields) {
  return "routing: {signals: {" + kind + ": [" + fields + "]}}";
}

void check_all(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, message] : cases) {
    CAPTURE(text);
    const Failure failure = strict_failure(text);
    CHECK(failure.status == Status::kParse);
    CHECK(failure.message == message);
    const Failure again = vsr::test::lenient_failure(text);  // mistakes are mistakes in both
    CHECK(again == failure);
  }
}

}  // namespace

TEST_CASE("router config: unknown keys are errors with a suggestion", "[routing][config]") {
  check_all({
      {"routng: {}", R"(r.yaml:1:1: "routng" is not a key of the document (did you mean "routing"?))"},
      {"routing: {signal: {}}", R"(r.yaml:1:11: "signal" is not a key of "routing" (did you mean "signals"?))"},
      {"routing:\n  signals:\n    keyword: []\n",
       R"(r.yaml:3:5: "keyword" is not a key of "signals" (did you mean "keywords"?))"},
      {signal("keywords", "{name: k, keyword: [a]}"),
       R"(r.yaml:1:42: "keyword" is not a key of "keywords[0]" (did you mean "keywords"?))"},
      {signal("keywords", "{nmae: k, keywords: [a]}"),
       R"(r.yaml:1:33: "nmae" is not a key of "keywords[0]" (did you mean "name"?))"},
      {"vsr: {cache: {treshold: 1}}", R"(r.yaml:1:15: "treshold" is not a key of "cache" (did you mean "threshold"?))"},
      {"vsr: {signal_tasks: {domains: t}}",
       R"(r.yaml:1:22: "domains" is not a key of "signal_tasks" (did you mean "domain"?))"},
      {with_decisions("  - {name: d, prority: 1}"),
       R"(r.yaml:11:15: "prority" is not a key of "decisions[0]" (did you mean "priority"?))"},
      {with_decisions("  - {name: d, rules: {type: keyword, name: a, label: x}}"),
       R"(r.yaml:11:47: "label" is not a key of "rules")"},
  });
}

TEST_CASE("router config: wrong types and ranges are errors", "[routing][config]") {
  check_all({
      {"routing: []", R"(r.yaml:1:10: "routing" is a list, expected a map)"},
      {"routing: {strategy: fastest}", R"(r.yaml:1:21: "strategy" is "fastest", expected priority or confidence)"},
      {signal("keywords", "{name: k, keywords: a}"), R"(r.yaml:1:52: "keywords" is a single value, expected a list)"},
      {signal("keywords", "{name: k, keywords: []}"), R"(r.yaml:1:52: "keywords" is empty)"},
      {signal("keywords", "{name: k}"), R"(r.yaml:1:32: "keywords[0]" has no "keywords")"},
      {signal("keywords", "{name: k, keywords: [a], operator: XOR}"),
       R"(r.yaml:1:67: "operator" is "XOR", expected one of AND, OR, NOR (did you mean "OR"?))"},
      {signal("keywords", "{name: k, keywords: [a], ngram_threshold: 1.5}"),
       R"(r.yaml:1:74: "ngram_threshold" is 1.5, expected 0 to 1)"},
      {signal("keywords", "{name: k, keywords: [a], ngram_arity: 0}"),
       R"(r.yaml:1:70: "ngram_arity" is 0, expected 1 to 16)"},
      {signal("keywords", "{name: '', keywords: [a]}"), R"(r.yaml:1:39: "name" is empty)"},
      {signal("embeddings", "{name: e, threshold: .nan, candidates: [a]}"),
       R"(r.yaml:1:55: "threshold" is ".nan", expected a number)"},
      {signal("embeddings", "{name: e, candidates: [a]}"), R"(r.yaml:1:34: "embeddings[0]" has no "threshold")"},
      {signal("context", "{name: c, min_tokens: 32k5}"),
       R"(r.yaml:1:53: "min_tokens" is "32k5", expected a number of tokens such as 8000, 32K or 1M)"},
      {signal("context", "{name: c, min_tokens: -1}"),
       R"(r.yaml:1:53: "min_tokens" is "-1", expected a number of tokens such as 8000, 32K or 1M)"},
      {signal("context", "{name: c, max_tokens: 9223372036854775M}"),
       R"(r.yaml:1:53: "max_tokens" is "9223372036854775M", expected a number of tokens such as 8000, 32K or 1M)"},
      {signal("context", "{name: c, min_tokens: 2K, max_tokens: 1K}"),
       R"(r.yaml:1:53: "min_tokens" is above max_tokens)"},
      {"vsr: {cache: {semantic: {max_error_rate: 0}}}",
       R"(r.yaml:1:42: "max_error_rate" is 0, expected 0.0001 to 0.5)"},
      {"vsr: {cache: {threshold: 0.9, semantic: {}}}",
       R"(r.yaml:1:26: "threshold" is given beside "semantic", which has a similarity_threshold)"},
      {"vsr: {cache: {max_entries: 0}}", R"(r.yaml:1:28: "max_entries" is 0, expected 1 to 1e+09)"},
      {"providers: {models: [{name: m, pricing: {prompt_per_1m: -1}}]}",
       R"(r.yaml:1:57: "prompt_per_1m" is -1, expected at least 0)"},
  });
}

TEST_CASE("router config: what requests would fail with is an error of the file", "[routing][config]") {
  const auto plugin = [](const std::string& type, const std::string& configuration) {
    return with_decisions("  - {name: d, plugins: [{type: " + type + ", configuration: {" + configuration + "}}]}");
  };
  check_all({
      {"vsr: {cache: {ttl_seconds: 31622401}}", R"(r.yaml:1:28: "ttl_seconds" is 31622401, expected 1 to 31622400)"},
      {"vsr: {cache: {ttl_seconds: 0}}", R"(r.yaml:1:28: "ttl_seconds" is 0, expected 1 to 31622400)"},
      {plugin("response_cache", "ttl_seconds: 9e15"), R"(r.yaml:11:77: "ttl_seconds" is "9e15", expected an integer)"},
      {plugin("response_cache", "ttl_seconds: 9000000000000000"),
       R"(r.yaml:11:77: "ttl_seconds" is 9e+15, expected 0 to 31622400)"},
      {plugin("response_cache", "ttl_seconds: -1"), R"(r.yaml:11:77: "ttl_seconds" is -1, expected 0 to 31622400)"},
      {"vsr: {cache: {redis: 'localhost:x'}}",
       R"(r.yaml:1:22: "redis" is no address of Redis: redis address "localhost:x": port is "x", expected 1 to 65535)"},
      {"vsr: {cache: {redis: 'http://cache:6379'}}",
       R"(r.yaml:1:22: "redis" is no address of Redis: redis address "http://cache:6379": "http://cache" is no host)"},
      {"vsr: {cache: {redis: '::1'}}",
       R"(r.yaml:1:22: "redis" is no address of Redis: redis address "::1": ":" is no host )"
       "(hint: an address of IPv6 is written as [::1]:6379)"},
      {"vsr: {cache: {redis: 'u:secret@cache:1'}}",
       R"(r.yaml:1:22: "redis" is no address of Redis: redis address: user and password are written as )"
       "redis://user:password@host:port"},
      {"vsr: {cache: {snapshot: /tmp}}", R"(r.yaml:1:25: "snapshot" is "/tmp", expected a file)"},
      {plugin("header_mutation", "add: [{name: 'a b', value: x}]"),
       R"(r.yaml:11:78: "name" is "a b", which is no name of a header (RFC 9110))"},
      {plugin("header_mutation", "update: [{name: ':path', value: x}]"),
       R"(r.yaml:11:81: "name" is ":path", which is no name of a header (RFC 9110))"},
      {plugin("header_mutation", "delete: ['a:']"),
       R"(r.yaml:11:74: "delete[0]" is "a:", which is no name of a header (RFC 9110))"},
      {plugin("header_mutation", R"(add: [{name: a, value: "x\r\ny: z"}])"),
       R"(r.yaml:11:88: "value" holds a control character, which no header may (RFC 9110))"},
      {plugin("header_mutation", R"(update: [{name: a, value: "x\0"}])"),
       R"(r.yaml:11:91: "value" holds a control character, which no header may (RFC 9110))"},
      {plugin("request_params", "blocked_params: seed"),
       R"(r.yaml:11:80: "blocked_params" is a single value, expected a list)"},
      {plugin("request_params", "blocked_params: [{seed: 1}]"),
       R"(r.yaml:11:81: "blocked_params[0]" is a map, expected a string)"},
      {plugin("request_params", "blocked_params: [Messages]"),
       R"(r.yaml:11:81: "blocked_params[0]" is "Messages", without which there is no request)"},
      {plugin("request_params", "blocked_params: [n, model]"),
       R"(r.yaml:11:84: "blocked_params[1]" is "model", without which there is no request)"},
      {plugin("request_params", "blocked_params: [temprature]"),
       R"(r.yaml:11:81: "blocked_params[0]" is "temprature", which is no parameter (did you mean "temperature"?))"},
      {plugin("request_params", "blocked_params: [stream_options.include_usage]"),
       R"(r.yaml:11:81: "blocked_params[0]" is "stream_options.include_usage", expected the name of a parameter, )"
       "a member of the request itself"},
      {plugin("request_params", "blocked_params: [17]"),
       R"(r.yaml:11:81: "blocked_params[0]" is "17", expected the name of a parameter, a member of the request itself)"},
      {"routing: {signals: {classifiers: [{name: c, labels: [A]}]},\n"
       "  decisions: [{name: d, rules: {type: classifier, name: c, label: A, predicate: {gte: 5}}}]}\n",
       R"(r.yaml:2:87: "gte" is 5, expected 0 to 1)"},
  });
}

TEST_CASE("router config: what may be meant is no error", "[routing][config]") {
  const RouterConfig config = strict(with_decisions(
      "  - {name: d, plugins: [{type: request_params, configuration: {blocked_params: [Seed, top_k, x_vendor]}},\n"
      "      {type: response_cache, configuration: {ttl_seconds: 0}}, {type: header_mutation, configuration: {\n"
      "        add: [{name: X-A, value: ''}, {name: x-b, value: \"tab\\t\u00E9\"}], delete: [Server]}}]}"));
  CHECK(config.decisions[0].plugins.request_params->blocked_params ==
        std::vector<std::string>{"Seed", "top_k", "x_vendor"});
  REQUIRE(config.warnings.size() >= 1);
  CHECK(config.warnings[0] == R"(r.yaml:11:94: blocked_params names "x_vendor", which no server that vsr knows takes)");
}

TEST_CASE("router config: TLS to Redis is not run", "[routing][config]") {
  const std::string text = "vsr: {cache: {redis: 'rediss://u:secret@cache'}}";
  CHECK(strict_failure(text) ==
        Failure{Status::kUnsupported,
                "r.yaml:1:22: TLS to Redis (rediss://) is known but not run by vsr (lenient skips it)"});
  const RouterConfig config = vsr::test::lenient(text);
  CHECK(config.cache.redis.empty());
  CHECK(config.skipped ==
        std::vector<std::string>{"r.yaml:1:22: TLS to Redis (rediss://) is not run by vsr: memory alone is used"});
}

TEST_CASE("router config: signals that cannot work are errors", "[routing][config]") {
  check_all({
      {signal("keywords", "{name: k, method: regex, keywords: [ok, '(']}"),
       R"x(r.yaml:1:72: "keywords[1]" is no pattern that RE2 takes: missing ): ()x"},
      {signal("structure", "{name: s, feature: {type: exists, source: {type: regex, pattern: '(?=a)'}}}"),
       R"x(r.yaml:1:98: "pattern" is no pattern that RE2 takes: invalid perl operator: (?=)x"},
      {signal("structure", "{name: s, feature: {type: count, source: {type: regex, pattern: a}}}"),
       R"(r.yaml:1:33: "structure[0]" has no "predicate", which a count or density needs)"},
      {signal("structure", "{name: s, feature: {type: exists, source: {type: keyword_set}}}"),
       R"(r.yaml:1:75: "source" has no "keywords")"},
      {signal("structure", "{name: s, feature: {type: sequence, source: {type: regex, pattern: a}}}"),
       R"(r.yaml:1:52: "feature" has type sequence and another source, or the reverse: they go together)"},
      {signal("language", "{name: English}"),
       R"(r.yaml:1:39: "name" is "English", expected a language's code such as en)"},
      {signal("fact_check", "{name: facts}"),
       R"(r.yaml:1:34: "fact_check[0]" has the name "facts", expected one of needs_fact_check, no_fact_check_needed)"},
      {signal("domains", "{name: d, mmlu_categories: [helth]}"),
       R"(r.yaml:1:59: "mmlu_categories[0]" is "helth", which is no domain of MMLU-Pro (did you mean "health"?))"},
      {signal("domains", "{name: computer science}, {name: computer_science}"),
       R"(r.yaml:1:64: "name" is "computer_science", which is given twice)"},
      {signal("keywords", "{name: k, keywords: [a]}, {name: k, keywords: [b]}"),
       R"(r.yaml:1:65: "name" is "k", which is given twice)"},
      {signal("jailbreak", "{name: j, method: contrastive}"),
       R"(r.yaml:1:33: "jailbreak[0]" has no "jailbreak_patterns", which its method needs)"},
      {signal("role_bindings", "{name: r, role: admin, subjects: []}"),
       R"(r.yaml:1:70: "subjects" is empty: nobody has the role)"},
      {signal("metadata", "{name: m, key: k, predicate: {equals: a, exists: true}}"),
       R"(r.yaml:1:61: "predicate" needs exactly one of equals, in and exists)"},
      {signal("pii", "{name: p, pii_types_allowed: [X], pii_types_denied: [X]}"),
       R"(r.yaml:1:79: "pii_types_denied" has "X", which is allowed too)"},
      {signal("conversation", "{name: c, feature: {type: exists, source: {type: tool_definition, role: user}}}"),
       R"(r.yaml:1:78: "source" has a "role", which only messages have)"},
  });
}

TEST_CASE("router config: names that resolve to nothing are errors", "[routing][config]") {
  check_all({
      {with_decisions("  - {name: d, rules: {type: keywrd, name: a}}"),
       R"(r.yaml:11:29: "type" is "keywrd", which is no type of signal (did you mean "keyword"?))"},
      {with_decisions("  - {name: d, rules: {type: keyword, name: ab}}"),
       R"(r.yaml:11:44: "name" is "ab", which no keyword signal of this file is called (did you mean "a"?))"},
      {with_decisions("  - {name: d, rules: {type: complexity, name: c}}"),
       R"(r.yaml:11:47: "name" is "c", which no complexity signal of this file is called, expected a level after the name, such as "c:hard")"},
      {with_decisions("  - {name: d, rules: {type: jailbreak, name: jj}}"),
       R"(r.yaml:11:46: "name" is "jj", which no jailbreak signal of this file is called (did you mean "j"?))"},
      {with_decisions("  - {name: d, modelRefs: [{model: smal}]}"),
       R"(r.yaml:11:35: "model" is "smal", which neither routing.modelCards nor providers.models defines (did you mean "small"?))"},
      {with_decisions("  - {name: d, modelRefs: [{model: small, lora_name: cs}]}"),
       R"(r.yaml:11:53: "lora_name" is "cs", which the modelCard of small does not list under loras)"},
      {"providers: {defaults: {default_model: m}, models: [{name: mm}]}",
       R"(r.yaml:1:39: "default_model" is "m", which neither routing.modelCards nor providers.models defines (did you mean "mm"?))"},
      {"providers: {models: [{name: m, reasoning_family: qwen}], defaults: {reasoning_families: {qwen3: {type: "
       "thinking}}}}",
       R"(r.yaml:1:50: "reasoning_family" is "qwen", which providers.defaults.reasoning_families does not define (did you mean "qwen3"?))"},
      {"providers: {models: [{name: m}, {name: m}]}", R"(r.yaml:1:40: "name" is "m", which is given twice)"},
      {"providers: {models: [{name: auto-x}]}\nglobal: {router: {auto_model_name: auto-x}}",
       R"(r.yaml:2:36: "auto_model_name" is "auto-x", which is a model's name too)"},
      {R"(routing: {modelCards: [{name: "a\0b"}]})", R"(r.yaml:1:31: "name" holds a NUL)"},
      {R"(routing: {modelCards: [{name: a, loras: [{name: "l\0"}]}]})", R"(r.yaml:1:49: "name" holds a NUL)"},
      {signal("keywords", R"({name: "k\0", keywords: [x]})"), R"(r.yaml:1:39: "name" holds a NUL)"},
      {with_decisions(R"(  - {name: "safe\0evil"})"), R"(r.yaml:11:12: "name" holds a NUL)"},
      {std::string(vsr::test::kModels) +
           "routing: {signals: {domains: [{name: law, model_scores: [{model: lrge, score: 1}]}]}}",
       R"(r.yaml:4:66: "model" is "lrge", which neither routing.modelCards nor providers.models defines (did you mean "large"?))"},
  });
}

TEST_CASE("router config: decisions that cannot be are errors", "[routing][config]") {
  check_all({
      {with_decisions("  - {name: d}\n  - {name: d}"), R"(r.yaml:12:12: "name" is "d", which is given twice)"},
      {with_decisions("  - {name: d, rules: {operator: NOT, conditions: []}}"),
       R"(r.yaml:11:22: "rules" is NOT of 0 conditions, expected exactly one)"},
      {with_decisions("  - {name: d, rules: {operator: and, conditions: []}}"),
       R"(r.yaml:11:33: "operator" is "and", expected one of AND, OR, NOT)"},
      {with_decisions("  - {name: d, rules: {conditions: []}}"), R"(r.yaml:11:22: "rules" has no "operator")"},
      {with_decisions("  - {name: d, algorithm: {type: statc}}"),
       R"(r.yaml:11:33: "type" is "statc", which is no selection algorithm (did you mean "static"?))"},
      {with_decisions("  - {name: d, plugins: [{type: system_promt}]}"),
       R"(r.yaml:11:32: "type" is "system_promt", which is no plugin (did you mean "system_prompt"?))"},
      {with_decisions("  - {name: d, plugins: [{type: system_prompt, configuration: {mode: insert}}]}"),
       R"(r.yaml:11:62: "configuration" has no "system_prompt")"},
      {with_decisions("  - name: d\n    plugins:\n    - {type: semantic_cache, configuration: {}}\n"
                      "    - {type: response_cache, configuration: {}}"),
       R"(r.yaml:14:7: "plugins[1]" is a second plugin response_cache)"},
      {with_decisions("  - {name: d, modelRefs: [{model: small, reasoning_effort: hgh}]}"),
       R"(r.yaml:11:60: "reasoning_effort" is "hgh", expected one of none, minimal, low, medium, high, xhigh, max (did you mean "high"?))"},
      {"routing: {decisions: [{name: d}]}",
       R"(r.yaml:1:23: "decisions[0]" has neither "modelRefs" nor a fast_response, and there is no default_model)"},
  });
}

TEST_CASE("router config: composers that need themselves are an error", "[routing][config]") {
  check_all({{R"(routing:
  signals:
    complexity:
    - {name: p, hard: {candidates: [h]}, easy: {candidates: [e]}, composer: {type: complexity, name: "q:hard"}}
    - {name: q, hard: {candidates: [h]}, easy: {candidates: [e]}, composer: {type: complexity, name: "p:easy"}}
)",
              R"(r.yaml:4:77: "composer" needs itself, by way of complexity signals and projections)"}});
}

TEST_CASE("router config: the flat form is recognised and answered with how to convert", "[routing][config]") {
  check_all({
      {"vllm_endpoints:\n  - {name: e}\ncategories: []\n",
       "r.yaml:2:3: \"vllm_endpoints\" at the top is the flat form before v0.3, which is not read: write it as "
       "providers.models[].backend_refs (the canonical v0.3 form has routing: and providers: at the top)"},
      {"default_model: x",
       "r.yaml:1:16: \"default_model\" at the top is the flat form before v0.3, which is not read: write it as "
       "providers.defaults.default_model (the canonical v0.3 form has routing: and providers: at the top)"},
  });
}

TEST_CASE("router config: what is no text or too deep is an error with its place", "[routing][config]") {
  CHECK(strict_failure("a: 1\nb: \"x\xFFy\"\n").message == "r.yaml:2:6: is not UTF-8");
  std::string rule = "{type: keyword, name: a}";
  for (int i = 0; i < 40; ++i) rule = "{operator: AND, conditions: [" + rule + "]}";
  CHECK(strict_failure(with_decisions("  - {name: d, rules: " + rule + "}")).message.find("nested deeper than") !=
        std::string::npos);
  CHECK(strict_failure("version: v0.4").status == Status::kUnsupported);
}

TEST_CASE("router config: a classifier's label with a colon is not another classifier", "[routing][config]") {
  const std::string text = std::string(vsr::test::kModels) +
                           "routing: {signals: {classifiers: [{name: a, labels: ['b:C']}]}, "
                           "decisions: [{name: d, rules: {type: classifier, name: %}}]}";
  const auto with = [&](const std::string& name) { return std::string(text).replace(text.find('%'), 1, name); };
  CHECK_FALSE(strict_failure(with("a, label: 'b:C'")).status);
  CHECK(strict_failure(with("'a:b', label: C")).status == Status::kParse);
}

TEST_CASE("router config: lists of absurd length are refused", "[routing][config]") {
  std::string names;
  for (int i = 0; i < 10001; ++i) names += "{name: m" + std::to_string(i) + "},";
  CHECK(strict_failure("providers: {models: [" + names + "]}").message ==
        R"(r.yaml:1:21: "models" has 10001 items, at most 10000 are read)");
}

TEST_CASE("router config: hostile patterns are refused in bounded time", "[routing][config]") {
  std::string nested = "a";
  for (int i = 0; i < 6; ++i) nested = "(" + nested + "){1000}";
  for (const std::string& pattern : {nested, std::string("(((a{100}){100}){100})"), std::string(5000, '(')}) {
    CHECK(strict_failure(signal("keywords", "{name: k, method: regex, keywords: ['" + pattern + "']}")).status ==
          Status::kParse);
  }
}
