// vsr/adapters.h: adapters that come and go while an engine serves.
#include "c_api/adapters.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"

namespace vsr::c_api {

using base::fail;
using base::Status;

engine::AdapterOptions read_adapter(const vsr_adapter_options* given, const std::string& name) {
  const vsr_adapter_options options = read_options(given, name.c_str());
  check_reserved(options.reserved, name + ".reserved");
  engine::AdapterOptions adapter{.name = optional_string(options.name),
                                 .path = optional_string(options.path),
                                 .model = optional_string(options.model)};
  if (adapter.path.empty()) fail(Status::kInvalidArgument, name, ".path is NULL or empty");
  return adapter;
}

}  // namespace vsr::c_api

using vsr::c_api::engine_of;
using vsr::c_api::guard;

vsr_status vsr_engine_load_adapter(vsr_engine* engine, const vsr_adapter_options* options, int32_t replace,
                                   vsr_error* error) {
  return guard(error, [&] {
    vsr::c_api::require(options, "options");
    const auto adapter = vsr::c_api::read_adapter(options, "vsr_adapter_options");
    const bool replaces = vsr::c_api::read_bool(replace, "replace");
    engine_of(engine)->load_adapter(adapter, replaces);
  });
}

vsr_status vsr_engine_unload_adapter(vsr_engine* engine, const char* name, vsr_error* error) {
  return guard(error, [&] { engine_of(engine)->unload_adapter(vsr::c_api::required_string(name, "name")); });
}

vsr_status vsr_engine_merge_adapter(const vsr_engine* engine, const vsr_adapter_options* options,
                                    const char* output_path, vsr_error* error) {
  return guard(error, [&] {
    vsr::c_api::require(options, "options");
    const auto adapter = vsr::c_api::read_adapter(options, "vsr_adapter_options");
    engine_of(engine)->merge_adapter(adapter, vsr::c_api::required_string(output_path, "output_path"));
  });
}
