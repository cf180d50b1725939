// What a decision asks of the answer, in the guard's words: routing and guard do not know each other.
#pragma once

#include <memory>
#include <vector>

#include "routing/answer_guards.h"
#include "vsr/answer.h"

namespace vsr::c_api {

// The views are of `asked`.
struct AnswerPolicy {
  std::shared_ptr<const routing::AnswerGuards> asked;
  vsr_guard_options guard;
  vsr_facts_options facts;
  std::vector<vsr_str> sources;
  vsr_answer_policy policy;
};

// Null for null.
std::unique_ptr<const AnswerPolicy> make_answer_policy(std::shared_ptr<const routing::AnswerGuards> asked);

}  // namespace vsr::c_api
