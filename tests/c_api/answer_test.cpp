// Guards of answers by what a routed request's decision asks for.
#include <string>

#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

namespace {

std::string config() {
  return R"(version: v0.3
routing:
  signals:
    keywords:
      - {name: lease, operator: OR, keywords: [rent, deposit]}
      - {name: odd, operator: OR, keywords: [pretend]}
      - {name: plain, operator: OR, keywords: [hello]}
  decisions:
    - name: grounded
      priority: 30
      rules: {type: keyword, name: lease}
      modelRefs: [{model: small}]
      plugins:
        - type: hallucination
          configuration: {enabled: true, hallucination_action: block, unverified_factual_action: body}
    - name: watched
      priority: 20
      rules: {type: keyword, name: odd}
      modelRefs: [{model: small}]
      plugins:
        - {type: hallucination, configuration: {include_hallucination_details: true}}
        - {type: response_jailbreak, configuration: {threshold: 0.01, action: block, hold: false}}
    - name: plain
      rules: {type: keyword, name: plain}
      modelRefs: [{model: small}]
providers: {defaults: {default_model: small}, models: [{name: small}]}
vsr:
  models: {m: {path: )" +
         tiny("bert-sequence") + R"(}}
  tasks: {guarded: {model: m, unsafe_labels: [travel]}}
  signal_tasks: {response_jailbreak: guarded}
)";
}

std::string chat(const std::string& question, const std::string& tool_result = {}) {
  std::string body = R"({"model":"auto","messages":[{"role":"user","content":")" + question + "\"}";
  if (!tool_result.empty()) {
    body +=
        R"(,{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]})"
        R"(,{"role":"tool","tool_call_id":"1","content":")" +
        tool_result + "\"}";
  }
  return body + "]}";
}

struct Opened {
  TempFolder folder;
  std::string path = folder.write("answers.yaml", config());
  vsr::Router router{path};
};

std::string guarded(vsr::Guard guard, std::string_view answer) {
  std::string out;
  for (const char& c : answer) out += guard.feed({&c, 1}).forward();
  return out + std::string(guard.finish().forward());
}

constexpr std::string_view kAnswer = "The monthly rent is GBP 1,350. The deposit is GBP 9,975. It is due soon.";

}  // namespace

TEST_CASE("answer: a decision's hallucination plugin guards the answer against the request's tool results",
          "[c_api][answer]") {
  const Opened opened;
  const auto decision = opened.router.route(chat("What is the rent?", "The monthly rent is GBP 1,350."));
  REQUIRE(decision.name() == "grounded");
  const auto answer = decision.answer();
  REQUIRE(answer);
  CHECK(answer->guard.policy == vsr::Policy::kTerminate);
  CHECK(answer->guard.hold);
  CHECK(answer->guard.fail_closed);
  CHECK(answer->guard.question == "What is the rent?");
  CHECK_FALSE(answer->guard.safety_policy);
  CHECK(answer->hallucination_action == "block");
  CHECK(answer->unverified_action == "body");
  CHECK_FALSE(answer->jailbreak_action);
  REQUIRE(answer->sources.size() == 1);
  CHECK(answer->sources[0] == "The monthly rent is GBP 1,350.");

  vsr::Guard guard = opened.router.guard(decision);
  std::string out;
  bool ended = false;
  for (const char& c : kAnswer) {
    const auto step = guard.feed({&c, 1});
    out += step.forward();
    ended = ended || step.ended();
  }
  const auto last = guard.finish();
  out += last.forward();
  CHECK((ended || last.ended()));
  CHECK(out == "The monthly rent is GBP 1,350. ");
}

TEST_CASE("answer: pinned facts take the place of the request's, and without any nothing is held against them",
          "[c_api][answer]") {
  const Opened opened;
  const auto decision = opened.router.route(chat("What is the rent?"));
  CHECK(guarded(opened.router.guard(decision), kAnswer) == kAnswer);
  const std::vector<std::string> texts = {"The monthly rent is GBP 1,350, and the deposit is GBP 9,975."};
  const vsr::Facts facts = opened.router.facts(texts);
  CHECK(guarded(opened.router.guard(decision, &facts), kAnswer) == kAnswer);
  const std::vector<std::string> others = {"The monthly rent is GBP 2,000."};
  const vsr::Facts wrong = opened.router.facts(others);
  CHECK(guarded(opened.router.guard(decision, &wrong), kAnswer).empty());
  // The options by hand are the same guard.
  CHECK(guarded(vsr::Guard(wrong, decision.answer()->guard), kAnswer).empty());
}

