// Operators between values, as Python applies them.
#pragma once

#include <string>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// "not", "-", "+"
Value apply_unary(const std::string& op, const Value& value);
// "+", "-", "*", "/", "//", "%", "**", "~"
Value apply_binary(const std::string& op, const Value& left, const Value& right, Rendering& rendering);
// "==", "!=", "<", "<=", ">", ">=", "in", "not in"
bool apply_comparison(const std::string& op, const Value& left, const Value& right, Rendering& rendering);

// a % b with b's sign, as in Python, and abs(a). Throw kParse for b = 0, kUnsupported beyond 64 bits.
int64_t modulo(int64_t a, int64_t b);
int64_t absolute(int64_t a);

}  // namespace vsr::chat::jinja
