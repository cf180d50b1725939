// A mask, as Python holds it.
#pragma once

#include <memory>

#include "engine.h"
#include "vsr/mask.h"

namespace vsr_python {

class MaskHandle {
 public:
  explicit MaskHandle(vsr_mask* mask) : handle_(owned(mask, &vsr_mask_free)) {}
  std::shared_ptr<vsr_mask> hold() const { return handle_; }

 private:
  std::shared_ptr<vsr_mask> handle_;
};

}  // namespace vsr_python
