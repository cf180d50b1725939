// What a router finds out when it is opened, and what it does not let a request go past.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "routing/router.h"
#include "support/failure.h"
#include "support/host_locale.h"
#include "support/temp_folder.h"

using namespace vsr;
using namespace vsr::inference;
using namespace vsr::routing;
using base::Status;
using test::Failure;
using test::failure_of;
using Json = nlohmann::json;

namespace {

class OneVector : public Embedder {
 public:
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits&) const override {
    std::vector<float> rows;
    for (size_t i = 0; i < texts.size(); ++i) rows.insert(rows.end(), {1, 0});
    return rows;
  }
  size_t dim() const override { return 2; }
  std::string fingerprint() const override { return "one"; }
};

// Models that lack the tasks that a test says.
class SomeTasks : public Inference {
 public:
  bool has_models() const override { return any; }
  std::string missing(const std::string& task, TaskUse use) const override {
    if (!folder.empty()) base::fail(Status::kNotFound, folder);
    const std::string name = use == TaskUse::kEmbed ? "embedding" : task;
    return gone.contains(name) ? "task \"" + name + "\" does not exist" : "";
  }
  void load() const override { ++loaded; }
  std::shared_ptr<const Embedder> embedder(const std::string&) const override {
    if (gone.contains("embedding")) base::fail(Status::kNotFound, "no model embeds");
    return std::make_shared<OneVector>();
  }
  std::vector<TaskAnswer> classify(std::span<const std::string_view> texts, std::span<const TaskQuestion> tasks,
                                   const std::vector<bool>&, const base::CallLimits&) const override {
    ++passes;
    std::vector<TaskAnswer> answers;
    for (const TaskQuestion& question : tasks) {
      TaskAnswer answer;
      if (gone.contains(question.task)) {
        answer.error = std::make_exception_ptr(base::Error(error, "task " + question.task + " is gone"));
      } else {
        answer.labels = {"SAFE", "RISKY"};
        for (size_t i = 0; i < texts.size(); ++i) answer.scores.insert(answer.scores.end(), {0.9f, 0.1f});
      }
      answers.push_back(answer);
    }
    return answers;
  }
  std::optional<size_t> count_tokens(std::string_view text) const override { return text.size() / 4; }

  bool any = true;
  std::set<std::string> gone = {};
  std::string folder = {};  // what is wrong with it; empty: nothing
  Status error = Status::kNotFound;
  mutable int loaded = 0;
  mutable int passes = 0;
};

constexpr const char* kHead = R"(providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
)";

struct Opened {
  explicit Opened(const std::string& text, bool lenient = false, bool validate = false, SomeTasks tasks = {})
      : models(std::make_shared<SomeTasks>(std::move(tasks))) {
    path = folder.write("r.yaml", kHead + text);
    open(lenient, validate);
  }
  void open(bool lenient = false, bool validate = false) {
    RouterOptions options{.lenient = lenient, .validate_models = validate, .inference = models};
    options.log = [this](base::LogLevel level, std::string_view line) {
      if (level >= base::LogLevel::kWarning) log.emplace_back(line);
    };
    options.models = identity;
    failure = failure_of([&] { router = Router::open(path, options); });
    const size_t at = failure.message.find(path);
    if (at != std::string::npos) failure.message.replace(at, path.size(), "r.yaml");
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> lines = Json::parse(router->describe()).at("warnings");
    for (std::string& line : lines) {
      if (line.starts_with(path)) line.replace(0, path.size(), "r.yaml");
    }
    return lines;
  }
  Failure route(const std::string& text, const RouteOptions& options = {}) {
    Failure result = failure_of([&] { routed = router->route(text, options); });
    if (result.message.starts_with(path)) result.message.replace(0, path.size(), "r.yaml");
    return result;
  }

  test::TempFolder folder;
  std::string path;
  std::string identity;
  std::shared_ptr<SomeTasks> models;
  std::shared_ptr<const Router> router;
  Failure failure;
  Routed routed;
  std::vector<std::string> log;
};

constexpr const char* kGuard = R"(routing:
  signals: {jailbreak: [{name: attack}], pii: [{name: private}]}
  decisions:
    - {name: block, rules: {type: jailbreak, name: attack}, plugins: [{type: fast_response, configuration: {message: no}}]}
)";

