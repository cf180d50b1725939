#include "guard/safety_checker.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"

using namespace vsr;
using namespace vsr::guard;

namespace {

// Tasks as a model would answer them: names of people, and texts that give in.
class Table final : public inference::Inference {
 public:
  bool has_models() const override { return true; }
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override { return nullptr; }
  std::vector<inference::TaskAnswer> classify(std::span<const std::string_view> texts,
                                              std::span<const inference::TaskQuestion> tasks, const std::vector<bool>&,
                                              const base::CallLimits&) const override {
    ++calls;
    std::vector<inference::TaskAnswer> answers;
    for (const auto& task : tasks) {
      inference::TaskAnswer& answer = answers.emplace_back();
      if (task.task == "broken") {
        answer.error = std::make_exception_ptr(base::Error(base::Status::kInternal, "broken"));
      } else if (task.task == "pii") {
        answer.has_entities = true;
        for (const std::string_view text : texts) {
          auto& found = answer.entities.emplace_back();
          for (size_t at = text.find("Jane"); at != std::string_view::npos; at = text.find("Jane", at + 1))
            found.push_back({"PERSON", at, at + 4, 0.9});
          if (const size_t at = text.find("May"); at != std::string_view::npos)
            found.push_back({"PERSON", at, at + 3, 0.3});
        }
      } else {
        answer.labels = {"benign", "jailbreak"};
        for (const std::string_view text : texts) {
          longest = std::max(longest, text.size());
          const float unsafe = text.find("Step one") != std::string_view::npos ? 0.8F : 0.1F;
          answer.scores.insert(answer.scores.end(), {1 - unsafe, unsafe});
        }
      }
    }
    return answers;
  }
  std::optional<size_t> count_tokens(std::string_view) const override { return std::nullopt; }
  mutable size_t calls = 0, longest = 0;
};

struct Ran {
  std::vector<Event> events;
  size_t checked = 0;
};

Ran run(const std::shared_ptr<Table>& table, std::string_view text, const SafetyOptions& options, size_t piece) {
  SafetyChecker checker(FactSet::make({}, table, {}), options);
  Ran ran;
  const auto take = [&](const std::vector<Event>& found) {
    ran.events.insert(ran.events.end(), found.begin(), found.end());
  };
  for (size_t i = 0; i < text.size(); i += piece) take(checker.feed(text.substr(i, piece)));
  take(checker.finish());
  ran.checked = checker.checked();
  return ran;
}

}  // namespace

TEST_CASE("safety checker: entities of a model are bytes of the answer, whatever stood before", "[guard]") {
  const std::string text = "It was \xFF found. Ask Jane about it in May. Then Jane said no.";
  for (const size_t piece : {size_t{1}, size_t{7}, text.size()}) {
    const Ran ran = run(std::make_shared<Table>(), text, {.pii_task = "pii"}, piece);
    REQUIRE(ran.events.size() == 2);  // "Jane" of the context is not told again
    for (const Event& event : ran.events) {
      CHECK(text.substr(event.begin, event.end - event.begin) == "Jane");
      CHECK(event.kind == EventKind::kPii);
      CHECK(event.score == Approx(0.9));
      CHECK(event.claim_begin <= event.begin);
      CHECK(event.claim_end >= event.end);
    }
    CHECK(ran.checked == text.size());
  }
}

TEST_CASE("safety checker: a jailbreak is judged with what came before, a kilobyte at most", "[guard]") {
  const auto table = std::make_shared<Table>();
  std::string text = "Step one is easy. Then go on. ";
  const Ran ran = run(table, text, {.jailbreak_task = "jailbreak"}, 5);
  REQUIRE(ran.events.size() == 2);  // the second by the first, which is its context
  CHECK(ran.events[0].kind == EventKind::kJailbreak);
  CHECK(ran.events[0].score == Approx(0.8));
  for (int i = 0; i < 400; ++i) text += "This one is a harmless sentence. ";
  const Ran longer = run(table, text, {.jailbreak_task = "jailbreak"}, 4096);
  CHECK(table->longest < 1200);
  CHECK(longer.events.size() > 2);
  CHECK(longer.events.size() < 60);
}

TEST_CASE("safety checker: one call asks all tasks of all claims, and the threshold counts", "[guard]") {
  const auto table = std::make_shared<Table>();
  const std::string text = "Ask Jane about it. Step one is easy. Write to a.b@example.com now.";
  const Ran ran = run(table, text, {.patterns = true, .pii_task = "pii", .jailbreak_task = "jailbreak"}, text.size());
  CHECK(table->calls <= 2);  // what is fed, and what the end leaves
  CHECK(ran.events.size() == 4);
  CHECK(std::is_sorted(ran.events.begin(), ran.events.end(),
                       [](const Event& a, const Event& b) { return a.claim_begin < b.claim_begin; }));
  const Ran strict =
      run(table, text, {.pii_task = "pii", .jailbreak_task = "jailbreak", .threshold = 0.95F}, text.size());
  CHECK(strict.events.empty());
}

TEST_CASE("safety checker: what a model fails at is told", "[guard]") {
  CHECK_THROWS_AS(run(std::make_shared<Table>(), "A claim. ", {.jailbreak_task = "broken"}, 100), base::Error);
}
