// A parsed template. Nodes know their line, for messages.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

struct Expr;
using ExprPtr = std::unique_ptr<const Expr>;

struct Expr {
  enum class Kind {
    kConstant,   // value
    kName,       // name
    kList,       // items
    kDict,       // items: key, value, key, value, ...
    kAttribute,  // items[0].name
    kItem,       // items[0][items[1]]
    kSlice,      // items[0][items[1] : items[2] : items[3]], parts may be null
    kCall,       // items[0](items[1...], named)
    kFilter,     // items[0] | name(items[1...], named)
    kTest,       // items[0] is name(items[1...], named)
    kUnary,      // name: "not", "-", "+"
    kBinary,     // name: "+", "~", "and", ...
    kCompare,    // items[0] and then items[i] under operators[i - 1], chained as in Python
    kCondition,  // items[1] if items[0] else items[2], which may be null
  };
  Kind kind;
  size_t line;
  Value value = {};
  std::string name = {};
  std::vector<ExprPtr> items = {};
  std::vector<std::pair<std::string, ExprPtr>> named = {};
  std::vector<std::string> operators = {};
};

struct Stmt;
using StmtPtr = std::unique_ptr<const Stmt>;
using Body = std::vector<StmtPtr>;

struct Stmt {
  enum class Kind {
    kText,        // text
    kOutput,      // expr
    kIf,          // bodies[i] if exprs[i]; one body more than exprs: else
    kFor,         // targets in exprs[0], if exprs[1] which may be null: bodies[0], else bodies[1]
    kSet,         // targets = exprs[0]
    kSetField,    // text.targets[0] = exprs[0]
    kSetBlock,    // targets[0] = what bodies[0] prints
    kMacro,       // text(targets with defaults exprs, which may be null): bodies[0]
    kGeneration,  // bodies[0]
    kBreak,
    kContinue
  };
  Kind kind;
  size_t line;
  std::string text = {};
  std::vector<std::string> targets = {};
  std::vector<ExprPtr> exprs = {};
  std::vector<Body> bodies = {};
};

}  // namespace vsr::chat::jinja
