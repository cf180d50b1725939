// Routed requests that leave masked: routing says which, the guard's masks do it.
#include <utility>

#include "base/error.h"
#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/mask_handle.h"
#include "c_api/router_handle.h"

namespace vsr::c_api {
namespace {

class GuardMask : public routing::RequestMask {
 public:
  GuardMask(guard::MaskOptions options, bool fail_on_unknown)
      : handle_(make_mask(std::make_shared<const guard::Mask>(std::move(options)), fail_on_unknown)) {}

  std::string masked(std::string_view body, const base::CallLimits& limits) const override {
    return handle_.mask->request(body, limits);
  }
  const vsr_mask& handle() const { return handle_; }

 private:
  const vsr_mask handle_;
};

}  // namespace

vsr_mask make_mask(std::shared_ptr<const guard::Mask> mask, bool fail_on_unknown) {
  auto restoring = std::make_shared<const guard::Restoring>(guard::Restoring{mask->placeholders(), fail_on_unknown});
  return {std::move(mask), std::move(restoring)};
}

routing::MakeRequestMask request_masks(std::shared_ptr<const inference::Inference> models, std::string key) {
  return [models = std::move(models), key = std::move(key)](const routing::PiiMaskPlugin& plugin,
                                                            const std::string& pii_task, const std::string& tenant) {
    guard::MaskOptions options;
    options.key = key;
    options.tenant = tenant;
    options.pii_task = pii_task;
    if (!pii_task.empty()) options.models = models;
    options.threshold = static_cast<float>(plugin.threshold);
    options.types.insert(plugin.types.begin(), plugin.types.end());
    return std::make_shared<const GuardMask>(std::move(options), plugin.fail_on_unknown);
  };
}

vsr_mask mask_of(const routing::RequestMask& masked) { return dynamic_cast<const GuardMask&>(masked).handle(); }

}  // namespace vsr::c_api

vsr_status vsr_decision_mask(const vsr_decision* decision, vsr_mask** out_mask, vsr_error* error) {
  using vsr::base::Status;
  return vsr::c_api::guard_new(out_mask, "out_mask", error, [&] {
    const auto& mask = vsr::c_api::require(decision, "decision").routed.mask;
    if (!mask) vsr::base::fail(Status::kState, "decision: its request is not masked");
    return vsr::c_api::mask_of(*mask);
  });
}
