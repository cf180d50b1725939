// A router whose file is read again while it routes.
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "routing/config/reader/config_file.h"
#include "routing/config/reader/config_meaning.h"
#include "support/opened_router.h"

using namespace vsr;
using namespace vsr::routing;
using namespace vsr::test;

namespace {

std::string rule(const std::string& word, const std::string& model) {
  return "routing:\n  signals:\n    keywords: [{name: w, operator: OR, keywords: [" + word +
         "]}]\n  decisions: [{name: d, rules: {type: keyword, name: w}, modelRefs: [{model: " + model + "}]}]\n";
}

struct Reloaded : OpenedRouter {
  using OpenedRouter::OpenedRouter;
  Failure reload(const std::string& text) {
    folder.write("r.yaml", kTwoModels + text);
    RouterOptions options;
    options.inference = models;
    options.models = identity;
    Failure result = failure_of([&] { router->reload(options); });
    const size_t at = result.message.find(path);
    if (at != std::string::npos) result.message.replace(at, path.size(), "r.yaml");
    return result;
  }
  std::string model_of(const std::string& text) { return router->route(text, {}).model.value_or(""); }
  bool store(const std::string& text) {
    router->store(router->route(text, {}), R"({"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]})");
    return is_cached(text);
  }
  bool is_cached(const std::string& text) { return router->route(text, {}).outcome == RouteOutcome::kCached; }
};

std::string meaning(const std::string& text) {
  const TempFolder folder;
  const std::string path = folder.write("m.yaml", kTwoModels + text);
  return config_meaning(kTwoModels + text, load_router_config(path, false));
}

const std::string kCache = "vsr: {cache: {ttl_seconds: 600}}\n";

}  // namespace

TEST_CASE("router reload: requests follow the new file, and a broken one changes nothing", "[routing][reload]") {
  Reloaded opened(rule("tea", "large"));
  CHECK(opened.model_of("tea") == "large");
  CHECK_FALSE(opened.reload(rule("coffee", "large")).status);
  CHECK(opened.model_of("tea") == "small");
  CHECK(opened.model_of("coffee") == "large");
  const Failure broken = opened.reload("routing: {signalz: {}}\n");
  CHECK(broken.status == base::Status::kParse);
  CHECK_THAT(broken.message, Catch::StartsWith("r.yaml:4:") && Catch::Contains("signalz"));
  CHECK(opened.model_of("coffee") == "large");
  opened.models->gone = {"jailbreak"};
  const Failure missing = opened.reload(
      "routing:\n  signals: {jailbreak: [{name: j}]}\n  decisions: [{name: d, rules: {type: jailbreak, name: j}, "
      "modelRefs: [{model: small}]}]\n");
  CHECK(missing.status == base::Status::kNotFound);
  CHECK(opened.model_of("coffee") == "large");
}

TEST_CASE("router reload: cached answers stay where what decides did not change", "[routing][reload]") {
  Reloaded opened(rule("tea", "large") + kCache);
  REQUIRE(opened.store("tea?"));
  // Layout, comments, sizes of requests, people's words.
  CHECK_FALSE(opened
                  .reload("# said anew\n" + rule("tea", "large") +
                          "vsr: {limits: {request_bytes: 1000000}, cache: {ttl_seconds: 600}}\n")
                  .status);
  CHECK(opened.is_cached("tea?"));
  // Another decision.
  CHECK_FALSE(opened.reload(rule("tea", "small") + kCache).status);
  CHECK_FALSE(opened.is_cached("tea?"));
  // Back again: what was kept is still true.
  CHECK_FALSE(opened.reload(rule("tea", "large") + kCache).status);
  CHECK(opened.is_cached("tea?"));
  // Another cache begins empty; a decision of before is not kept in it.
  const Routed before = opened.router->route("more tea", {});
  CHECK_FALSE(opened.reload(rule("tea", "large") + "vsr: {cache: {ttl_seconds: 60}}\n").status);
  CHECK_FALSE(opened.is_cached("tea?"));
  opened.router->store(before, R"({"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]})");
  CHECK_FALSE(opened.is_cached("more tea"));
  CHECK_FALSE(opened.reload(rule("tea", "large")).status);
  CHECK_FALSE(opened.is_cached("tea?"));
}

