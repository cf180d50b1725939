// Which roles the sender has.
#include <algorithm>
#include <utility>

#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_request.h"

namespace vsr::routing {
namespace {

class Authz : public BoundSignal {
 public:
  Authz(const std::vector<RoleRule>& bindings, std::string role) : bindings_(bindings), role_(std::move(role)) {}
  ContextReads reads() const override { return context_reads(bindings_, role_); }
  SignalValue evaluate(RequestReading& reading) const override {
    return evaluate_role(bindings_, role_, reading.context());
  }

 private:
  const std::vector<RoleRule>& bindings_;
  std::string role_;
};

}  // namespace

BoundSignalPointer make_authz(const std::string& name, SignalSources& sources) {
  const std::vector<RoleRule>& bindings = sources.rules().role_bindings;
  const bool known =
      std::any_of(bindings.begin(), bindings.end(), [&](const RoleRule& binding) { return binding.role == name; });
  return known ? std::make_unique<Authz>(bindings, name) : nullptr;
}

}  // namespace vsr::routing
