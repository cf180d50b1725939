// vsr/cancel.h: ending calls from another thread.
#include "vsr/cancel.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"

vsr_status vsr_cancel_create(vsr_cancel** out_cancel, vsr_error* error) {
  return vsr::c_api::guard_new(out_cancel, "out_cancel", error, [] { return std::stop_source(); });
}

void vsr_cancel_trigger(vsr_cancel* cancel) {
  if (cancel != nullptr) cancel->source.request_stop();
}

void vsr_cancel_free(vsr_cancel* cancel) { vsr::c_api::free_handle(cancel); }
