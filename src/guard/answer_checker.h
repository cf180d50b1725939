// One answer, checked claim by claim while it arrives.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "guard/event.h"
#include "guard/fact_set.h"

namespace vsr::guard {

struct CheckOptions {
  bool grounding = true;                 // claims against the facts
  std::string pii_task, jailbreak_task;  // of the facts' models; empty: not asked
  base::CallLimits limits;               // of all calls of models
};

// The plain text of one answer in pieces of any size. A claim is a sentence, a line or a list item, 8 KB at most; it is
// judged when its end is certain, and its verdict never changes. How the text is cut into pieces changes nothing but
// the times of events. One thread at a time.
class AnswerChecker {
 public:
  // `question`: what was asked, whose words are known and whose values are no facts.
  AnswerChecker(std::shared_ptr<const FactSet> facts, std::string question, CheckOptions options);
  ~AnswerChecker();
  AnswerChecker(AnswerChecker&&) noexcept;
  AnswerChecker& operator=(AnswerChecker&&) noexcept;

  // Whole or cut UTF-8; what is not finished is held. Events in the order of the text. Throws what models throw.
  std::vector<Event> feed(std::string_view text);
  // The end of the answer: the rest is judged. Nothing may be fed after it.
  std::vector<Event> finish();

  // Of the calls of models from now on, in place of those of the options.
  void set_limits(const base::CallLimits& limits);

  size_t checked() const;            // bytes of the answer that are judged for good; never goes back
  size_t claims() const;             // how many were judged
  size_t claims_by_symbols() const;  // of those, how many no model was asked about

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vsr::guard
