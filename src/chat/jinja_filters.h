// Filters ("value | name") and tests ("value is name").
#pragma once

#include <string>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// Both throw kUnsupported for a name that vsr does not run.
Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments, Rendering& rendering);
bool apply_test(const std::string& name, const Value& value, const Arguments& arguments, Rendering& rendering);

// value.name and value[index], as Jinja looks them up; what is not there is undefined.
Value attribute(const Value& value, const std::string& name, Rendering& rendering);
Value item(const Value& value, const Value& index, Rendering& rendering);

}  // namespace vsr::chat::jinja