std::string risk(const std::string& on_error) {
  return R"(routing:
  signals: {classifiers: [{name: risk, labels: [SAFE, RISKY]}]}
  decisions:
    - {name: risky, rules: {type: classifier, name: risk, label: RISKY)" +
         on_error + "}, modelRefs: [{model: large}]}\n";
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("router open: a task that a rule needs and no model has is an error at the rule", "[routing][open]") {
  SomeTasks lacking;
  lacking.gone = {"jailbreak", "pii"};
  const Opened opened(kGuard, false, false, lacking);
  CHECK(opened.failure ==
        Failure{Status::kNotFound, R"(r.yaml:7:28: signal "jailbreak:attack": task "jailbreak" does not exist)"});
  CHECK(opened.models->loaded == 0);
  // What no rule names is not needed.
  lacking.gone = {"pii"};
  CHECK_FALSE(Opened(kGuard, false, false, lacking).failure.status);
}

TEST_CASE("router open: embeddings of rules are tasks too", "[routing][open]") {
  SomeTasks lacking;
  lacking.gone = {"embedding"};
  const Opened opened(R"(routing:
  signals: {embeddings: [{name: e, threshold: 0.5, candidates: [x]}]}
  decisions: [{name: d, rules: {type: embedding, name: e}}]
)",
                      false, false, lacking);
  CHECK(opened.failure ==
        Failure{Status::kNotFound, R"(r.yaml:6:32: signal "embedding:e": task "embedding" does not exist)"});
}

TEST_CASE("router open: without any model, missing tasks are warnings", "[routing][open]") {
  SomeTasks none;
  none.any = false;
  none.gone = {"jailbreak"};
  Opened opened(kGuard, false, false, none);
  REQUIRE_FALSE(opened.failure.status);
  REQUIRE(opened.warnings().size() == 2);
  CHECK(opened.warnings()[1] == R"(r.yaml:7:28: signal "jailbreak:attack" needs a model, and )"
                                R"("vsr.models" names none: an engine must be given)");
  CHECK(opened.router->decide(std::vector<GivenSignal>{{"jailbreak:attack", 1}}).decision == "block");
}

TEST_CASE("router open: lenient, missing tasks and folders are warnings, and safety still fails closed",
          "[routing][open]") {
  SomeTasks lacking;
  lacking.gone = {"jailbreak"};
  Opened opened(kGuard, true, false, lacking);
  REQUIRE_FALSE(opened.failure.status);
  CHECK(opened.warnings().back() == R"(r.yaml:7:28: signal "jailbreak:attack": task "jailbreak" does not exist; )"
                                    "requests that need it fail");
  CHECK(opened.route("hello") == Failure{Status::kNotFound, "task jailbreak is gone"});

  SomeTasks nowhere;
  nowhere.folder = "r.yaml:9:3: model \"m\": /nowhere: no such folder";
  CHECK(Opened(kGuard, false, false, nowhere).failure == Failure{Status::kNotFound, nowhere.folder});
  CHECK(Opened(kGuard, true, false, nowhere).warnings().back() == nowhere.folder);
}

TEST_CASE("router open: on_error answers for a missing task as for any failure", "[routing][open]") {
  SomeTasks lacking;
  lacking.gone = {"risk"};
  CHECK(Opened(risk(""), false, false, lacking).failure.status == Status::kNotFound);
  CHECK(Opened(risk(", on_error: error"), false, false, lacking).failure.status == Status::kNotFound);
  for (const bool match : {true, false}) {
    Opened opened(risk(match ? ", on_error: match" : ", on_error: no_match"), false, false, lacking);
    REQUIRE_FALSE(opened.failure.status);
    CHECK(opened.warnings() ==
          std::vector<std::string>{R"(r.yaml:7:28: signal "classifier:risk:RISKY": task "risk" does not exist; )"
                                   "its on_error answers every time"});
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.decision.has_value() == match);
    // The end of a call is no answer.
    opened.models->error = Status::kDeadline;
    CHECK(opened.route("hello").status == Status::kDeadline);
    opened.models->error = Status::kCancelled;
    CHECK(opened.route("hello").status == Status::kCancelled);
  }
}

