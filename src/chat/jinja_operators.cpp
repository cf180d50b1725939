#include "chat/jinja_operators.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chat/jinja_protocols.h"
#include "chat/jinja_rendering.h"

namespace vsr::chat::jinja {
namespace {

[[noreturn]] void fail_operands(const std::string& op, const Value& left, const Value& right) {
  const auto shown = [](const Value& value) {
    return value.is_undefined() ? "\"" + value.undefined().name + "\", which is undefined"
                                : std::string(value.type_name());
  };
  fail_type("\"" + op + "\" does not take " + shown(left) + " and " + shown(right));
}

// By reference: the call that overflows or not is an argument too.
int64_t checked(bool overflow, const int64_t& result) {
  if (overflow) fail_unsupported("an int beyond 64 bits");
  return result;
}

int64_t negated(int64_t a) {
  int64_t result = 0;
  return checked(__builtin_sub_overflow(int64_t{0}, a, &result), result);
}

// a / b, rounded down.
int64_t quotient(int64_t a, int64_t b) {
  if (b == 0) fail_type("division by zero");
  if (b == -1) return negated(a);
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

Value integers(const std::string& op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+") return Value(checked(__builtin_add_overflow(a, b, &result), result));
  if (op == "-") return Value(checked(__builtin_sub_overflow(a, b, &result), result));
  if (op == "*") return Value(checked(__builtin_mul_overflow(a, b, &result), result));
  if (op == "**") {
    if (b < 0 && a == 0) fail_type("division by zero");
    if (b < 0) return Value(std::pow(static_cast<double>(a), static_cast<double>(b)));
    if (b > 64 && (a > 1 || a < -1)) fail_unsupported("an int beyond 64 bits");
    result = 1;
    for (int64_t i = 0; i < (b > 64 ? 64 + b % 2 : b); ++i) {
      result = checked(__builtin_mul_overflow(result, a, &result), result);
    }
    return Value(result);
  }
  if (op == "//") return Value(quotient(a, b));
  if (op == "%") return Value(modulo(a, b));
  if (b == 0) fail_type("division by zero");
  return Value(static_cast<double>(a) / static_cast<double>(b));
}

Value floats(const std::string& op, double a, double b) {
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (op == "**") fail_unsupported("\"**\" of floats");
  if (b == 0) fail_type("division by zero");
  if (op == "/") return Value(a / b);
  fail_unsupported("\"" + op + "\" of floats");
}

Value repeated(const std::string& text, int64_t count, Rendering& rendering) {
  constexpr size_t kTooMany = SIZE_MAX / 2;
  size_t size = 0;
  if (count > 0 && __builtin_mul_overflow(text.size(), static_cast<size_t>(count), &size)) size = kTooMany;
  size = std::min(size, kTooMany);
  rendering.text(size);
  std::string out;
  out.reserve(size);
  while (out.size() < size) out += text;
  return Value(std::move(out));
}

Value joined(const std::string& left, const std::string& right, Rendering& rendering) {
  rendering.text(left.size() + right.size());
  return Value(left + right);
}

Value joined(const List& left, const List& right, Rendering& rendering) {
  rendering.values(left.size() + right.size());
  List items = left;
  items.insert(items.end(), right.begin(), right.end());
  return Value(std::move(items));
}

}  // namespace

int64_t modulo(int64_t a, int64_t b) {
  if (b == 0) fail_type("division by zero");
  if (b == -1) return 0;
  return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
}

int64_t absolute(int64_t a) { return a < 0 ? negated(a) : a; }

Value apply_unary(const std::string& op, const Value& value) {
  if (op == "not") return Value(!truth(value));
  if (!value.is_number()) fail_type("\"" + op + "\" does not take " + std::string(value.type_name()));
  if (op == "+") return value.is_float() ? Value(value.number()) : Value(value.integer());
  return value.is_float() ? Value(-value.number()) : Value(negated(value.integer()));
}

Value apply_binary(const std::string& op, const Value& left, const Value& right, Rendering& rendering) {
  if (op == "~") return joined(to_text(left, rendering), to_text(right, rendering), rendering);
  if (left.is_number() && right.is_number()) {
    if (left.is_float() || right.is_float()) return floats(op, left.number(), right.number());
    return integers(op, left.integer(), right.integer());
  }
  if (op == "+" && left.is_string() && right.is_string()) {
    return joined(*left.string(), *right.string(), rendering);
  }
  if (op == "+" && left.list() != nullptr && right.list() != nullptr) {
    return joined(*left.list(), *right.list(), rendering);
  }
  if (op == "*" && left.is_string() && right.is_integer()) return repeated(*left.string(), right.integer(), rendering);
  if (op == "*" && left.is_integer() && right.is_string()) return repeated(*right.string(), left.integer(), rendering);
  if ((op == "%" && left.is_string()) || (op == "*" && (left.list() != nullptr || right.list() != nullptr))) {
    fail_unsupported("\"" + op + "\" of a " + std::string(left.type_name()));
  }
  fail_operands(op, left, right);
}

bool apply_comparison(const std::string& op, const Value& left, const Value& right, Rendering& rendering) {
  if (op == "==") return equal(left, right, rendering);
  if (op == "!=") return !equal(left, right, rendering);
  if (op == "in") return contains(right, left, rendering);
  if (op == "not in") return !contains(right, left, rendering);
  if (left.is_undefined() || right.is_undefined()) fail_operands(op, left, right);
  if (op == "<") return less(left, right, rendering);
  if (op == ">") return less(right, left, rendering);
  return op == "<=" ? !less(right, left, rendering) : !less(left, right, rendering);
}

}  // namespace vsr::chat::jinja
