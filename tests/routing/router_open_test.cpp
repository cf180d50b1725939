// What a router finds out when it is opened.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "routing/support/opened_router.h"

using namespace vsr;
using namespace vsr::routing;
using base::Status;
using test::Failure;
using Opened = test::OpenedRouter;
using test::SomeTasks;
using Json = nlohmann::json;

namespace {

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

TEST_CASE("router open: a snapshot that is too large is not read, and a link to one stays", "[routing][open][cache]") {
  Opened opened("vsr: {cache: {max_bytes: 1048576, snapshot: cache.bin}}\n");
  const std::string snapshot = opened.folder / "cache.bin", target = opened.folder / "target.bin";
  opened.folder.write("target.bin", "vsrcch\r\n");
  std::filesystem::resize_file(target, size_t{1} << 32);  // of zeros, which take no room
  std::filesystem::create_symlink(target, snapshot);
  REQUIRE_FALSE(opened.route("hello").status);
  CHECK(std::filesystem::is_symlink(snapshot));
  CHECK(std::filesystem::exists(target + ".bad"));
  CHECK_FALSE(std::filesystem::exists(target));
  REQUIRE(opened.log.size() == 1);
  CHECK_THAT(opened.log[0], Catch::Contains("4294967296 bytes"));
  opened.router->store(opened.routed, "answer");
  opened.router.reset();
  CHECK(std::filesystem::is_symlink(snapshot));
  CHECK(std::filesystem::exists(target));
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
