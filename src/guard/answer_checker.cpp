#include "guard/answer_checker.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/utf8.h"
#include "guard/checks/claim_check.h"
#include "guard/claims/claim_cutter.h"
#include "guard/entailment.h"
#include "guard/token_check.h"

namespace vsr::guard {
namespace {

constexpr float kCertain = 0.5F;  // of a model's support and contradiction

static_assert(static_cast<int>(EventKind::kNumber) == static_cast<int>(EventKind::kNumber));
static_assert(static_cast<int>(EventKind::kUnsupported) == static_cast<int>(EventKind::kUnsupported));

}  // namespace

struct AnswerChecker::State {
  State(std::shared_ptr<const FactSet> facts_given, std::string question_given, CheckOptions options_given)
      : facts(std::move(facts_given)),
        question(
            read_statement(base::CleanText(question_given).view(), facts->index().style(), facts->index().german())),
        options(std::move(options_given)) {}

  // A claim on its way to a model.
  struct Open {
    size_t begin = 0, end = 0;
    double milliseconds = 0;
    std::string text = {};  // as it came
  };

  void judge_finished(bool last) {
    std::vector<OpenClaim> questions;
    std::vector<Open> open;
    size_t end = checked;
    while (const auto claim = cutter.next(last)) {
      const base::Stopwatch watch;
      ++claims;
      end = claim->begin + claim->text.size();
      if (!options.grounding) continue;
      const base::CleanText text(claim->text);
      ClaimVerdict verdict = check_claim(facts->index(), text.view(), question, context);
      context.add(verdict);
      for (const Finding& finding : verdict.findings) {
        events.push_back({.begin = claim->begin + text.to_original(finding.begin),
                          .end = claim->begin + text.to_original(finding.end),
                          .claim_begin = claim->begin,
                          .claim_end = end,
                          .kind = finding.kind,
                          .score = finding.score,
                          .fact = finding.fact,
                          .milliseconds = watch.milliseconds()});
      }
      if (verdict.settled || (facts->tasks().nli.empty() && facts->tasks().tokens.empty())) {
        ++by_symbols;
      } else {
        questions.push_back({open.size(), std::string(text.view()), std::move(verdict.candidates)});
        open.push_back({claim->begin, end, watch.milliseconds(), std::string(claim->text)});
      }
    }
    if (!questions.empty()) ask(questions, open);
    checked = std::max(checked, end);
  }

  // Both models where there are two: what entailment supports has no spans, and spans take the place of a whole claim
  // that is only unsupported.
  void ask(const std::vector<OpenClaim>& questions, const std::vector<Open>& open) {
    const base::Stopwatch watch;
    std::vector<Entailment> entailments;
    if (!facts->tasks().nli.empty()) entailments = ask_entailment(*facts, questions, options.limits);
    std::vector<bool> narrowed(open.size());
    if (!facts->tasks().tokens.empty()) {
      std::vector<OpenClaim> unsupported;
      for (size_t i = 0; i < questions.size(); ++i) {
        const bool said = !entailments.empty() && (supported(entailments[i]) || contradicted(entailments[i]));
        if (!said) unsupported.push_back(questions[i]);
      }
      for (const UnsupportedSpan& span : ask_tokens(*facts, question.text, unsupported, options.limits)) {
        if (span.score < kCertain) continue;
        const Open& claim = open[span.claim];
        const base::CleanText text(claim.text);
        narrowed[span.claim] = true;
        events.push_back({.begin = claim.begin + text.to_original(span.begin),
                          .end = claim.begin + text.to_original(span.end),
                          .claim_begin = claim.begin,
                          .claim_end = claim.end,
                          .kind = EventKind::kUnsupported,
                          .score = span.score,
                          .fact = span.fact,
                          .milliseconds = claim.milliseconds + watch.milliseconds()});
      }
    }
    for (const Entailment& said : entailments) {
      if (supported(said) || (narrowed[said.claim] && !contradicted(said))) continue;
      const Open& claim = open[said.claim];
      const bool contradicted = State::contradicted(said);
      events.push_back({.begin = claim.begin,
                        .end = claim.end,
                        .claim_begin = claim.begin,
                        .claim_end = claim.end,
                        .kind = contradicted ? EventKind::kContradiction : EventKind::kUnsupported,
                        .score = contradicted ? said.contradiction : 1 - said.support,
                        .fact = contradicted ? said.contradicting : said.supporting,
                        .milliseconds = claim.milliseconds + watch.milliseconds()});
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.begin < b.begin; });
  }

  static bool supported(const Entailment& said) {
    return said.support >= kCertain && said.support >= said.contradiction;
  }
  static bool contradicted(const Entailment& said) { return !supported(said) && said.contradiction >= kCertain; }

  std::shared_ptr<const FactSet> facts;
  Statement question;
  CheckOptions options;
  ClaimCutter cutter;
  ClaimContext context;
  std::vector<Event> events;  // not handed out yet: a model that throws loses none
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
  for (size_t i = 0; i < text.size(); i += ClaimCutter::kMostBytes) {
    state_->cutter.add(text.substr(i, ClaimCutter::kMostBytes));
    state_->judge_finished(false);
  }
  return std::exchange(state_->events, {});
}

std::vector<Event> AnswerChecker::finish() {
  if (!std::exchange(state_->finished, true)) {
    state_->judge_finished(true);
    state_->checked = std::max(state_->checked, state_->cutter.position());
  }
  return std::exchange(state_->events, {});
}

void AnswerChecker::set_limits(const base::CallLimits& limits) { state_->options.limits = limits; }
size_t AnswerChecker::checked() const { return state_->checked; }
size_t AnswerChecker::claims() const { return state_->claims; }
size_t AnswerChecker::claims_by_symbols() const { return state_->by_symbols; }

}  // namespace vsr::guard
