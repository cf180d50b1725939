#include "c_api/answer_policy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "c_api/views.h"

namespace vsr::c_api {
namespace {

using routing::AnswerAction;
using routing::AnswerGuardSettings;

constexpr float kJailbreakThreshold = 0.7F;  // of the signal, too

int32_t policy_of(AnswerAction action) {
  switch (action) {
    case AnswerAction::kNone:
      return VSR_POLICY_OBSERVE;
    case AnswerAction::kHeader:
      return VSR_POLICY_ANNOTATE;
    case AnswerAction::kBody:
      return VSR_POLICY_WARN;
    case AnswerAction::kBlock:
      return VSR_POLICY_TERMINATE;
  }
  return VSR_POLICY_TERMINATE;
}

vsr_str word_of(AnswerAction action) {
  const std::string_view word = answer_action_name(action);
  return {word.data(), word.size()};
}

// What is blocked is kept back until it is checked, and stopped where it cannot be, unless the file says otherwise.
void add_settings(const AnswerGuardSettings& settings, AnswerAction action, vsr_guard_options& guard) {
  const bool blocks = action == AnswerAction::kBlock;
  if (settings.hold.value_or(blocks)) guard.hold = 1;
  if (settings.fail_closed.value_or(blocks)) guard.fail_closed = 1;
}

}  // namespace

std::unique_ptr<const AnswerPolicy> make_answer_policy(std::shared_ptr<const routing::AnswerGuards> asked) {
  if (!asked) return nullptr;
  auto made = std::make_unique<AnswerPolicy>();
  const routing::AnswerGuards& from = *asked;
  made->asked = std::move(asked);
  made->guard = VSR_GUARD_OPTIONS_INIT;
  made->facts = VSR_FACTS_OPTIONS_INIT;
  made->policy = sized<vsr_answer_policy>();
  vsr_guard_options& guard = made->guard;
  vsr_answer_policy& policy = made->policy;
  guard.no_grounding = from.hallucination ? 0 : 1;
  if (from.hallucination) {
    guard.policy = policy_of(from.hallucination->action);
    guard.threshold = static_cast<float>(from.hallucination->threshold);
    guard.question = view_unless_empty(from.question);
    add_settings(*from.hallucination, from.hallucination->action, guard);
    if (!from.nli_task.empty()) made->facts.nli = from.nli_task.c_str();
    policy.include_details = from.hallucination->include_details ? 1 : 0;
    policy.hallucination_action = word_of(from.hallucination->action);
    policy.unverified_action = word_of(from.hallucination->unverified_action);
  }
  if (from.response_jailbreak) {
    guard.own_safety_policy = 1;
    guard.safety_policy = policy_of(from.response_jailbreak->action);
    guard.jailbreak_task = from.jailbreak_task.c_str();
    const auto threshold = static_cast<float>(from.response_jailbreak->threshold.value_or(kJailbreakThreshold));
    guard.safety_threshold = std::max(threshold, std::numeric_limits<float>::min());  // 0 means the default
    add_settings(*from.response_jailbreak, from.response_jailbreak->action, guard);
    policy.jailbreak_action = word_of(from.response_jailbreak->action);
  }
  for (const std::string& source : from.sources) made->sources.push_back(view(source));
  policy.guard = &made->guard;
  policy.facts = &made->facts;
  policy.sources = made->sources.data();
  policy.source_count = made->sources.size();
  return made;
}

}  // namespace vsr::c_api
