// Options of adapters, which engines are opened with too.
#pragma once

#include <string>

#include "engine/config/engine_options.h"
#include "vsr/adapters.h"

namespace vsr::c_api {

// Messages call the struct `name`.
engine::AdapterOptions read_adapter(const vsr_adapter_options* given, const std::string& name);

}  // namespace vsr::c_api
