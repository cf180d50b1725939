// The evaluator. Reference: jinja2 3.1, compiler.py and runtime.py.
#include "chat/jinja.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "chat/jinja_ast.h"
#include "chat/jinja_filters.h"
#include "chat/jinja_operators.h"
#include "chat/jinja_parser.h"
#include "chat/jinja_strings.h"

namespace vsr::chat::jinja {

struct Program {
  std::string path;
  Body body;
};

namespace {

using base::fail;
using base::Status;

constexpr size_t kMaxMacroDepth = 20;
constexpr int64_t kMaxRange = 100'000;  // the sandbox's own

// Names of a body, and of those around it.
struct Scope {
  Dict names = {};
  const Scope* outer = nullptr;

  const Value* lookup(const std::string& name) const {
    const Value* found = find(names, name);
    if (found != nullptr || outer == nullptr) return found;
    return outer->lookup(name);
  }
  void set(const std::string& name, Value value) {
    for (auto& [known, held] : names) {
      if (known == name) {
        held = std::move(value);
        return;
      }
    }
    names.emplace_back(name, std::move(value));
  }
};

enum class Flow { kOn, kBreak, kContinue };

Value range(const Arguments& given, Limits& limits) {
  std::vector<int64_t> numbers;
  for (const Value& value : given.positional) {
    if (!value.is_integer()) fail_type("range() takes ints");
    numbers.push_back(value.integer());
  }
  if (numbers.empty() || numbers.size() > 3 || !given.named.empty()) fail_type("range() takes one to three ints");
  const int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const int64_t stop = numbers.size() > 1 ? numbers[1] : numbers[0];
  const int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) fail_type("range() with a step of 0");
  const double count = std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
  if (count > static_cast<double>(kMaxRange)) fail_type("range() of more than 100000 numbers");
  List items;
  for (int64_t i = 0; i < static_cast<int64_t>(std::max(count, 0.0)); ++i) items.emplace_back(start + i * step);
  return limits.list(std::move(items));
}

Value raise_exception(const Arguments& given, Limits&) {
  const std::string text = given.positional.empty() ? "" : to_text(given.positional.front());
  fail(Status::kInvalidArgument, "the template rejects the messages: ", text);
}

Value make_dict(const Arguments& given, bool name_space) {
  if (!given.positional.empty()) fail_unsupported("dict() or namespace() of a value without a name");
  return name_space ? Value::make_namespace(given.named) : Value(given.named);
}

// What every template can call.
std::optional<Value> global(const std::string& name) {
  if (name == "range") return Value(Function{name, range});
  if (name == "raise_exception") return Value(Function{name, raise_exception});
  if (name == "namespace") return Value(Function{name, [](auto& a, auto&) { return make_dict(a, true); }});
  if (name == "dict") return Value(Function{name, [](auto& a, auto&) { return make_dict(a, false); }});
  if (name == "strftime_now" || name == "lipsum" || name == "cycler" || name == "joiner") {
    fail_unsupported("the function \"" + name + "\"");
  }
  return std::nullopt;
}

class Evaluator {
 public:
  explicit Evaluator(const Dict& variables) { globals_.names = variables; }

  std::string run(const Body& body) {
    std::string out;
    run(body, globals_, out);
    return out;
  }

  size_t line() const { return line_; }

 private:
  // Statements.

  Flow run(const Body& body, Scope& scope, std::string& out) {
    for (const StmtPtr& stmt : body) {
      if (const Flow flow = run(*stmt, scope, out); flow != Flow::kOn) return flow;
    }
    return Flow::kOn;
  }

