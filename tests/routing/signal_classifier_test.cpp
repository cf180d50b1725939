#include "routing/signals/signal_classifier.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

struct Answer {
  std::vector<std::string> labels;
  std::vector<float> probabilities;
  operator LabelProbabilities() const { return {labels, probabilities}; }
};

SignalValue jailbreak(const JailbreakRule& rule, const std::vector<Answer>& answers,
                      const std::vector<std::string>& configured = {}) {
  const std::vector<LabelProbabilities> views(answers.begin(), answers.end());
  return evaluate_jailbreak(rule, views, unsafe_labels(answers.at(0).labels, configured));
}

SignalValue label(const std::vector<Answer>& answers, const std::string& name,
                  const std::vector<std::string>& configured = {}) {
  const std::vector<LabelProbabilities> views(answers.begin(), answers.end());
  return evaluate_label({.name = "tool-risk"}, {.name = name, .label = name}, views, configured);
}

}  // namespace

TEST_CASE("domain signal: matches by its name in any spelling", "[routing]") {
  const Answer answer{{"math", "computer science", "other"}, {0.25F, 0.625F, 0.125F}};
  CHECK(evaluate_domain({.name = "computer_science"}, answer).matched);
  CHECK(evaluate_domain({.name = "Computer Science"}, answer).confidence == 0.625);
  CHECK_FALSE(evaluate_domain({.name = "math"}, answer).matched);
  CHECK(evaluate_domain({.name = "math"}, answer).detail == "computer science");
  CHECK(evaluate_domain({.name = "math", .threshold = 0.25}, answer).matched);
}

TEST_CASE("domain signal: a group has the probability of its members together", "[routing]") {
  const Answer answer{{"math", "physics", "law"}, {0.375F, 0.375F, 0.25F}};
  const SignalValue stem = evaluate_domain({.name = "stem", .categories = {"math", "physics", "Math"}}, answer);
  CHECK(stem.matched);
  CHECK(stem.confidence == 0.75);
  CHECK(failure_of([&] { evaluate_domain({.name = "cooking"}, answer); }).status == Status::kInvalidArgument);
}

TEST_CASE("answer signal: the likeliest label decides, under any of its names", "[routing]") {
  const Answer feedback{{"SAT", "NEED_CLARIFICATION", "WRONG_ANSWER", "WANT_DIFFERENT"},
                        {0.125F, 0.125F, 0.625F, 0.125F}};
  CHECK(evaluate_answer({.name = "wrong_answer"}, feedback).matched);
  CHECK_FALSE(evaluate_answer({.name = "satisfied"}, feedback).matched);
  CHECK_FALSE(evaluate_answer({.name = "satisfied", .threshold = 0.1}, feedback).matched);  // not the likeliest
  const Answer facts{{"FACT_CHECK_NEEDED", "NO_FACT_CHECK_NEEDED"}, {0.75F, 0.25F}};
  CHECK(evaluate_answer({.name = "needs_fact_check"}, facts).matched);
  CHECK_FALSE(evaluate_answer({.name = "no_fact_check_needed"}, facts).matched);
  CHECK(failure_of([&] { evaluate_answer({.name = "angry"}, facts); }).message ==
        "answer rule \"angry\": the model's labels are FACT_CHECK_NEEDED, NO_FACT_CHECK_NEEDED, expected one for the "
        "rule");
}

TEST_CASE("classifier signal: one label of any classifier", "[routing]") {
  const std::vector<Answer> risk{{{"SAFE", "RISKY"}, {0.25F, 0.75F}}};
  CHECK(label(risk, "RISKY").matched);
  CHECK_FALSE(label(risk, "safe").matched);
  CHECK(failure_of([&] { label(risk, "UNSAFE"); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { label({}, "SAFE"); }).status == Status::kInvalidArgument);
}

TEST_CASE("classifier signal: the worst window counts, by each label", "[routing]") {
  const std::vector<std::string> labels{"safe", "RISKY", "TOXIC"};
  const std::vector<Answer> windows{
      {labels, {0.75F, 0.125F, 0.125F}}, {labels, {0.125F, 0.625F, 0.25F}}, {labels, {0, 0.25F, 0.75F}}};
  CHECK(label(windows, "RISKY").value == 0.625);
  CHECK(label(windows, "TOXIC").value == 0.75);
  CHECK(label(windows, "TOXIC").detail == "TOXIC");
  CHECK(label(windows, "safe").value == 0);
  // What the configuration does not name is safe.
  CHECK(label(windows, "RISKY", {"TOXIC"}).value == 0.125);
}

TEST_CASE("jailbreak signal: unsafe contains safe, and is not it", "[routing]") {
  CHECK(unsafe_labels(std::vector<std::string>{"safe", "unsafe"}, {}) == std::vector<bool>{false, true});
  CHECK(unsafe_labels(std::vector<std::string>{"attack", "BENIGN"}, {}) == std::vector<bool>{true, false});
  CHECK(unsafe_labels(std::vector<std::string>{"benign", "injection", "jailbreak"}, {}) ==
        std::vector<bool>{false, true, true});
  // A label that nobody knows is unsafe.
  CHECK(unsafe_labels(std::vector<std::string>{"benign", "strange"}, {}) == std::vector<bool>{false, true});
  // The configuration decides.
  const std::vector<std::string> configured{"LABEL_1"};
  CHECK(unsafe_labels(std::vector<std::string>{"LABEL_0", "LABEL_1"}, configured) == std::vector<bool>{false, true});
}

TEST_CASE("jailbreak signal: labels that leave no choice are refused", "[routing]") {
  const std::vector<std::string> numbered{"LABEL_0", "LABEL_1"}, safe{"safe", "benign"}, other{"attack"};
  CHECK(failure_of([&] { unsafe_labels(numbered, {}); }).message.find("LABEL_0, LABEL_1 each is unsafe") !=
        std::string::npos);
  CHECK(failure_of([&] { unsafe_labels(safe, {}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { unsafe_labels(safe, other); }).status == Status::kInvalidArgument);
}

TEST_CASE("jailbreak signal: unsafe labels add up, and the worst window counts", "[routing]") {
  const std::vector<std::string> labels{"benign", "injection", "jailbreak"};
  const JailbreakRule rule{.name = "j"};
  CHECK_FALSE(jailbreak(rule, {{labels, {0.5F, 0.25F, 0.25F}}}).matched);
  const SignalValue split = jailbreak(rule, {{labels, {0.25F, 0.375F, 0.375F}}});
  CHECK(split.matched);
  CHECK(split.confidence == 0.75);
  CHECK(jailbreak(rule, {{labels, {1, 0, 0}}, {labels, {0.125F, 0.875F, 0}}, {labels, {1, 0, 0}}}).value == 0.875);
}

TEST_CASE("classifier signals: a broken answer is an error, never clean", "[routing]") {
  const std::vector<std::string> labels{"safe", "unsafe"};
  const JailbreakRule rule{.name = "j"};
  CHECK(failure_of([&] { evaluate_jailbreak(rule, {}, {false, true}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { jailbreak(rule, {{labels, {0.5F, std::nanf("")}}}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { jailbreak(rule, {{labels, {1}}}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { jailbreak(rule, {{labels, {-1, 2}}}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { evaluate_domain({.name = "d"}, Answer{}); }).status == Status::kInvalidArgument);
}
