// vsr/answer.h: guards of the answers to routed requests.
#include "vsr/answer.h"

#include <memory>
#include <utility>

#include "c_api/boundary.h"
#include "c_api/guard_handle.h"
#include "c_api/router_handle.h"

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::guard_new;
using vsr::c_api::HeldRouter;
using vsr::c_api::require;
using vsr::guard::Stream;

const vsr_answer_policy* vsr_decision_answer_policy(const vsr_decision* decision) {
  return decision == nullptr || !decision->answer ? nullptr : &decision->answer->policy;
}

vsr_status vsr_router_facts(const vsr_router* router, const vsr_str* texts, size_t text_count,
                            const vsr_facts_options* options, vsr_facts** out_facts, vsr_error* error) {
  return guard_new(out_facts, "out_facts", error, [&] {
    const HeldRouter held(router);
    return vsr::c_api::read_facts(held->inference(), texts, text_count, options);
  });
}

vsr_status vsr_router_guard(const vsr_router* router, const vsr_decision* decision, const vsr_facts* facts,
                            vsr_guard** out_guard, vsr_error* error) {
  return guard_new(out_guard, "out_guard", error, [&] {
    const HeldRouter held(router);
    const auto& answer = require(decision, "decision").answer;
    if (!answer) fail(Status::kState, "decision: it asks for no guard of the answer");
    const auto& sources = answer->sources;
    vsr_guard_options options = answer->guard;
    if (facts == nullptr && sources.empty()) options.no_grounding = 1;
    auto set = facts != nullptr
                   ? facts->set
                   : vsr::c_api::read_facts(held->inference(), sources.data(), sources.size(), &answer->facts);
    return std::make_unique<Stream>(std::move(set), vsr::c_api::read_guard_options(&options));
  });
}
