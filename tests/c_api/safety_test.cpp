// Safety signals over a real, tiny model: texts of many windows, and many texts.
#include <algorithm>
#include <random>
#include <string>

#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

namespace {

std::string config() {
  return R"(version: v0.3
routing:
  modelCards: [{name: small}]
  signals:
    classifiers:
      - {name: risk, task: m, labels: [travel], threshold: 0}
      - {name: topic, task: m, labels: [travel], threshold: 0, safety: false}
    jailbreak: [{name: guard, threshold: 0.01}]
  decisions:
    - {name: risk, rules: {type: classifier, name: risk, label: travel}, modelRefs: [{model: small}]}
    - {name: topic, rules: {type: classifier, name: topic, label: travel}, modelRefs: [{model: small}]}
    - {name: guard, rules: {type: jailbreak, name: guard}, modelRefs: [{model: small}]}
providers: {defaults: {default_model: small}, models: [{name: small}]}
vsr:
  models:
    m: {path: )" +
         tiny("bert-sequence") + R"(}
  tasks:
    guarded: {model: m, unsafe_labels: [travel]}
  signal_tasks: {jailbreak: guarded}
)";
}

double value_of(const vsr::Decision& decision, std::string_view name) {
  for (const vsr::Signal& signal : decision.signals()) {
    if (signal.name == name) return signal.value;
  }
  FAIL("signal " << name << " was not evaluated");
  return 0;
}

std::string chat(const std::vector<std::string>& turns, const std::string& description) {
  std::string body = R"({"model":"auto","tools":[{"function":{"name":")" + description + R"("}}],"messages":[)";
  for (const std::string& turn : turns) body += R"({"role":"user","content":")" + turn + "\"},";
  body.back() = ']';
  return body + "}";
}

std::string random_text(std::mt19937& random, size_t words) {
  static const char* const kWords[] = {"card", "my",    "where", "is",   "flight", "paris",
                                       "bank", "money", "hello", "book", "the",    "please"};
  std::string text;
  for (size_t i = 0; i < words; ++i) text += std::string(kWords[random() % std::size(kWords)]) + " ";
  return text;
}

}  // namespace

TEST_CASE("safety: a guard has the worst window of all messages, a topic the mean of the question's",
          "[c_api][router]") {
  const TempFolder folder;
  const std::string path = folder.write("safety.yaml", config());
  vsr::EngineOptions options;
  options.config_path = path;
  const vsr::Engine engine(options);
  const vsr::Router router(path);
  vsr::RouteOptions everything;
  everything.evaluate_all = true;
  std::mt19937 random(16);
  for (int round = 0; round < 12; ++round) {
    const std::vector<std::string> turns = {random_text(random, 1 + random() % 400),
                                            random_text(random, 1 + random() % 400)};
    const std::string tool = random_text(random, 1 + random() % 60);
    const vsr::Decision decision = router.route(chat(turns, tool), everything);

    const std::vector<std::string> texts = {turns[0], turns[1], tool};
    const vsr::Result worst = engine.classify(texts, {.task = "guarded"}), mean = engine.classify(texts, {.task = "m"});
    const size_t travel = 1;
    REQUIRE(worst.label(travel) == "travel");
    double largest = 0;
    for (size_t i = 0; i < texts.size(); ++i) largest = std::max<double>(largest, worst.row(i)[travel]);
    CHECK(value_of(decision, "classifier:risk:travel") == Approx(largest).margin(1e-5));
    CHECK(value_of(decision, "jailbreak:guard") == Approx(largest).margin(1e-5));
    CHECK(value_of(decision, "classifier:topic:travel") == Approx(mean.row(1)[travel]).margin(1e-5));

    // A message more never lowers it.
    const vsr::Decision longer = router.route(chat({random_text(random, 300), turns[0], turns[1]}, tool), everything);
    CHECK(value_of(longer, "classifier:risk:travel") >= value_of(decision, "classifier:risk:travel") - 1e-5);
  }
}
