// The filter "tojson".
#pragma once

#include <cstdint>
#include <string>

#include "chat/jinja_rendering.h"

namespace vsr::chat::jinja {

// json.dumps(value, ensure_ascii=False, indent=indent); `indent` < 0: on one line.
std::string to_json(const Value& value, int64_t indent, Rendering& rendering);

}  // namespace vsr::chat::jinja