TEST_CASE("answer: response_jailbreak has a policy of its own", "[c_api][answer]") {
  const Opened opened;
  const auto decision = opened.router.route(chat("Please pretend.", "The monthly rent is GBP 1,350."));
  REQUIRE(decision.name() == "watched");
  const auto answer = decision.answer();
  REQUIRE(answer);
  CHECK(answer->guard.policy == vsr::Policy::kAnnotate);
  CHECK(answer->guard.safety_policy == vsr::Policy::kTerminate);
  CHECK(answer->guard.jailbreak_task == "guarded");
  CHECK(answer->guard.safety_threshold == Approx(0.01));
  CHECK_FALSE(answer->guard.hold);  // as the file says
  CHECK(answer->guard.fail_closed);
  CHECK(answer->include_details);
  vsr::Guard guard = opened.router.guard(decision);
  const auto fed = guard.feed("Here is the recipe that you asked for. And more of it follows here, at some length.");
  const auto done = guard.finish();
  CHECK(fed.ended());
  REQUIRE_FALSE(fed.events().empty());
  CHECK(fed.events()[0].kind == "jailbreak");
}

TEST_CASE("answer: other decisions ask for nothing", "[c_api][answer]") {
  const Opened opened;
  const auto plain = opened.router.route(chat("hello"));
  CHECK_FALSE(plain.answer());
  CHECK_THROWS_WITH(opened.router.guard(plain), "decision: it asks for no guard of the answer");
  CHECK(opened.router.decide({{"keyword:lease", 1.0}}).answer());
  CHECK(vsr_decision_answer_policy(nullptr) == nullptr);
  vsr_guard* guard = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_router_guard(nullptr, plain.get(), nullptr, &guard, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message) == "router is NULL");
}

TEST_CASE("answer: a plugin's task that no model has is an error when the file is opened", "[c_api][answer]") {
  const TempFolder folder;
  std::string text = config();
  const std::string task = "signal_tasks: {response_jailbreak: guarded}";
  text.replace(text.find(task), task.size(), "signal_tasks: {response_jailbreak: gone}");
  const std::string path = folder.write("answers.yaml", text);
  CHECK_THROWS_WITH(vsr::Router(path), Catch::Contains("plugin response_jailbreak: ") && Catch::Contains("gone"));
}

TEST_CASE("guard: a policy of its own for safety events leaves others to the policy", "[c_api][answer]") {
  const std::vector<std::string> texts = {"The monthly rent is GBP 1,350.", "Write to jane.doe@example.com now."};
  const std::vector<std::string> fewer = {texts[0]};
  vsr::Facts facts(texts);
  const std::string_view text = "The deposit is GBP 9,975. Write to jane.doe@example.com now. Bye.";
  const auto run = [&](vsr::Policy policy, vsr::Policy safety) {
    vsr::GuardOptions options;
    options.policy = policy;
    options.safety_policy = safety;
    options.pii = true;
    options.hold = true;
    options.marker = " [?]";
    options.replacement = "[gone]";
    return guarded(vsr::Guard(facts, options), text);
  };
  CHECK(run(vsr::Policy::kWarn, vsr::Policy::kReplace) == "The deposit is GBP 9,975. [?] Write to [gone] now. Bye.");
  CHECK(run(vsr::Policy::kWarn, vsr::Policy::kTerminate) == "The deposit is GBP 9,975. [?] ");
  CHECK(run(vsr::Policy::kObserve, vsr::Policy::kReplace) == "The deposit is GBP 9,975. Write to [gone] now. Bye.");
  CHECK(run(vsr::Policy::kReplace, vsr::Policy::kObserve) == "[gone] Write to jane.doe@example.com now. Bye.");
  // A claim that both have something against.
  facts = vsr::Facts(fewer);
  CHECK(run(vsr::Policy::kWarn, vsr::Policy::kReplace) ==
        "The deposit is GBP 9,975. [?] Write to [gone] now. [?] Bye.");
}
