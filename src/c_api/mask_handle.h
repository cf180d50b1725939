// What the handle of a mask holds, and masks of routed requests.
#pragma once

#include <memory>
#include <string>

#include "guard/mask/mask.h"
#include "inference/inference.h"
#include "routing/request_mask.h"
#include "vsr/mask.h"

struct vsr_mask {
  std::shared_ptr<const vsr::guard::Mask> mask;
  std::shared_ptr<const vsr::guard::Restoring> restoring;
};

namespace vsr::c_api {

vsr_mask make_mask(std::shared_ptr<const guard::Mask> mask, bool fail_on_unknown);

// What a router masks requests with: for each a mask of its own. `key`: of the placeholders.
routing::MakeRequestMask request_masks(std::shared_ptr<const inference::Inference> models, std::string key);
// The mask of a request that one of these masked.
vsr_mask mask_of(const routing::RequestMask& masked);

}  // namespace vsr::c_api
