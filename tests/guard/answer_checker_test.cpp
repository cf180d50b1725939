#include "guard/answer_checker.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace vsr::guard;

namespace {

const std::vector<std::string_view> kLease = {"The monthly rent is GBP 1,350, payable on the first day of each month.",
                                              "The lease runs from 1 September 2024 to 31 August 2026."};

std::vector<std::string> wrong_parts(std::string_view answer, size_t piece) {
  AnswerChecker checker(FactSet::make(kLease, nullptr, {}), "What is the rent?", {});
  std::vector<std::string> parts;
  const auto take = [&](const std::vector<Event>& events) {
    for (const Event& event : events) parts.emplace_back(answer.substr(event.begin, event.end - event.begin));
  };
  for (size_t i = 0; i < answer.size(); i += piece) take(checker.feed(answer.substr(i, piece)));
  take(checker.finish());
  CHECK(checker.checked() == answer.size());
  return parts;
}

}  // namespace

TEST_CASE("answer checker: a number that no fact holds is an event, however the answer arrives", "[guard]") {
  const std::string answer = "The rent is GBP 1,350. It is due on day 17 of each month. The lease ends in 2026.";
  for (const size_t piece : {size_t{1}, size_t{2}, size_t{7}, answer.size()}) {
    CHECK(wrong_parts(answer, piece).size() == 1);
  }
}