  Flow run(const Stmt& stmt, Scope& scope, std::string& out) {
    line_ = stmt.line;
    limits_.step();
    switch (stmt.kind) {
      case Stmt::Kind::kText:
        print(stmt.text, out);
        break;
      case Stmt::Kind::kOutput:
        print(to_text(eval(*stmt.exprs[0], scope)), out);
        break;
      case Stmt::Kind::kIf:
        return run_if(stmt, scope, out);
      case Stmt::Kind::kFor:
        run_for(stmt, scope, out);
        break;
      case Stmt::Kind::kSet:
        assign(stmt.targets, eval(*stmt.exprs[0], scope), scope);
        break;
      case Stmt::Kind::kSetField:
        set_field(stmt, scope);
        break;
      case Stmt::Kind::kSetBlock:
        scope.set(stmt.targets[0], limits_.string(printed(stmt.bodies[0], scope)));
        break;
      case Stmt::Kind::kMacro:
        define_macro(stmt, scope);
        break;
      case Stmt::Kind::kGeneration:
        print(printed(stmt.bodies[0], scope), out);
        break;
      case Stmt::Kind::kBreak:
        return Flow::kBreak;
      case Stmt::Kind::kContinue:
        return Flow::kContinue;
    }
    return Flow::kOn;
  }

  void print(std::string_view text, std::string& out) {
    limits_.bytes(text.size());
    out += text;
  }

  std::string printed(const Body& body, const Scope& outer) {
    Scope scope{.outer = &outer};
    std::string out;
    run(body, scope, out);
    return out;
  }

  Flow run_if(const Stmt& stmt, Scope& scope, std::string& out) {
    for (size_t i = 0; i < stmt.exprs.size(); ++i) {
      if (truth(eval(*stmt.exprs[i], scope))) return run(stmt.bodies[i], scope, out);
    }
    return stmt.bodies.size() > stmt.exprs.size() ? run(stmt.bodies.back(), scope, out) : Flow::kOn;
  }

  void assign(const std::vector<std::string>& targets, const Value& value, Scope& scope) {
    if (targets.size() == 1) {
      scope.set(targets[0], value);
      return;
    }
    const List items = iterate(value, limits_);
    if (items.size() != targets.size()) {
      fail_type(std::to_string(items.size()) + " values for " + std::to_string(targets.size()) + " names");
    }
    for (size_t i = 0; i < items.size(); ++i) scope.set(targets[i], items[i]);
  }

  void set_field(const Stmt& stmt, const Scope& scope) {
    const Value* target = scope.lookup(stmt.text);
    Namespace* held = target == nullptr ? nullptr : target->name_space();
    if (held == nullptr) fail_type("\"" + stmt.text + "\" is no namespace");
    const Value value = eval(*stmt.exprs[0], scope);
    for (auto& [name, field] : held->fields) {
      if (name == stmt.targets[0]) {
        field = value;
        return;
      }
    }
    held->fields.emplace_back(stmt.targets[0], value);
  }

  // What the loop goes over, filtered.
  List loop_items(const Stmt& stmt, const Scope& scope) {
    List items = iterate(eval(*stmt.exprs[0], scope), limits_);
    if (stmt.exprs[1] == nullptr) return items;
    List kept;
    for (Value& one : items) {
      Scope inner{.outer = &scope};
      assign(stmt.targets, one, inner);
      if (truth(eval(*stmt.exprs[1], inner))) kept.push_back(std::move(one));
    }
    return kept;
  }

  static Value loop_variable(const List& items, size_t index) {
    const auto at = static_cast<int64_t>(index);
    const auto size = static_cast<int64_t>(items.size());
    const auto cycle = [index](const Arguments& given, Limits&) {
      if (given.positional.empty()) fail_type("loop.cycle() takes one value at least");
      return given.positional[index % given.positional.size()];
    };
    return Value(Dict{{"index0", Value(at)},
                      {"index", Value(at + 1)},
                      {"revindex0", Value(size - at - 1)},
                      {"revindex", Value(size - at)},
                      {"first", Value(at == 0)},
                      {"last", Value(at + 1 == size)},
                      {"length", Value(size)},
                      {"previtem", at > 0 ? items[index - 1] : Value(Undefined{"there is no previous item"})},
                      {"nextitem", at + 1 < size ? items[index + 1] : Value(Undefined{"there is no next item"})},
                      {"cycle", Value(Function{"cycle", cycle})}});
  }

