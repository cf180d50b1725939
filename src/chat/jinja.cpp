// The evaluator. Reference: jinja2 3.1, compiler.py and runtime.py.
#include "chat/jinja.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "chat/jinja_ast.h"
#include "chat/jinja_filters.h"
#include "chat/jinja_globals.h"
#include "chat/jinja_operators.h"
#include "chat/jinja_parser.h"
#include "chat/jinja_protocols.h"
#include "chat/jinja_rendering.h"
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
constexpr size_t kMaxDepth = 400;  // of statements and expressions inside of each other, through macros too

// Names of a body, and of those around it.
struct Scope {
  Dict names = {};
  const Scope* outer = nullptr;

  const Value* lookup(const std::string& name, Rendering& rendering) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
      if (const Value* found = rendering.find(scope->names, name)) return found;
    }
    return nullptr;
  }
};

enum class Flow { kOn, kBreak, kContinue };

class Evaluator {
 public:
  Evaluator(const Dict& variables, const base::CallLimits& limits) : rendering_(limits) { globals_.names = variables; }

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

  // Held while something is evaluated inside of something else.
  class Nesting {
   public:
    explicit Nesting(size_t& depth) : depth_(depth) {
      if (++depth_ > kMaxDepth) fail(Status::kLimit, "nested too deeply");
    }
    ~Nesting() { --depth_; }

   private:
    size_t& depth_;
  };

  Flow run(const Stmt& stmt, Scope& scope, std::string& out) {
    const Nesting nesting(depth_);
    line_ = stmt.line;
    rendering_.step();
    switch (stmt.kind) {
      case Stmt::Kind::kText:
        print(stmt.text, out);
        break;
      case Stmt::Kind::kOutput:
        print_value(eval(*stmt.exprs[0], scope), out);
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
        rendering_.set(scope.names, stmt.targets[0], rendering_.string(printed(stmt.bodies[0], scope)));
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
    rendering_.bytes(text.size());
    out += text;
  }

  void print_value(const Value& value, std::string& out) {
    if (const auto* text = value.string()) return print(*text, out);
    print(to_text(value, rendering_), out);
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
      rendering_.set(scope.names, targets[0], value);
      return;
    }
    const List items = iterate(value, rendering_);
    if (items.size() != targets.size()) {
      fail_type(std::to_string(items.size()) + " values for " + std::to_string(targets.size()) + " names");
    }
    for (size_t i = 0; i < items.size(); ++i) rendering_.set(scope.names, targets[i], items[i]);
  }

  void set_field(const Stmt& stmt, const Scope& scope) {
    const Value* target = scope.lookup(stmt.text, rendering_);
    Namespace* held = target == nullptr ? nullptr : target->name_space();
    if (held == nullptr) fail_type("\"" + stmt.text + "\" is no namespace");
    rendering_.set(held->fields, stmt.targets[0], eval(*stmt.exprs[0], scope));
  }

  // What the loop goes over, filtered.
  List loop_items(const Stmt& stmt, const Scope& scope) {
    List items = iterate(eval(*stmt.exprs[0], scope), rendering_);
    if (stmt.exprs[1] == nullptr) return items;
    List kept;
    for (Value& one : items) {
      Scope inner{.outer = &scope};
      assign(stmt.targets, one, inner);
      if (truth(eval(*stmt.exprs[1], inner))) kept.push_back(std::move(one));
    }
    return kept;
  }

  Value loop_variable(const List& items, size_t index) {
    rendering_.bytes(kLoopBytes);
    const auto at = static_cast<int64_t>(index);
    const auto size = static_cast<int64_t>(items.size());
    const auto cycle = [index](const Arguments& given, Rendering&) {
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
      rendering_.step();
      Scope inner{.outer = &scope};  // of one round: what it sets is gone in the next
      assign(stmt.targets, items[i], inner);
      rendering_.set(inner.names, "loop", loop_variable(items, i));
      if (run(stmt.bodies[0], inner, out) == Flow::kBreak) break;
    }
    if (items.empty()) {
      Scope inner{.outer = &scope};
      run(stmt.bodies[1], inner, out);
    }
  }

  // Macros are at the top level and see its names as they are when they are called.
  void define_macro(const Stmt& stmt, Scope& scope) {
    const auto call = [this, &stmt](const Arguments& given, Rendering&) { return call_macro(stmt, given); };
    rendering_.set(scope.names, stmt.text, Value(Function{stmt.text, call}));
  }

  Value call_macro(const Stmt& macro, const Arguments& given) {
    if (++macro_depth_ > kMaxMacroDepth) base::fail(Status::kLimit, "macros call each other too deeply");
    if (given.positional.size() > macro.targets.size()) fail_type(macro.text + "() was given too many arguments");
    Scope scope{.outer = &globals_};
    for (size_t i = 0; i < macro.targets.size(); ++i) {
      const std::string& target = macro.targets[i];
      const Value* named = rendering_.find(given.named, target);
      if (i < given.positional.size()) {
        rendering_.set(scope.names, target, given.positional[i]);
      } else if (named != nullptr) {
        rendering_.set(scope.names, target, *named);
      } else if (macro.exprs[i] != nullptr) {
        rendering_.set(scope.names, target, eval(*macro.exprs[i], scope));
      } else {
        rendering_.set(scope.names, target, Undefined{target});
      }
    }
    check_named(macro, given);
    std::string out;
    run(macro.bodies[0], scope, out);
    --macro_depth_;
    return rendering_.string(std::move(out));
  }