TEST_CASE("router open: validate_models loads, and asks every signal that rules need", "[routing][open]") {
  Opened opened(risk(""), false, true);
  REQUIRE_FALSE(opened.failure.status);
  CHECK(opened.models->loaded == 1);
  CHECK(opened.models->passes == 1);
  // A label that the model does not have shows only when it is asked.
  const std::string text = R"(routing:
  signals: {classifiers: [{name: risk, labels: [TOXIC]}]}
  decisions: [{name: d, rules: {type: classifier, name: risk, label: TOXIC}}]
)";
  CHECK_FALSE(Opened(text).failure.status);
  CHECK(
      Opened(text, false, true).failure ==
      Failure{Status::kInvalidArgument,
              R"(r.yaml:6:32: signal "classifier:risk:TOXIC": classifier rule "risk": label "TOXIC", the model's are )"
              "SAFE, RISKY"});
}

TEST_CASE("router open: a cache that no model embeds for finds exact texts", "[routing][open][cache]") {
  SomeTasks lacking;
  lacking.gone = {"embedding"};
  Opened opened("vsr: {cache: {threshold: 0.9}}\n", false, false, lacking);
  REQUIRE_FALSE(opened.failure.status);
  CHECK(opened.warnings().back() ==
        R"(r.yaml: the response cache finds the same text alone: task "embedding" does not exist)");
  REQUIRE_FALSE(opened.route("hello").status);
  opened.router->store(opened.routed, "answer");
  REQUIRE_FALSE(opened.route("hello").status);
  CHECK(opened.routed.outcome == RouteOutcome::kCached);
}

TEST_CASE("router open: a snapshot that does not fit is kept aside, and requests go on", "[routing][open][cache]") {
  Opened opened("vsr: {cache: {snapshot: cache.bin}}\n");
  const std::string snapshot = opened.folder / "cache.bin";
  REQUIRE_FALSE(opened.route("hello").status);
  opened.router->store(opened.routed, "answer");
  opened.router.reset();
  const std::string whole = contents_of(snapshot);
  REQUIRE(whole.size() > 100);

  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  std::string newer = whole;
  newer[8] = 99;
  size_t kept = 0;
  for (const std::string& damaged : {std::string(), std::string("not a snapshot at all"), flipped, newer,
                                     whole.substr(0, whole.size() / 2), whole + whole}) {
    opened.folder.write("cache.bin", damaged);
    opened.log.clear();
    opened.open();
    REQUIRE_FALSE(opened.failure.status);
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.outcome == RouteOutcome::kForward);
    const std::string aside = snapshot + ".bad" + (kept == 0 ? "" : "." + std::to_string(kept));
    ++kept;
    CHECK(contents_of(aside) == damaged);
    REQUIRE(opened.log.size() == 1);
    CHECK_THAT(opened.log[0], Catch::Contains("the file is kept as " + aside));
    opened.router.reset();
    CHECK(contents_of(snapshot) != damaged);  // the cache was saved in its place
  }
}

TEST_CASE("router open: the snapshot of another model is kept aside too", "[routing][open][cache]") {
  Opened opened("vsr: {cache: {threshold: 0.9, snapshot: cache.bin}}\n");
  REQUIRE_FALSE(opened.route("hello").status);
  opened.router->store(opened.routed, "answer");
  opened.router.reset();
  opened.models->gone = {"embedding"};
  opened.open();
  REQUIRE_FALSE(opened.route("hello").status);
  CHECK(opened.routed.outcome == RouteOutcome::kForward);
  CHECK(std::filesystem::exists((opened.folder / "cache.bin") + ".bad"));
}

TEST_CASE("router open: an answer with a ttl of 0 is not kept", "[routing][open][cache]") {
  Opened opened(R"(routing:
  signals: {keywords: [{name: k, keywords: [hello]}]}
  decisions:
    - {name: d, rules: {type: keyword, name: k}, plugins: [{type: response_cache, configuration: {ttl_seconds: 0}}]}
)");
  for (int i = 0; i < 2; ++i) {
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.outcome == RouteOutcome::kForward);
    opened.router->store(opened.routed, "answer");
  }
}

TEST_CASE("router open: a decision whose cache plugin is switched off keeps no answers", "[routing][open][cache]") {
  for (const char* type : {"response_cache", "semantic-cache"}) {
    Opened opened(std::string("vsr: {cache: {}}\nrouting:\n") +
                  "  signals: {keywords: [{name: k, keywords: [hello]}]}\n" +
                  "  decisions:\n    - {name: d, rules: {type: keyword, name: k}, plugins: [{type: " + type +
                  ", configuration: {enabled: false}}]}\n");
    REQUIRE_FALSE(opened.failure.status);
    for (const char* text : {"hello", "hello", "something else"}) {
      REQUIRE_FALSE(opened.route(text).status);
      CHECK(opened.routed.outcome == RouteOutcome::kForward);
      opened.router->store(opened.routed, "answer");
    }
    REQUIRE_FALSE(opened.route("something else").status);
    CHECK(opened.routed.outcome == RouteOutcome::kCached);
  }
}