  void run_for(const Stmt& stmt, Scope& scope, std::string& out) {
    const List items = loop_items(stmt, scope);
    for (size_t i = 0; i < items.size(); ++i) {
      limits_.step();
      Scope inner{.outer = &scope};  // of one round: what it sets is gone in the next
      assign(stmt.targets, items[i], inner);
      inner.set("loop", loop_variable(items, i));
      if (run(stmt.bodies[0], inner, out) == Flow::kBreak) break;
    }
    if (items.empty()) {
      Scope inner{.outer = &scope};
      run(stmt.bodies[1], inner, out);
    }
  }

  // Macros stand at the top level and see its names as they are when they are called.
  void define_macro(const Stmt& stmt, Scope& scope) {
    scope.set(
        stmt.text,
        Value(Function{stmt.text, [this, &stmt](const Arguments& given, Limits&) { return call_macro(stmt, given); }}));
  }

  Value call_macro(const Stmt& macro, const Arguments& given) {
    if (++macro_depth_ > kMaxMacroDepth) fail_type("macros call each other too deeply");
    if (given.positional.size() > macro.targets.size()) fail_type(macro.text + "() was given too many arguments");
    Scope scope{.outer = &globals_};
    for (size_t i = 0; i < macro.targets.size(); ++i) {
      const Value* named = find(given.named, macro.targets[i]);
      if (i < given.positional.size()) {
        scope.set(macro.targets[i], given.positional[i]);
      } else if (named != nullptr) {
        scope.set(macro.targets[i], *named);
      } else if (macro.exprs[i] != nullptr) {
        scope.set(macro.targets[i], eval(*macro.exprs[i], scope));
      } else {
        scope.set(macro.targets[i], Undefined{macro.targets[i]});
      }
    }
    for (const auto& [name, value] : given.named) {
      if (std::find(macro.targets.begin(), macro.targets.end(), name) == macro.targets.end()) {
        fail_type(macro.text + "() takes no argument \"" + name + "\"");
      }
    }
    std::string out;
    run(macro.bodies[0], scope, out);
    --macro_depth_;
    return limits_.string(std::move(out));
  }

  // Expressions.

  Value eval(const Expr& expr, const Scope& scope) {
    line_ = expr.line;
    limits_.step();
    switch (expr.kind) {
      case Expr::Kind::kConstant:
        return expr.value;
      case Expr::Kind::kName:
        return name_value(expr, scope);
      case Expr::Kind::kList:
        return limits_.list(eval_all(expr.items, 0, scope));
      case Expr::Kind::kDict:
        return eval_dict(expr, scope);
      case Expr::Kind::kAttribute:
        return attribute(eval(*expr.items[0], scope), expr.name);
      case Expr::Kind::kItem:
        return eval_item(expr, scope);
      case Expr::Kind::kSlice:
        return eval_slice(expr, scope);
      case Expr::Kind::kCall:
        return eval_call(expr, scope);
      case Expr::Kind::kFilter:
        return eval_filter(expr, scope);
      case Expr::Kind::kTest:
        return eval_test(expr, scope);
      case Expr::Kind::kUnary:
        return apply_unary(expr.name, eval(*expr.items[0], scope));
      case Expr::Kind::kBinary:
        return eval_binary(expr, scope);
      case Expr::Kind::kCompare:
        return eval_compare(expr, scope);
      case Expr::Kind::kCondition:
        return eval_condition(expr, scope);
    }
    fail(Status::kInternal, "an expression of no kind");
  }

  Value name_value(const Expr& expr, const Scope& scope) const {
    if (const Value* found = scope.lookup(expr.name)) return *found;
    const auto known = global(expr.name);
    return known ? *known : Value(Undefined{expr.name});
  }

