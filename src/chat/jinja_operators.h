// Operators between values, as Python applies them.
#pragma once

#include <string>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// "not", "-", "+"
Value apply_unary(const std::string& op, const Value& value);
// "+", "-", "*", "/", "//", "%", "**", "~"
Value apply_binary(const std::string& op, const Value& left, const Value& right, Limits& limits);
// "==", "!=", "<", "<=", ">", ">=", "in", "not in"
bool apply_comparison(const std::string& op, const Value& left, const Value& right);

}  // namespace vsr::chat::jinja