TEST_CASE("router reload: a snapshot goes from one cache to the next", "[routing][reload]") {
  Reloaded opened(rule("tea", "large") + "vsr: {cache: {snapshot: s.bin}}\n");
  REQUIRE(opened.store("tea?"));
  CHECK_FALSE(opened.reload(rule("tea", "large") + "vsr: {cache: {snapshot: s.bin, max_entries: 5}}\n").status);
  CHECK(opened.is_cached("tea?"));
  CHECK(opened.store("tea twice?"));
  opened.router.reset();
  opened.open();
  CHECK(opened.is_cached("tea twice?"));
}

TEST_CASE("router reload: counts, measurements and records go on", "[routing][reload]") {
  const std::string replay = rule("tea", "large");
  std::string with = replay;
  with.insert(with.rfind("}]\n"), ", plugins: [{type: router_replay, configuration: {max_records: 5}}]");
  Reloaded opened(with);
  opened.model_of("tea");
  opened.router->measure("large", {.ttft_ms = 5});
  CHECK_FALSE(opened.reload(with + kCache).status);
  opened.model_of("tea");
  CHECK_THAT(opened.router->metrics(), Catch::Contains("vsr_route_models_total{model=\"large\"} 2"));
  CHECK(nlohmann::json::parse(opened.router->replay())["records"].size() == 2);
  REQUIRE(opened.store("tea?"));
  CHECK_THAT(opened.router->metrics(), Catch::Contains("vsr_cache_entries 1"));
  CHECK_FALSE(opened.reload(replay).status);  // without the plugin
  CHECK(nlohmann::json::parse(opened.router->replay())["records"].empty());
}

TEST_CASE("router reload: what of a file decides is told from what does not", "[routing][reload]") {
  const std::string base = rule("tea", "large");
  const std::string of_base = meaning(base);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = base;
    text.replace(text.find(from), from.size(), to);
    return meaning(text);
  };
  CHECK(with("{name: d, ", "{description: for people, name: d, ") == of_base);
  CHECK(with("{name: w, operator: OR,", "{operator: OR, name: w,") == of_base);
  CHECK(meaning(base + kCache) == of_base);
  CHECK(meaning(base + "listeners: [{port: 1}]\n") == of_base);
  CHECK(with("[tea]", "[\"tea\"]") != of_base);  // a word in quotes could be another value
  CHECK(with("[tea]", "[tea, cup]") != of_base);
  CHECK(with("large", "small") != of_base);
  CHECK(with("{name: d, ", "{priority: 3, name: d, ") != of_base);
  CHECK(meaning(base + "vsr: {passthrough: refuse}\n") != of_base);
  CHECK(meaning(base + "vsr: {compression: {max_tokens: 9}}\n") != of_base);
}

TEST_CASE("router reload: threads route while the file changes, each by one file", "[routing][reload]") {
  Reloaded opened(rule("tea", "large") + kCache);
  std::atomic<bool> done{false};
  std::atomic<size_t> routed{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; !done || round < 50; ++round) {
        // By the one file large, by the other small; neither word matches nothing in both.
        const Routed one = opened.router->route("tea " + std::to_string(i) + " " + std::to_string(round % 7), {});
        const Routed other = opened.router->route("coffee", {});
        for (const Routed* each : {&one, &other}) {
          if (each->outcome == RouteOutcome::kCached) continue;
          const bool matched = each->decision.has_value();
          if (each->model != (matched ? "large" : "small")) ++wrong;
          opened.router->store(*each, R"({"choices":[{"message":{"content":"y"},"finish_reason":"stop"}]})");
        }
        ++routed;
      }
    });
  }
  for (int round = 0; round < 30; ++round) {
    CHECK_FALSE(opened.reload(rule(round % 2 == 0 ? "coffee" : "tea", "large") + kCache).status);
    CHECK(opened.reload("routing: [").status);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(routed >= 200);
}
