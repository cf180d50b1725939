#include "chat/jinja_operators.h"

#include <cmath>

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

Value integers(const std::string& op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+") return Value(checked(__builtin_add_overflow(a, b, &result), result));
  if (op == "-") return Value(checked(__builtin_sub_overflow(a, b, &result), result));
  if (op == "*") return Value(checked(__builtin_mul_overflow(a, b, &result), result));
  if (op == "**") {
    if (b < 0) return Value(std::pow(static_cast<double>(a), static_cast<double>(b)));
    if (b > 64 && (a > 1 || a < -1)) fail_unsupported("an int beyond 64 bits");
    result = 1;
    for (int64_t i = 0; i < (b > 64 ? 64 + b % 2 : b); ++i) {
      result = checked(__builtin_mul_overflow(result, a, &result), result);
    }
    return Value(result);
  }
  if (b == 0) fail_type("division by zero");
  if (op == "/") return Value(static_cast<double>(a) / static_cast<double>(b));
  if (b == -1)
    return op == "%" ? Value(int64_t{0}) : Value(checked(__builtin_sub_overflow(int64_t{0}, a, &result), result));
  // Rounded down, the remainder with the divisor's sign.
  const bool lower = a % b != 0 && (a % b < 0) != (b < 0);
  return Value(op == "//" ? a / b - (lower ? 1 : 0) : a % b + (lower ? b : 0));
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

Value repeated(const std::string& text, int64_t count, Limits& limits) {
  std::string out;
  for (int64_t i = 0; i < count && !text.empty(); ++i) {
    limits.bytes(text.size());
    out += text;
  }
  return Value(std::move(out));
}

Value joined(const List& left, const List& right, Limits& limits) {
  List items = left;
  items.insert(items.end(), right.begin(), right.end());
  return limits.list(std::move(items));
}

}  // namespace

Value apply_unary(const std::string& op, const Value& value) {
  if (op == "not") return Value(!truth(value));
  if (!value.is_number()) fail_type("\"" + op + "\" does not take " + std::string(value.type_name()));
  if (op == "+") return value.is_float() ? Value(value.number()) : Value(value.integer());
  return value.is_float() ? Value(-value.number()) : integers("-", 0, value.integer());
}

Value apply_binary(const std::string& op, const Value& left, const Value& right, Limits& limits) {
  if (op == "~") {
    std::string text = to_text(left);
    return limits.string(text.append(to_text(right)));
  }
  if (left.is_number() && right.is_number()) {
    if (left.is_float() || right.is_float()) return floats(op, left.number(), right.number());
    return integers(op, left.integer(), right.integer());
  }
  if (op == "+" && left.is_string() && right.is_string()) return limits.string(*left.string() + *right.string());
  if (op == "+" && left.list() != nullptr && right.list() != nullptr)
    return joined(*left.list(), *right.list(), limits);
  if (op == "*" && left.is_string() && right.is_integer()) return repeated(*left.string(), right.integer(), limits);
  if (op == "*" && left.is_integer() && right.is_string()) return repeated(*right.string(), left.integer(), limits);
  if ((op == "%" && left.is_string()) || (op == "*" && (left.list() != nullptr || right.list() != nullptr))) {
    fail_unsupported("\"" + op + "\" of a " + std::string(left.type_name()));
  }
  fail_operands(op, left, right);
}

bool apply_comparison(const std::string& op, const Value& left, const Value& right) {
  if (op == "==") return equal(left, right);
  if (op == "!=") return !equal(left, right);
  if (op == "in") return contains(right, left);
  if (op == "not in") return !contains(right, left);
  if (left.is_undefined() || right.is_undefined()) fail_operands(op, left, right);
  if (op == "<") return less(left, right);
  if (op == ">") return less(right, left);
  return op == "<=" ? !less(right, left) : !less(left, right);
}

}  // namespace vsr::chat::jinja