  void check_named(const Stmt& macro, const Arguments& given) {
    for (const auto& [name, value] : given.named) {
      rendering_.bytes(macro.targets.size() + name.size());
      if (std::find(macro.targets.begin(), macro.targets.end(), name) == macro.targets.end()) {
        fail_type(macro.text + "() takes no argument \"" + name + "\"");
      }
    }
  }

  // Expressions.

  Value eval(const Expr& expr, const Scope& scope) {
    const Nesting nesting(depth_);
    line_ = expr.line;
    rendering_.step();
    switch (expr.kind) {
      case Expr::Kind::kConstant:
        return expr.value;
      case Expr::Kind::kName:
        return name_value(expr, scope);
      case Expr::Kind::kList:
        return Value(eval_all(expr.items, 0, scope));
      case Expr::Kind::kDict:
        return eval_dict(expr, scope);
      case Expr::Kind::kAttribute:
        return attribute(eval(*expr.items[0], scope), expr.name, rendering_);
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

  Value name_value(const Expr& expr, const Scope& scope) {
    if (const Value* found = scope.lookup(expr.name, rendering_)) return *found;
    return global(expr.name).value_or(Undefined{expr.name});
  }

  List eval_all(const std::vector<ExprPtr>& exprs, size_t first, const Scope& scope) {
    rendering_.values(exprs.size());
    List values;
    for (size_t i = first; i < exprs.size(); ++i) values.push_back(eval(*exprs[i], scope));
    return values;
  }

  Value eval_dict(const Expr& expr, const Scope& scope) {
    Dict entries;
    for (size_t i = 0; i < expr.items.size(); i += 2) {
      const Value key = eval(*expr.items[i], scope);
      if (!key.is_string()) fail_unsupported("a dict with a key that is " + std::string(key.type_name()));
      rendering_.set(entries, *key.string(), eval(*expr.items[i + 1], scope));
    }
    return Value(std::move(entries));
  }

  Value eval_item(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return item(value, eval(*expr.items[1], scope), rendering_);
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
    return slice(value, bounds, rendering_);
  }

  Arguments eval_arguments(const Expr& expr, const Scope& scope) {
    Arguments arguments{eval_all(expr.items, 1, scope), {}};
    for (const auto& [name, value] : expr.named) {
      rendering_.text(name.size() + sizeof(Value));
      arguments.named.emplace_back(name, eval(*value, scope));
    }
    return arguments;
  }

  Value eval_call(const Expr& expr, const Scope& scope) {
    const Value callee = eval(*expr.items[0], scope);
    const Arguments arguments = eval_arguments(expr, scope);
    if (callee.is_undefined()) fail_type("\"" + callee.undefined().name + "\" is undefined and cannot be called");
    if (callee.function() == nullptr) fail_type(std::string(callee.type_name()) + " cannot be called");
    return callee.function()->call(arguments, rendering_);
  }

  Value eval_filter(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return apply_filter(expr.name, value, eval_arguments(expr, scope), rendering_);
  }

  Value eval_test(const Expr& expr, const Scope& scope) {
    const Value value = eval(*expr.items[0], scope);
    return Value(apply_test(expr.name, value, eval_arguments(expr, scope), rendering_));
  }

  // "and" and "or" give one of their sides, as in Python.
  Value eval_binary(const Expr& expr, const Scope& scope) {
    const Value left = eval(*expr.items[0], scope);
    if (expr.name == "and") return truth(left) ? eval(*expr.items[1], scope) : left;
    if (expr.name == "or") return truth(left) ? left : eval(*expr.items[1], scope);
    return apply_binary(expr.name, left, eval(*expr.items[1], scope), rendering_);
  }

  Value eval_compare(const Expr& expr, const Scope& scope) {
    Value left = eval(*expr.items[0], scope);
    for (size_t i = 0; i < expr.operators.size(); ++i) {
      Value right = eval(*expr.items[i + 1], scope);
      if (!apply_comparison(expr.operators[i], left, right, rendering_)) return Value(false);
      left = std::move(right);
    }
    return Value(true);
  }

  Value eval_condition(const Expr& expr, const Scope& scope) {
    if (truth(eval(*expr.items[0], scope))) return eval(*expr.items[1], scope);
    if (expr.items[2] == nullptr) return Undefined{"the value of an \"if\" without an \"else\""};
    return eval(*expr.items[2], scope);
  }

  static constexpr size_t kLoopBytes = 1024;  // of the variable "loop"

  Rendering rendering_;  // owns what the values refer to
  Scope globals_;
  size_t line_ = 1;
  size_t depth_ = 0;
  size_t macro_depth_ = 0;
};

}  // namespace

Template::Template(std::string_view source, const std::string& path)
    : program_(new Program{path, parse(tokenize(source, path), path)}) {}

Template::~Template() = default;

std::string Template::render(const Dict& variables, const base::CallLimits& limits) const {
  Evaluator evaluator(variables, limits);
  try {
    return evaluator.run(program_->body);
  } catch (const base::Error& error) {
    if (error.status() == Status::kCancelled || error.status() == Status::kDeadline) throw;
    fail(error.status(), program_->path, ": line ", evaluator.line(), ": ", error.what());
  }
}

}  // namespace vsr::chat::jinja
