#include "routing/signals/kinds/signal_makers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

struct SignalMaker {
  std::string_view type;
  BoundSignalPointer (*make)(const std::string& name, SignalSources& sources);
};

constexpr SignalMaker kMakers[] = {
    {"keyword", make_keyword},
    {"embedding", make_embedding},
    {"intent", make_intent},
    {"domain", make_domain},
    {"fact_check", make_fact_check},
    {"user_feedback", make_user_feedback},
    {"language", make_language},
    {"context", make_context},
    {"structure", make_structure},
    {"complexity", make_complexity},
    {"authz", make_authz},
    {"jailbreak", make_jailbreak},
    {"pii", make_pii},
    {"conversation", make_conversation},
    {"metadata", make_metadata},
    {"classifier", make_classifier},
    {"reask", make_reask},
    {"preference", make_preference},
    {"modality", make_modality},
    {"kb", make_kb},
    {"kb_metric", make_kb_metric},
    {"event", make_event},
};
static_assert(covers_signal_kinds(kMakers, is_evaluated), "a kind that is evaluated has no maker, or a maker no kind");

}  // namespace

BoundSignalPointer make_signal(const SignalRef& leaf, SignalSources& sources) {
  const auto maker = std::find_if(std::begin(kMakers), std::end(kMakers),
                                  [&](const SignalMaker& each) { return each.type == leaf.type; });
  if (maker == std::end(kMakers)) {
    fail(Status::kInternal, "signal \"", leaf.key(), "\" is of no kind that is known");
  }
  BoundSignalPointer signal = maker->make(leaf.name, sources);
  if (signal == nullptr) fail(Status::kInternal, "signal \"", leaf.key(), "\" has no rule");
  return signal;
}

}  // namespace vsr::routing
