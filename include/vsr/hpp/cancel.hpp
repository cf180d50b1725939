/* vsr::Cancel: ending calls from another thread. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_CANCEL_HPP
#define VSR_HPP_CANCEL_HPP

#include "../cancel.h"
#include "error.hpp"

namespace vsr {

/** See vsr_cancel. Calls that were given it in their options fail with VSR_ERR_CANCELLED once it is triggered. */
class Cancel {
 public:
  Cancel()
      : handle_(detail::make<Owner>([](vsr_cancel** out, vsr_error* error) { return vsr_cancel_create(out, error); })) {
  }
  void trigger() { vsr_cancel_trigger(handle_.get()); }
  const vsr_cancel* get() const { return handle_.get(); }

 private:
  using Owner = detail::Handle<vsr_cancel, vsr_cancel_free>;
  Owner handle_;
};

}  // namespace vsr

#endif
