// Personal data and jailbreaks in an answer, looked for claim by claim while it arrives.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "guard/claims/claim_cutter.h"
#include "guard/event.h"
#include "guard/fact_set.h"

namespace vsr::guard {

struct SafetyOptions {
  bool patterns = false;       // personal data by its form
  std::string pii_task;        // entities, of the facts' models; empty: not asked
  std::string jailbreak_task;  // a classification; empty: not asked
  float threshold = 0.5F;      // least score of an event
  bool any() const { return patterns || !pii_task.empty() || !jailbreak_task.empty(); }
};

// As AnswerChecker, for what an answer must not say whatever the facts are. A model for jailbreaks reads each claim
// with up to a kilobyte of what came before it; labels that neither are the task's unsafe ones nor say "safe" are
// unsafe. One thread at a time.
class SafetyChecker {
 public:
  SafetyChecker(std::shared_ptr<const FactSet> facts, SafetyOptions options);

  // Throws what models throw; the events found before come with the next call.
  std::vector<Event> feed(std::string_view text);
  std::vector<Event> finish();
  void set_limits(const base::CallLimits& limits) { limits_ = limits; }
  size_t checked() const { return checked_; }

 private:
  struct Read {
    size_t begin = 0, end = 0;
    std::string text = {};     // as it came
    std::string context = {};  // well-formed, ends with the text
  };

  void judge_finished(bool last);
  void scan(const Read& claim);
  void ask(const std::vector<Read>& claims);

  std::shared_ptr<const FactSet> facts_;
  SafetyOptions options_;
  base::CallLimits limits_;
  ClaimCutter cutter_;
  std::string before_;  // the end of the claims before
  std::vector<Event> events_;
  size_t checked_ = 0;
};

}  // namespace vsr::guard