TEST_CASE("router open: what a rule cannot be made of is an error with its place", "[routing][open]") {
  const std::vector<std::string> signals = {
      "keywords: [{name: ok, keywords: [x]}, {name: k, keywords: [' ']}]",
      "keywords: [{name: k, method: bm25, keywords: [' ']}]",
      "keywords: [{name: k, method: regex, keywords: ['" + std::string(9000, 'x') + "']}]",
      "keywords: [{name: k, keywords: ['" + std::string(300'000, 'x') + "']}]",
      "structure: [{name: k, feature: {type: count, source: {type: regex, pattern: '" + std::string(9000, 'x') +
          "'}}, predicate: {gt: 1}}]",
      "structure: [{name: k, feature: {type: count, source: {type: regex, pattern: ''}}, predicate: {gt: 1}}]"};
  for (const std::string& signal : signals) {
    CAPTURE(signal.substr(0, 80));
    const std::string type = signal.substr(0, signal.find(':')) == "structure" ? "structure" : "keyword";
    for (const std::string& decisions :
         {std::string(), "  decisions: [{name: d, rules: {type: " + type + ", name: k}}]\n"}) {
      const Opened opened("routing:\n  signals: {" + signal + "}\n" + decisions);
      CHECK(opened.failure.status);
      CHECK_THAT(opened.failure.message, Catch::Matches("r\\.yaml:[0-9]+:[0-9]+: .*"));
    }
  }
}

TEST_CASE("router open: a snapshot that is the config itself is an error", "[routing][open][cache]") {
  const Opened opened("vsr: {cache: {snapshot: r.yaml}}\n");
  REQUIRE(opened.failure.status);
  CHECK_THAT(opened.failure.message, Catch::Contains("which is this file itself"));
}

TEST_CASE("router open: models of another place share no answers", "[routing][open][cache]") {
  Opened opened("vsr: {cache: {snapshot: cache.bin}}\n");
  for (const char* models : {"here", "there"}) {
    opened.identity = models;
    opened.open();
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.outcome == RouteOutcome::kForward);
    opened.router->store(opened.routed, "answer");
    opened.router.reset();
  }
  opened.open();
  REQUIRE_FALSE(opened.route("hello").status);
  CHECK(opened.routed.outcome == RouteOutcome::kCached);
}

