#include "guard/answer_checker.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "guard/fact_set.h"
#include "support/failure.h"

using namespace vsr;
using namespace vsr::guard;

namespace {

const std::vector<std::string_view> kLease = {
    "The lease between landlord Corvane Estates Ltd and tenant Priya Sundqvist covers Flat 12B.",
    "The lease runs from 1 September 2024 to 31 August 2026.",
    "The monthly rent is GBP 1,350, payable on the first day of each month.",
    "A deposit of GBP 2,700 is held under scheme certificate DPS-7741903.",
    "Pets are not allowed without the landlord's written consent.",
    "Aisle 14 holds 860 office chairs and aisle 15 holds 415 desks.",
};

struct Found {
  std::string text;
  EventKind kind;
  int32_t fact;
  friend bool operator==(const Found&, const Found&) = default;
};

std::vector<Found> check(std::string_view answer, size_t piece = 1000000) {
  AnswerChecker checker(FactSet::make(kLease, nullptr, {}), "What are the terms?", {});
  std::vector<Found> found;
  size_t checked = 0;
  const auto take = [&](const std::vector<Event>& events) {
    for (const Event& event : events) {
      found.push_back({std::string(answer.substr(event.begin, event.end - event.begin)), event.kind, event.fact});
      CHECK(event.claim_begin <= event.begin);
      CHECK(event.end <= event.claim_end);
    }
    CHECK(checker.checked() >= checked);
    checked = checker.checked();
  };
  for (size_t i = 0; i < answer.size(); i += piece) take(checker.feed(answer.substr(i, piece)));
  take(checker.finish());
  CHECK(checker.checked() == answer.size());
  return found;
}

// What a pair model would say.
class Table final : public inference::Inference {
 public:
  bool has_models() const override { return true; }
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override { return nullptr; }
  std::vector<inference::TaskAnswer> classify(std::span<const std::string_view>,
                                              std::span<const inference::TaskQuestion>, const std::vector<bool>&,
                                              const base::CallLimits&) const override {
    return {};
  }
  inference::TaskAnswer classify_pairs(std::span<const inference::QuestionPair> pairs, const std::string&,
                                       const base::CallLimits&) const override {
    ++calls;
    inference::TaskAnswer answer;
    answer.labels = {"contradiction", "entailment", "neutral"};
    for (const auto& pair : pairs) {
      const bool against =
          pair.second.find("cheap") != std::string_view::npos && pair.first.find("rent") != std::string_view::npos;
      for (const float score :
           against ? std::vector<float>{0.9F, 0.05F, 0.05F} : std::vector<float>{0.1F, 0.2F, 0.7F}) {
        answer.scores.push_back(score);
      }
    }
    return answer;
  }
  inference::TaskAnswer entities_of_pairs(std::span<const inference::QuestionPair> pairs, const std::string&,
                                          const base::CallLimits&) const override {
    ++token_calls;
    inference::TaskAnswer answer;
    answer.has_entities = true;
    for (const auto& pair : pairs) {
      first = pair.first;
      auto& found = answer.entities.emplace_back();
      if (const size_t at = pair.second.find("castle"); at != std::string_view::npos) {
        found.push_back({"unsupported", at, at + 6, 0.8});
        found.push_back({"SUPPORTED", 0, 3, 0.9});
        found.push_back({"unsupported", 0, 3, 0.4});
      }
    }
    return answer;
  }
  std::string missing(const std::string& task, inference::TaskUse) const override {
    return task == "nli" || task == "tokens" ? "" : "task \"" + task + "\" is not there";
  }
  std::optional<size_t> count_tokens(std::string_view) const override { return std::nullopt; }
  mutable size_t calls = 0, token_calls = 0;
  mutable std::string first;
};

}  // namespace

TEST_CASE("answer checker: what is written otherwise, converted or derived is true", "[guard]") {
  CHECK(check("The rent is £1,350 a month. The lease ends on 31/08/2026. The deposit is two times the monthly rent. "
              "The full term is 24 months. "
              "Twelve months of rent add up to GBP 16,200. The parties are Corvane Estates Ltd and Priya Sundqvist.")
            .empty());
}

TEST_CASE("answer checker: the smallest wrong part, its kind and the fact", "[guard]") {
  CHECK(check("The rent is £1,530 a month.") == std::vector<Found>{{"£1,530 a month", EventKind::kAmount, 2}});
  CHECK(check("The rent is €1,350.") == std::vector<Found>{{"€1,350", EventKind::kAmount, 2}});
  CHECK(check("The lease ends on 31 August 2025.") == std::vector<Found>{{"31 August 2025", EventKind::kDate, 1}});
  CHECK(check("The certificate is DPS-7741930.") == std::vector<Found>{{"DPS-7741930", EventKind::kIdentifier, 3}});
  CHECK(check("The tenant is Priya Sundquist.") == std::vector<Found>{{"Sundquist", EventKind::kName, 0}});
  const auto pets = check("The tenant may keep pets without the landlord's consent.");
  REQUIRE(pets.size() == 1);
  CHECK(pets[0].kind == EventKind::kNegation);
  CHECK(pets[0].fact == 4);
  CHECK(check("Aisle 14 holds 415 desks and aisle 15 holds 860 office chairs.").size() >= 1);
}

