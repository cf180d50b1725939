#include "guard/answer_checker.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/utf8.h"
#include "guard/checks/fact_index.h"
#include "guard/claims/claim_cutter.h"

namespace vsr::guard {

struct AnswerChecker::State {
  State(std::shared_ptr<const FactSet> facts_given, std::string question_given, CheckOptions options_given)
      : facts(std::move(facts_given)), question(std::move(question_given)), options(std::move(options_given)) {}

  void judge_finished(bool last, std::vector<Event>& events) {
    while (const auto claim = cutter.next(last)) {
      judge(*claim, events);
      ++claims;
      ++by_symbols;
      checked = claim->begin + claim->text.size();
    }
  }
  void judge(const Claim& claim, std::vector<Event>& events) const {
    if (!options.grounding) return;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (size_t i = 0; i < claim.text.size(); ++i) {
      if (!is_digit(claim.text[i])) continue;
      size_t end = i;
      while (end < claim.text.size() && is_digit(claim.text[end])) ++end;
      if (!facts->index().holds(claim.text.substr(i, end - i))) {
        events.push_back({.begin = claim.begin + i,
                          .end = claim.begin + end,
                          .claim_begin = claim.begin,
                          .claim_end = claim.begin + claim.text.size()});
      }
      i = end;
    }
  }

  std::shared_ptr<const FactSet> facts;
  std::string question;
  CheckOptions options;
  ClaimCutter cutter;
  size_t checked = 0, claims = 0, by_symbols = 0;
  bool finished = false;
};

AnswerChecker::AnswerChecker(std::shared_ptr<const FactSet> facts, std::string question, CheckOptions options)
    : state_(std::make_unique<State>(std::move(facts), std::move(question), std::move(options))) {}
AnswerChecker::~AnswerChecker() = default;
AnswerChecker::AnswerChecker(AnswerChecker&&) noexcept = default;
AnswerChecker& AnswerChecker::operator=(AnswerChecker&&) noexcept = default;

std::vector<Event> AnswerChecker::feed(std::string_view text) {
  if (state_->finished) base::fail(base::Status::kState, "answer: fed after its end");
  std::vector<Event> events;
  for (size_t i = 0; i < text.size(); i += ClaimCutter::kMostBytes) {
    state_->cutter.add(text.substr(i, ClaimCutter::kMostBytes));
    state_->judge_finished(false, events);
  }
  return events;
}

std::vector<Event> AnswerChecker::finish() {
  std::vector<Event> events;
  if (std::exchange(state_->finished, true)) return events;
  state_->judge_finished(true, events);
  state_->checked = std::max(state_->checked, state_->cutter.position());
  return events;
}

size_t AnswerChecker::checked() const { return state_->checked; }
size_t AnswerChecker::claims() const { return state_->claims; }
size_t AnswerChecker::claims_by_symbols() const { return state_->by_symbols; }

}  // namespace vsr::guard