TEST_CASE("router open: lenient, no request goes past a rule that might have blocked it", "[routing][open]") {
  const auto with = [](const std::string& rules, const std::string& first = "") {
    return R"(routing:
  signals:
    keywords: [{name: bad, keywords: [bad]}, {name: fine, keywords: [fine]}]
    reasks: [{name: again}]
    modality: [{name: IMAGE}]
  decisions:
    - {name: block, priority: 50, rules: )" +
           rules + R"(, plugins: [{type: fast_response, configuration: {message: "no"}}]}
    - {name: fine, priority: 10, rules: {type: keyword, name: fine}, modelRefs: [{model: large}]}
)" + first;
  };
  const std::string skipped = "{type: reask, name: again}";
  const std::string word = "{type: keyword, name: bad}";

  {  // The whole rule hangs on it: everything is refused but what comes first.
    Opened opened(with(skipped, "    - {name: first, priority: 90, rules: {type: keyword, name: fine}}\n"), true);
    REQUIRE_FALSE(opened.failure.status);
    CHECK_THAT(opened.warnings(),
               Catch::VectorContains(
                   std::string(R"(r.yaml:10:7: decision "block" blocks or protects and needs reask:again, which )"
                               "is not run: requests that it might have won are refused")));
    CHECK(opened.route("hello") ==
          Failure{Status::kUnsupported, R"(r.yaml:10:7: decision "block" blocks or protects, and might have won: its )"
                                        "rule needs reask:again, which is not run"});
    REQUIRE_FALSE(opened.route("fine").status);
    CHECK(opened.routed.decision == "first");
  }
  {  // AND: only where the rest of the rule matches.
    Opened opened(with("{operator: AND, conditions: [" + skipped + ", " + word + "]}"), true);
    CHECK(opened.route("bad").status == Status::kUnsupported);
    CHECK(opened.route("bad and fine").status == Status::kUnsupported);
    REQUIRE_FALSE(opened.route("fine").status);
    CHECK(opened.routed.decision == "fine");
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK_FALSE(opened.routed.decision);
  }
  {  // OR: what surely matches is blocked, the rest refused.
    Opened opened(with("{operator: OR, conditions: [" + skipped + ", " + word + "]}"), true);
    REQUIRE_FALSE(opened.route("bad").status);
    CHECK(opened.routed.outcome == RouteOutcome::kRespond);
    CHECK(opened.route("hello").status == Status::kUnsupported);
  }
  {  // NOT: a signal that is not run does not match, so that the rule does, and blocks.
    Opened opened(with("{operator: NOT, conditions: [" + skipped + "]}"), true);
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.outcome == RouteOutcome::kRespond);
  }
  {  // A rule that came before the one that blocks, and would not have with a signal that is not run.
    const std::string shadow = "    - {name: shadow, priority: 99, rules: {operator: NOT, conditions: [" + skipped +
                               "]}, modelRefs: [{model: large}]}\n";
    Opened opened(with(word, shadow), true);
    CHECK(opened.route("bad") == Failure{Status::kUnsupported,
                                         R"(r.yaml:10:7: decision "block" blocks or protects, and might have won: a )"
                                         "rule that came before it needs a signal that is not run"});
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK(opened.routed.decision == "shadow");
  }
  {  // decide() is told what matched.
    const Opened opened(with(skipped), true);
    CHECK(opened.router->decide(std::vector<GivenSignal>{{"reask:again", 1}}).outcome == RouteOutcome::kRespond);
    CHECK_FALSE(opened.router->decide({}).decision);
  }
  {  // Nothing hangs on what blocks nothing.
    Opened opened(R"(routing:
  signals: {reasks: [{name: again}]}
  decisions: [{name: d, rules: {type: reask, name: again}, modelRefs: [{model: large}]}]
)",
                  true);
    REQUIRE_FALSE(opened.route("hello").status);
    CHECK_FALSE(opened.routed.decision);
  }
}

TEST_CASE("router open: lenient, a decision without the plugin that protects it is refused", "[routing][open]") {
  for (const std::string plugin : {"response_jailbreak", "tools"}) {
    CAPTURE(plugin);
    Opened opened(R"(routing:
  signals: {keywords: [{name: k, keywords: [code]}]}
  decisions:
    - {name: d, rules: {type: keyword, name: k}, plugins: [{type: )" +
                      plugin + ", configuration: {enabled: true}}]}\n",
                  true);
    REQUIRE_FALSE(opened.failure.status);
    CHECK(opened.route("write code") ==
          Failure{Status::kUnsupported,
                  "r.yaml:7:60: plugin " + plugin + R"( is not run, and decision "d" is not safe without it)"});
    CHECK_FALSE(opened.route("hello").status);
  }
}

TEST_CASE("router open: lenient, a request that names its model is refused as well where it is checked",
          "[routing][open]") {
  const auto with = [](const std::string& passthrough) {
    return R"(routing:
  signals: {keywords: [{name: bad, keywords: [bad]}], reasks: [{name: again}]}
  decisions:
    - name: block
      rules: {operator: AND, conditions: [{type: keyword, name: bad}, {type: reask, name: again}]}
      plugins: [{type: fast_response, configuration: {message: "no"}}]
vsr: {passthrough: )" +
           passthrough + "}\n";
  };
  const auto body = [](const std::string& text) {
    return Json{{"model", "large"}, {"messages", {{{"role", "user"}, {"content", text}}}}}.dump();
  };
  Opened checked(with("check"), true);
  CHECK(checked.route(body("bad")).status == Status::kUnsupported);
  REQUIRE_FALSE(checked.route(body("fine")).status);
  CHECK(checked.routed.outcome == RouteOutcome::kPassthrough);
  Opened allowed(with("allow"), true);
  CHECK_FALSE(allowed.route(body("bad")).status);
}

TEST_CASE("router open: evaluating everything refuses the same requests", "[routing][open]") {
  Opened opened(R"(routing:
  signals: {keywords: [{name: a, keywords: [one]}, {name: b, keywords: [two]}], reasks: [{name: r}]}
  decisions:
    - {name: block, priority: 5, rules: {operator: AND, conditions: [{type: keyword, name: a}, {type: reask, name: r}]},
       plugins: [{type: fast_response, configuration: {message: "no"}}]}
    - {name: b, priority: 9, rules: {type: keyword, name: b}}
)",
                true);
  for (const char* text : {"one", "two", "one two", "three"}) {
    CAPTURE(text);
    const Failure lazy = opened.route(text);
    CHECK(opened.route(text, {.evaluate_all = true}) == lazy);
    CHECK(lazy.status.has_value() == (std::string(text) == "one"));
  }
}

TEST_CASE("router open: metrics name configured models alone", "[routing][open][metrics]") {
  Opened opened("");
  for (int i = 0; i < 400; ++i) {
    const Json body = {{"model", "made-up-" + std::to_string(i)},
                       {"messages", {{{"role", "user"}, {"content", "hi"}}}}};
    REQUIRE_FALSE(opened.route(body.dump()).status);
  }
  REQUIRE_FALSE(opened.route("hi").status);
  REQUIRE_FALSE(opened.route(R"({"model": "large", "messages": [{"role": "user", "content": "hi"}]})").status);
  const std::string text = opened.router->metrics();
  CHECK_THAT(text, !Catch::Contains("made-up"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="other"} 400)"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="small"} 1)"));
  CHECK_THAT(text, Catch::Contains(R"(vsr_route_seconds_count{decision="none",model="large"} 1)"));
}

