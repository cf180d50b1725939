// The real configurations of the canonical form: each loads, or is refused with a place and loads with `lenient`.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <regex>

#include "routing/config/reader/config_file.h"
#include "routing/decision/decision_engine.h"
#include "support/data.h"
#include "support/failure.h"

using namespace vsr::routing;
namespace fs = std::filesystem;

namespace {

bool is_config(const fs::path& path) {
  const std::string name = path.filename().string();
  return path.extension() == ".yaml" && name != "probes.yaml" && name != "metadata.yaml";
}

RouterConfig load(const std::string& folder, const std::string& file) {
  return load_router_config(folder + "/" + file, true);
}

std::string decide(const RouterConfig& config, const std::map<std::string, double>& given) {
  const Winner outcome = DecisionEngine(config).decide(given);
  return outcome.decision < 0 ? "" : config.decisions[static_cast<size_t>(outcome.decision)].name;
}

// Files that are refused, each by what it needs that vsr does not have, or lacks itself.
const std::map<std::string, std::string>& refused() {
  static const std::map<std::string, std::string> files = {
      {"config.yaml", "memory|store of"},
      {"fragments/signal/embedding/image-routing.yaml", "query_modality image"},
      {"fragments/decision/and/urgent-business.yaml", "which no keyword signal of this file is called"},
      {"fragments/decision/composite/priority-safe-escalation.yaml", "which no keyword signal of this file is called"},
      {"fragments/decision/not/exclude-jailbreak.yaml", "which no jailbreak signal of this file is called"},
  };
  return files;
}

}  // namespace

TEST_CASE("router config: real files load strictly, or are refused with a place and load leniently",
          "[routing][config]") {
  const auto folder = vsr::test::shared_data("router-configs/config");
  if (!folder) return;
  size_t strictly = 0;
  for (const auto& entry : fs::recursive_directory_iterator(*folder)) {
    if (!is_config(entry.path())) continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    const auto failure = vsr::test::failure_of([&] { load_router_config(path, false); });
    const auto expected = refused().find(fs::relative(entry.path(), *folder).string());
    CAPTURE(failure.message);
    if (expected == refused().end()) {
      CHECK_FALSE(failure.status);
      ++strictly;
      continue;
    }
    const std::string rest = failure.message.substr(std::min(failure.message.size(), path.size()));
    CHECK(failure.message.compare(0, path.size(), path) == 0);
    CHECK(std::regex_search(rest, std::regex("^:[0-9]+:[0-9]+: .*(" + expected->second + ")")));
    RouterConfig config;
    const auto lenient = vsr::test::failure_of([&] { config = load_router_config(path, true); });
    CAPTURE(lenient.message);
    CHECK_FALSE(lenient.status);
    CHECK_FALSE((config.skipped.empty()));
  }
  CHECK(strictly == 27);
}

TEST_CASE("router config: the reference configuration routes by given signals", "[routing][config]") {
  const auto folder = vsr::test::shared_data("router-configs/config");
  if (!folder) return;
  const RouterConfig config = load(*folder, "config.yaml");
  CHECK(config.catalog.default_model == "qwen3-8b");
  CHECK(config.catalog.find("qwen3-32b")->loras == std::vector<std::string>{"computer-science-expert"});
  CHECK(config.catalog.find("qwen3-32b")->prompt_per_1m == 1.2);
  CHECK(config.signals.keywords.at(3).fuzzy_percent == 82);
  CHECK(config.signals.complexity.at(0).composer);
  CHECK(config.route_refusal.empty());
  // One decision has tier 2; it is after all that match without one.
  CHECK(decide(config, {{"domain:business", 0.9}, {"jailbreak:prompt_injection", 1}}) == "static_business_route");
  CHECK(decide(config, {{"domain:business", 0.9}, {"keyword:urgent_keywords", 0.8}}) == "safe_only_svm_route");
  CHECK(decide(config, {{"domain:law", 0.9}, {"jailbreak:prompt_injection", 1}}) == "legal_confidence_route");
  CHECK(decide(config, {{"domain:computer_science", 0.9}, {"complexity:needs_reasoning:hard", 0.9}}) ==
        "computer-science-remom-route");
  CHECK(decide(config, {{"language:es", 0.9}}) == "spanish_adaptive_route");
  CHECK(decide(config, {}) == "safe_only_svm_route");
  CHECK(decide(config, {{"jailbreak:prompt_injection", 0.9}}) == "");
}

TEST_CASE("router config: recipes route by given signals", "[routing][config]") {
  const auto folder = vsr::test::shared_data("router-configs/config");
  if (!folder) return;
  const RouterConfig accuracy = load(*folder, "recipes/accuracy/config.yaml");
  CHECK(decide(accuracy, {{"keyword:accuracy_workflow_request", 1}, {"context:accuracy_long_context", 1}}) ==
        "accuracy_workflow");
  CHECK(decide(accuracy, {{"context:accuracy_long_context", 1}}) == "accuracy_long_context_direct");
  CHECK(decide(accuracy, {{"keyword:accuracy_deliberation_request", 1}}) == "accuracy_deliberation");
  CHECK(decide(accuracy, {{"keyword:accuracy_deliberation_request", 1}, {"keyword:accuracy_direct_request", 1}}) ==
        "accuracy_direct");
  const RouterConfig balance = load(*folder, "recipes/balance/config.yaml");
  CHECK(decide(balance, {}) == "casual_chat");
  CHECK(balance.decisions.size() == 14);
  const RouterConfig agent = load(*folder, "recipes/agent/config.yaml");
  CHECK(agent.decisions.size() == 11);
  CHECK(decide(agent, {}) == "simple_general");
}