TEST_CASE("answer checker: any chunking gives the same events", "[guard]") {
  const std::string answer =
      "The rent is £1,530 a month. It is due on day 17.\n\n- Deposit: GBP 2,700\n- Certificate: DPS-7741930\n\nThe "
      "lease ends in 2027, on 3. August.";
  const auto whole = check(answer);
  CHECK(whole.size() >= 3);
  for (const size_t piece : {1, 2, 3, 5, 17}) CHECK(check(answer, piece) == whole);
}

TEST_CASE("answer checker: invalid UTF-8 and endless text are judged in bounded pieces", "[guard]") {
  const std::string bad = "The rent is \xFF\xC3 GBP 9,999 \xE2\x82 a month.";
  const auto found = check(bad, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.find("9,999") != std::string::npos);
  check(std::string(100000, '9'), 999);
  check(std::string(50000, '.'), 1000);
}

TEST_CASE("answer checker: a model is asked once for all claims that symbols leave open", "[guard]") {
  const auto table = std::make_shared<Table>();
  AnswerChecker checker(FactSet::make(kLease, table, {.nli = "nli"}), "", {});
  auto events = checker.feed(
      "The rent is £1,350 a month. The rent seems cheap to locals of the landlord. The landlord owns a castle "
      "somewhere. Aisle 14 holds 860 office chairs.");
  for (const Event& event : checker.finish()) events.push_back(event);
  CHECK(table->calls == 1);
  CHECK(checker.claims() == 4);
  CHECK(checker.claims_by_symbols() == 2);
  REQUIRE(events.size() == 2);
  CHECK(events[0].kind == EventKind::kContradiction);
  CHECK(events[0].score == Approx(0.9));
  CHECK(events[0].fact == 2);
  CHECK(events[1].kind == EventKind::kUnsupported);
}

TEST_CASE("answer checker: a model of tokens marks the part of a claim, in bytes of the answer", "[guard]") {
  const std::string answer =
      "The \xFF landlord owns a castle somewhere. The rent seems cheap to locals of the landlord.\n\n";
  for (const size_t piece : {size_t{3}, answer.size()}) {
    for (const char* nli : {"", "nli"}) {
      const auto table = std::make_shared<Table>();
      AnswerChecker checker(FactSet::make(kLease, table, {.nli = nli, .tokens = "tokens"}), "Who is it?", {});
      std::vector<Event> events;
      const auto take = [&](const std::vector<Event>& found) {
        events.insert(events.end(), found.begin(), found.end());
      };
      for (size_t i = 0; i < answer.size(); i += piece) take(checker.feed(std::string_view(answer).substr(i, piece)));
      take(checker.finish());
      REQUIRE(events.size() == (*nli ? 2 : 1));  // entailment contradicts the other claim
      CHECK(answer.substr(events[0].begin, events[0].end - events[0].begin) == "castle");
      CHECK(events[0].kind == EventKind::kUnsupported);
      CHECK(events[0].score == Approx(0.8));
      CHECK(events[0].fact == 0);
      if (*nli) CHECK(events[1].kind == EventKind::kContradiction);
      if (piece == answer.size() && !*nli) CHECK(table->token_calls == 1);
      CHECK(table->first.ends_with("\nWho is it?"));
      CHECK(checker.claims_by_symbols() == 0);
    }
  }
}

TEST_CASE("answer checker: errors name what is wrong", "[guard]") {
  const auto table = std::make_shared<Table>();
  CHECK_THROWS_WITH(FactSet::make(kLease, table, {.nli = "other"}), Catch::Contains("facts: task \"other\""));
  CHECK_THROWS_WITH(FactSet::make(kLease, table, {.tokens = "others"}), Catch::Contains("facts: task \"others\""));
  CHECK_THROWS_WITH(FactSet::make(kLease, nullptr, {.nli = "nli"}), Catch::Contains("nli"));
  AnswerChecker checker(FactSet::make(kLease, nullptr, {}), "", {});
  checker.finish();
  CHECK_THROWS(checker.feed("more"));
}

TEST_CASE("answer checker: claims beyond the deadline pass unjudged, and an error says so", "[guard]") {
  AnswerChecker checker(FactSet::make(kLease, nullptr, {}), "", {});
  checker.set_limits({.deadline = base::deadline_in(-1)});
  const std::string late = "The monthly rent is GBP 9,350. The lease runs to 30 August 2026. ";
  const std::string next = "A deposit of GBP 9,700 is held.";
  CHECK(test::failure_of([&] { checker.feed(late + next); }).status == base::Status::kDeadline);
  CHECK(checker.checked() == late.size() - 1);  // without the space
  CHECK(checker.claims() == 2);
  checker.set_limits({});
  const std::vector<Event> events = checker.finish();
  REQUIRE(events.size() == 1);
  CHECK(events[0].begin == late.size() + std::string("A deposit of ").size());
}