  List eval_all(const std::vector<ExprPtr>& exprs, size_t first, const Scope& scope) {
    List values;
    for (size_t i = first; i < exprs.size(); ++i) values.push_back(eval(*exprs[i], scope));
    return values;
  }

  Value eval_dict(const Expr& expr, const Scope& scope) {
    Scope entries;
    for (size_t i = 0; i < expr.items.size(); i += 2) {
      const Value key = eval(*expr.items[i], scope);
      if (!key.is_string()) fail_unsupported("a dict with a key that is " + std::string(key.type_name()));
      entries.set(*key.string(), eval(*expr.items[i + 1], scope));
    }
    return Value(std::move(entries.names));
  }

  Value eval_item(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return item(value, eval(*expr.items[1], scope), limits_);
  }

  Value eval_slice(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    const auto part = [&](size_t i) -> std::optional<int64_t> {
      if (expr.items[i] == nullptr) return std::nullopt;
      const Value given = eval(*expr.items[i], scope);
      if (given.is_none()) return std::nullopt;
      if (!given.is_integer()) fail_type("a slice by " + std::string(given.type_name()));
      return given.integer();
    };
    SliceBounds bounds{.start = part(1), .stop = part(2)};
    bounds.step = part(3).value_or(1);
    return slice(value, bounds, limits_);
  }

  Arguments eval_arguments(const Expr& expr, const Scope& scope) {
    Arguments arguments{eval_all(expr.items, 1, scope), {}};
    for (const auto& [name, value] : expr.named) arguments.named.emplace_back(name, eval(*value, scope));
    return arguments;
  }

  Value eval_call(const Expr& expr, const Scope& scope) {
    const Value callee = eval(*expr.items[0], scope);
    const Arguments arguments = eval_arguments(expr, scope);
    if (callee.is_undefined()) fail_type("\"" + callee.undefined().name + "\" is undefined and cannot be called");
    if (callee.function() == nullptr) fail_type(std::string(callee.type_name()) + " cannot be called");
    return callee.function()->call(arguments, limits_);
  }

  Value eval_filter(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return apply_filter(expr.name, value, eval_arguments(expr, scope), limits_);
  }

  Value eval_test(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return Value(apply_test(expr.name, value, eval_arguments(expr, scope)));
  }

  // "and" and "or" give one of their sides, as in Python.
  Value eval_binary(const Expr& expr, const Scope& scope) {
    const Value left = eval(*expr.items[0], scope);
    if (expr.name == "and") return truth(left) ? eval(*expr.items[1], scope) : left;
    if (expr.name == "or") return truth(left) ? left : eval(*expr.items[1], scope);
    return apply_binary(expr.name, left, eval(*expr.items[1], scope), limits_);
  }

  Value eval_compare(const Expr& expr, const Scope& scope) {
    Value left = eval(*expr.items[0], scope);
    for (size_t i = 0; i < expr.operators.size(); ++i) {
      Value right = eval(*expr.items[i + 1], scope);
      if (!apply_comparison(expr.operators[i], left, right)) return Value(false);
      left = std::move(right);
    }
    return Value(true);
  }

  Value eval_condition(const Expr& expr, const Scope& scope) {
    if (truth(eval(*expr.items[0], scope))) return eval(*expr.items[1], scope);
    if (expr.items[2] == nullptr) return Undefined{"the value of an \"if\" without an \"else\""};
    return eval(*expr.items[2], scope);
  }

  Scope globals_;
  Limits limits_;
  size_t line_ = 1;
  size_t macro_depth_ = 0;
};

}  // namespace

Template::Template(std::string_view source, const std::string& path)
    : program_(new Program{path, parse(tokenize(source, path), path)}) {}

Template::~Template() = default;

std::string Template::render(const Dict& variables) const {
  Evaluator evaluator(variables);
  try {
    return evaluator.run(program_->body);
  } catch (const base::Error& error) {
    fail(error.status(), program_->path, ": line ", evaluator.line(), ": ", error.what());
  }
}

}  // namespace vsr::chat::jinja
