// Facts and guards, as Python holds them.
#pragma once

#include <memory>

#include "call.h"

namespace vsr_python {

class Facts {
 public:
  explicit Facts(vsr_facts* facts) : handle_(owned(facts, &vsr_facts_free)) {}
  std::shared_ptr<vsr_facts> hold() const { return handle_; }

 private:
  std::shared_ptr<vsr_facts> handle_;
};

class Guard {
 public:
  explicit Guard(vsr_guard* guard) : handle_(owned(guard, &vsr_guard_free)) {}
  std::shared_ptr<vsr_guard> hold() const { return handle_; }

 private:
  std::shared_ptr<vsr_guard> handle_;
};

}  // namespace vsr_python
