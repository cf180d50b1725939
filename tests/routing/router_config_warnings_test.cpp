#include <catch2/catch.hpp>

#include "routing/config/rule_logic.h"
#include "routing/support/router_files.h"

using namespace vsr::routing;
using vsr::test::strict;
using vsr::test::with_decisions;

namespace {

std::vector<std::string> decision_warnings(const std::string& decisions, const std::string& routing = "") {
  std::vector<std::string> found;
  for (const std::string& warning : strict(with_decisions(decisions, routing)).warnings) {
    if (warning.find(": decision ") != std::string::npos) found.push_back(warning.substr(warning.find(": ") + 2));
  }
  return found;
}

std::string rule(const std::string& conditions) { return "{operator: AND, conditions: [" + conditions + "]}"; }
std::string decision(const std::string& name, int priority, const std::string& rules, int tier = 0) {
  return "  - {name: " + name + ", priority: " + std::to_string(priority) + ", tier: " + std::to_string(tier) +
         (rules.empty() ? "" : ", rules: " + rules) + "}\n";
}

const std::string kA = "{type: keyword, name: a}";
const std::string kB = "{type: keyword, name: b}";
std::string no(const std::string& of) { return "{operator: NOT, conditions: [" + of + "]}"; }
std::string any(const std::string& of) { return "{operator: OR, conditions: [" + of + "]}"; }

}  // namespace

TEST_CASE("router config: rules that contradict themselves are warnings", "[routing][config]") {
  const std::string hard = R"({type: complexity, name: "c:hard"})";
  const std::string easy = R"({type: complexity, name: "c:easy"})";
  const std::string small = "{type: context, name: short}";
  const std::string large = "{type: context, name: long}";
  for (const std::string& rules : {rule(kA + "," + no(kA)), rule(hard + "," + easy), rule(small + "," + large),
                                   std::string(any("")), rule(kA + "," + any(no(kA) + "," + rule(kB + "," + no(kB)))),
                                   no(any(kA + "," + no(kA))), std::string(no("{operator: AND, conditions: []}"))}) {
    CAPTURE(rules);
    CHECK(decision_warnings(decision("d", 1, rules)) ==
          std::vector<std::string>{R"(decision "d" can never match: its rules contradict each other)"});
  }
  for (const std::string& rules : {rule(kA + "," + no(kB)), rule(hard + "," + no(easy)), any(hard + "," + easy),
                                   rule(any(kA + "," + kB) + "," + no(kA)), any(small + "," + large), no(kA)}) {
    CAPTURE(rules);
    CHECK(decision_warnings(decision("d", 1, rules)).empty());
  }
}

TEST_CASE("router config: decisions that can never win are warnings", "[routing][config]") {
  const auto never = [](const std::string& name, const std::string& winner, const std::string& place) {
    return std::vector<std::string>{"decision \"" + name + "\" can never win: whatever matches it matches \"" + winner +
                                    "\" (r.yaml:" + place + ":5), which comes first"};
  };
  // Below a decision that always matches.
  CHECK(decision_warnings(decision("all", 9, "") + decision("low", 1, kA)) == never("low", "all", "11"));
  CHECK(decision_warnings(decision("all", 1, "") + decision("high", 9, kA)).empty());
  // Narrower than one of higher priority.
  CHECK(decision_warnings(decision("wide", 9, kA) + decision("narrow", 1, rule(kA + "," + kB))) ==
        never("narrow", "wide", "11"));
  CHECK(decision_warnings(decision("wide", 9, any(kA + "," + kB)) + decision("part", 1, kB)) ==
        never("part", "wide", "11"));
  CHECK(decision_warnings(decision("narrow", 9, rule(kA + "," + kB)) + decision("wide", 1, kA)).empty());
  // The same rule: priority, then name.
  CHECK(decision_warnings(decision("x", 1, kA) + decision("y", 1, kA)) == never("y", "x", "11"));
  // Confidences may decide otherwise, unless they are the same.
  const std::string confidence = "  strategy: confidence\n";
  CHECK(decision_warnings(decision("all", 9, "") + decision("low", 1, kA), confidence).empty());
  CHECK(decision_warnings(decision("x", 2, kA) + decision("y", 1, kA), confidence) == never("y", "x", "12"));
  // Tiers come before priorities.
  CHECK(decision_warnings(decision("first", 1, kA, 1) + decision("second", 9, kA, 2)) ==
        never("second", "first", "11"));
  CHECK(decision_warnings(decision("second", 9, kA) + decision("other", 1, rule(kA + "," + kB)) +
                          decision("tier", 1, kB, 3))
            .empty());
}

TEST_CASE("router config: signals that no rule uses are warnings", "[routing][config]") {
  CHECK(strict(with_decisions(decision("d", 1, rule(kA + R"(,{type: complexity, name: "c:easy"})")))).warnings ==
        std::vector<std::string>{
            R"(r.yaml:6:42: signal keyword "b" is used by no rule)",
            R"(r.yaml:9:15: signal context "short" is used by no rule)",
            R"(r.yaml:9:46: signal context "long" is used by no rule)",
            R"(r.yaml:8:17: signal jailbreak "j" is used by no rule)",
        });
  CHECK(strict("routing: {signals: {keywords: [{name: a, keywords: [x]}]}}").warnings.empty());  // no rules at all
  for (const char* nothing : {"", "# a comment\n", "routing: {}", "version: v0.3"}) {
    CHECK(strict(nothing).warnings ==
          std::vector<std::string>{
              "r.yaml: names no decision, signal or model: requests for \"auto\" fail, and others pass through"});
  }
  const vsr::test::Failure unknown = vsr::test::strict_failure("global: {router: {auto_model_nams: [smart]}}");
  CHECK(unknown.status == vsr::base::Status::kParse);
  CHECK(unknown.message ==
        R"(r.yaml:1:19: "auto_model_nams" is not a key of "router" (did you mean "auto_model_name"?))");
  const RouterConfig misspelt = vsr::test::lenient("global: {router: {auto_model_nams: [smart]}}");
  CHECK(misspelt.warnings.at(0).find("r.yaml:1:19: \"auto_model_nams\" is not a key") == 0);
}

TEST_CASE("router config: other things that are surely not meant are warnings", "[routing][config]") {
  CHECK(strict("routing: {signals: {domains: [{name: cooking}]}}").warnings.size() == 1);
  CHECK(strict("routing: {signals: {jailbreak: [{name: j, benign_patterns: [p]}]}}").warnings.size() == 1);
  CHECK(strict("routing: {signals: {structure: [{name: s, predicate: {gt: 2, lt: 1}, "
               "feature: {type: count, source: {type: text_bytes}}}]}}")
            .warnings.size() == 1);
  CHECK(strict("providers: {models: [{name: a, pricing: {currency: USD}}, {name: b, pricing: {currency: EUR}}]}")
            .warnings.size() == 1);
}
