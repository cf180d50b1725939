// vsr/types.h: versions, status names, strings.
#include "vsr/types.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/views.h"

namespace {

using vsr::base::Status;

#define VSR_STATUS(number, name) static_assert(static_cast<vsr_status>(Status::name) == (number));
#include "c_api/statuses.inc"
#undef VSR_STATUS

}  // namespace

uint32_t vsr_abi_version(void) { return VSR_ABI_VERSION; }

vsr_str vsr_version(void) { return VSR_STR(VSR_VERSION); }

vsr_str vsr_torch_version(void) { return VSR_STR(VSR_TORCH_VERSION); }

vsr_str vsr_status_name(vsr_status status) {
  switch (status) {
    case VSR_OK:
      return VSR_STR("VSR_OK");
#define VSR_STATUS(number, name) \
  case number:                   \
    return VSR_STR(#number);
#include "c_api/statuses.inc"
#undef VSR_STATUS
    default:
      return VSR_STR("VSR_ERR_UNKNOWN");
  }
}

vsr_str vsr_string_text(const vsr_string* string) {
  return string == nullptr ? VSR_STR("") : vsr::c_api::view(string->text);
}

void vsr_string_free(vsr_string* string) { vsr::c_api::free_handle(string); }