TEST_CASE("router open: metrics have room for every decision of a large file", "[routing][open][metrics]") {
  std::string text = "routing:\n  signals:\n    keywords:\n";
  std::string decisions = "  decisions:\n";
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    text += "      - {name: k" + n + ", keywords: [word" + n + "]}\n";
    decisions += "    - {name: d" + n + ", rules: {type: keyword, name: k" + n + "}}\n";
  }
  Opened opened(text + decisions);
  for (int i = 0; i < 300; ++i) REQUIRE_FALSE(opened.route("word" + std::to_string(i)).status);
  const std::string metrics = opened.router->metrics();
  CHECK_THAT(metrics, !Catch::Contains("other"));
  CHECK_THAT(metrics, Catch::Contains(R"(vsr_route_decisions_total{decision="d299"} 1)"));
}

TEST_CASE("router open: the host's locale changes nothing", "[routing][open][locale]") {
  const std::string text = R"(routing:
  modelCards: [{name: small, context_window_size: 40000, quality_score: 0.55}]
  signals:
    keywords: [{name: k, method: bm25, bm25_threshold: 0.25, keywords: [refund, money]}]
    embeddings: [{name: e, threshold: 0.75, candidates: [x]}]
    structure: [{name: s, feature: {type: density, source: {type: keyword_set, keywords: [money]}}, predicate: {gt: 0.01}}]
  decisions:
    - name: d
      rules: {operator: OR, conditions: [{type: keyword, name: k}, {type: embedding, name: e}, {type: structure, name: s}]}
      modelRefs: [{model: small, weight: 1.5}, {model: large, weight: 0.25}]
      plugins: [{type: request_params, configuration: {max_tokens_limit: 123456}}]
vsr: {cache: {threshold: 0.935, ttl_seconds: 86400}}
)";
  const auto all = [&] {
    Opened opened(text);
    CHECK_FALSE(opened.failure.status);
    CHECK_FALSE(opened
                    .route(R"({"max_tokens": 9999999, "temperature": 0.125, "messages": )"
                           R"([{"role": "user", "content": "my money back, a refund of 1,234.5"}]})",
                           {.evaluate_all = true})
                    .status);
    std::string told = opened.routed.request + *opened.routed.model + std::to_string(opened.routed.confidence > 0);
    for (const EvaluatedSignal& signal : opened.routed.signals) {
      told += Json{signal.name, signal.value.confidence, signal.value.value, signal.value.detail}.dump();
    }
    const std::string metrics = opened.router->metrics();
    for (const char* part : {"le=\"0.00025\"", "le=\"2.5\"", "vsr_cache_lookups 1\n"}) {
      CHECK_THAT(metrics, Catch::Contains(part));
    }
    Json info = Json::parse(opened.router->describe());
    for (const char* key : {"path", "warnings"}) info.erase(key);  // they name the folder
    return told + info.dump();
  };
  const std::string plain = all();
  {
    const test::CommaStreams streams;
    CHECK(all() == plain);
  }
  const test::HostLocale host("de_DE");
  if (!host.set()) WARN("no locale de_DE on this machine, and it could not be made");
  CHECK(all() == plain);
}
