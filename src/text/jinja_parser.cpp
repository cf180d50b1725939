// Recursive descent over the grammar of jinja2 3.1, parser.py. Expressions first, in the order of precedence, then
// statements.
#include "text/jinja_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace vsr::text::jinja {
namespace {

using base::fail;
using base::Status;
using Kind = Token::Kind;

constexpr size_t kMaxDepth = 200;  // of nesting, so that the stack bears it

class Parser {
 public:
  Parser(std::vector<Token> tokens, const std::string& path) : tokens_(std::move(tokens)), path_(path) {}

  Body run() {
    Body body = parse_body({});
    if (peek().kind != Kind::kEnd) fail_here("\"" + tokens_[next_ + 1].text + "\" ends nothing");
    return body;
  }

 private:
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.fail_here("nested too deeply");
    }
    ~Nesting() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  [[noreturn]] void fail_here(const std::string& what) const {
    fail(Status::kParse, path_, ": line ", peek().line, ": ", what);
  }
  [[noreturn]] void unsupported(const std::string& what) const {
    fail(Status::kUnsupported, path_, ": line ", peek().line, ": ", what, ", which vsr does not run");
  }

  const Token& peek() const { return tokens_[next_]; }
  bool at(Kind kind) const { return peek().kind == kind; }
  bool at_operator(std::string_view text) const { return at(Kind::kOperator) && peek().text == text; }
  bool at_name(std::string_view text) const { return at(Kind::kName) && peek().text == text; }
  Token take() { return tokens_[next_++]; }
  bool skip_operator(std::string_view text) { return at_operator(text) && (++next_, true); }
  bool skip_name(std::string_view text) { return at_name(text) && (++next_, true); }
  void expect_operator(const std::string& text) {
    if (!skip_operator(text)) fail_here("expected \"" + text + "\"");
  }
  std::string expect_name() {
    if (!at(Kind::kName)) fail_here("expected a name");
    return take().text;
  }

  std::unique_ptr<Expr> node(Expr::Kind kind) const {
    return std::make_unique<Expr>(Expr{.kind = kind, .line = peek().line});
  }
  ExprPtr joined(Expr::Kind kind, std::string name, ExprPtr left, ExprPtr right) const {
    auto expr = node(kind);
    expr->name = std::move(name);
    expr->items.push_back(std::move(left));
    if (right) expr->items.push_back(std::move(right));
    return expr;
  }

  ExprPtr parse_expression() {
    const Nesting nesting(*this);
    ExprPtr value = parse_or();
    while (skip_name("if")) {
      auto expr = node(Expr::Kind::kCondition);
      ExprPtr test = parse_or();
      expr->items.push_back(std::move(test));
      expr->items.push_back(std::move(value));
      expr->items.push_back(skip_name("else") ? parse_expression() : nullptr);
      value = std::move(expr);
    }
    return value;
  }

  ExprPtr parse_or() {
    ExprPtr left = parse_and();
    while (skip_name("or")) left = joined(Expr::Kind::kBinary, "or", std::move(left), parse_and());
    return left;
  }

  ExprPtr parse_and() {
    ExprPtr left = parse_not();
    while (skip_name("and")) left = joined(Expr::Kind::kBinary, "and", std::move(left), parse_not());
    return left;
  }

  ExprPtr parse_not() {
    const Nesting nesting(*this);
    if (skip_name("not")) return joined(Expr::Kind::kUnary, "not", parse_not(), nullptr);
    return parse_compare();
  }

  std::string take_comparison() {
    constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<", "<=", ">", ">="};
    for (const std::string_view known : kComparisons) {
      if (skip_operator(known)) return std::string(known);
    }
    if (skip_name("in")) return "in";
    if (at_name("not") && tokens_[next_ + 1].kind == Kind::kName && tokens_[next_ + 1].text == "in") {
      next_ += 2;
      return "not in";
    }
    return "";
  }

  ExprPtr parse_compare() {
    ExprPtr left = parse_binary(0);
    auto expr = node(Expr::Kind::kCompare);
    for (std::string op = take_comparison(); !op.empty(); op = take_comparison()) {
      expr->operators.push_back(op);
      expr->items.push_back(parse_binary(0));
    }
    if (expr->operators.empty()) return left;
    expr->items.insert(expr->items.begin(), std::move(left));
    return expr;
  }

  // The levels of + -, of ~, of * / // %, and of **, which Jinja too reads from the left.
  ExprPtr parse_binary(size_t level) {
    static const std::array<std::vector<std::string>, 4> kLevels{{{"+", "-"}, {"~"}, {"*", "/", "//", "%"}, {"**"}}};
    if (level == kLevels.size()) return parse_unary(true);
    ExprPtr left = parse_binary(level + 1);
    for (;;) {
      const auto& ops = kLevels[level];
      const auto found = std::find_if(ops.begin(), ops.end(), [&](const auto& op) { return at_operator(op); });
      if (found == ops.end()) return left;
      ++next_;
      left = joined(Expr::Kind::kBinary, *found, std::move(left), parse_binary(level + 1));
    }
  }

  ExprPtr parse_unary(bool with_filter) {
    const Nesting nesting(*this);
    ExprPtr value;
    if (skip_operator("-")) {
      value = joined(Expr::Kind::kUnary, "-", parse_unary(false), nullptr);
    } else if (skip_operator("+")) {
      value = joined(Expr::Kind::kUnary, "+", parse_unary(false), nullptr);
    } else {
      value = parse_primary();
    }
    value = parse_postfix(std::move(value));
    return with_filter ? parse_filters(std::move(value)) : std::move(value);
  }

  ExprPtr constant(Value value) const {
    auto expr = node(Expr::Kind::kConstant);
    expr->value = std::move(value);
    return expr;
  }

  ExprPtr parse_primary() {
    const Token& token = peek();
    switch (token.kind) {
      case Kind::kName:
        return parse_name();
      case Kind::kString:
        return parse_strings();
      case Kind::kInteger:
        return parse_integer();
      case Kind::kFloat:
        return parse_float();
      case Kind::kOperator:
        if (token.text == "(") return parse_parentheses();
        if (token.text == "[") return parse_list();
        if (token.text == "{") return parse_dict();
        fail_here("expected a value, found \"" + token.text + "\"");
      default:
        fail_here("expected a value, found the end of the tag");
    }
  }

  ExprPtr parse_name() {
    const std::string name = peek().text;
    std::optional<Value> value;
    if (name == "true" || name == "True") value = Value(true);
    if (name == "false" || name == "False") value = Value(false);
    if (name == "none" || name == "None") value = Value(None{});
    if (value) {
      ExprPtr expr = constant(*value);
      ++next_;
      return expr;
    }
    auto expr = node(Expr::Kind::kName);
    expr->name = take().text;
    return expr;
  }

  ExprPtr parse_strings() {
    std::string text;
    while (at(Kind::kString)) text += take().text;  // neighbours are one string
    return constant(Value(std::move(text)));
  }

  ExprPtr parse_integer() {
    int64_t number = 0;
    const std::string& text = peek().text;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) {
      unsupported("the number " + text);
    }
    ExprPtr expr = constant(Value(number));
    ++next_;
    return expr;
  }

  ExprPtr parse_float() {
    double number = 0;
    const std::string& text = peek().text;
    std::from_chars(text.data(), text.data() + text.size(), number);
    ExprPtr expr = constant(Value(number));
    ++next_;
    return expr;
  }

  // A tuple is a list here: what differs in Python is how it prints.
  ExprPtr parse_parentheses() {
    auto tuple = node(Expr::Kind::kList);
    expect_operator("(");
    bool comma = false;
    while (!at_operator(")")) {
      tuple->items.push_back(parse_expression());
      if (!skip_operator(",")) break;
      comma = true;
    }
    expect_operator(")");
    if (tuple->items.size() == 1 && !comma) return std::move(tuple->items.front());
    return tuple;
  }

  ExprPtr parse_list() {
    auto list = node(Expr::Kind::kList);
    expect_operator("[");
    while (!at_operator("]")) {
      list->items.push_back(parse_expression());
      if (!skip_operator(",")) break;
    }
    expect_operator("]");
    return list;
  }

  ExprPtr parse_dict() {
    auto dict = node(Expr::Kind::kDict);
    expect_operator("{");
    while (!at_operator("}")) {
      dict->items.push_back(parse_expression());
      expect_operator(":");
      dict->items.push_back(parse_expression());
      if (!skip_operator(",")) break;
    }
    expect_operator("}");
    return dict;
  }

  ExprPtr parse_postfix(ExprPtr value) {
    for (;;) {
      if (skip_operator(".")) {
        if (!at(Kind::kName)) unsupported("\".\" before something other than a name");
        value = joined(Expr::Kind::kAttribute, peek().text, std::move(value), nullptr);
        ++next_;
      } else if (at_operator("[")) {
        value = parse_subscript(std::move(value));
      } else if (at_operator("(")) {
        value = parse_call(std::move(value));
      } else {
        return value;
      }
    }
  }

  ExprPtr parse_subscript(ExprPtr value) {
    auto expr = node(Expr::Kind::kItem);
    expr->items.push_back(std::move(value));
    expect_operator("[");
    if (!at_operator(":")) expr->items.push_back(parse_expression());
    if (at_operator(":")) {
      expr->kind = Expr::Kind::kSlice;
      if (expr->items.size() == 1) expr->items.push_back(nullptr);
      while (skip_operator(":")) {
        expr->items.push_back(at_operator(":") || at_operator("]") ? nullptr : parse_expression());
      }
      if (expr->items.size() > 4) fail_here("a slice has too many parts");
      expr->items.resize(4);
    }
    expect_operator("]");
    return expr;
  }

  void parse_arguments(Expr& expr) {
    expect_operator("(");
    while (!at_operator(")")) {
      if (at_operator("*") || at_operator("**")) unsupported("\"*\" before an argument");
      const Token& following = tokens_[next_ + 1];
      if (at(Kind::kName) && following.kind == Kind::kOperator && following.text == "=") {
        const std::string name = take().text;
        expect_operator("=");
        expr.named.emplace_back(name, parse_expression());
      } else {
        if (!expr.named.empty()) fail_here("an argument without a name follows one with a name");
        expr.items.push_back(parse_expression());
      }
      if (!skip_operator(",")) break;
    }
    expect_operator(")");
  }

  ExprPtr parse_call(ExprPtr callee) {
    auto expr = node(Expr::Kind::kCall);
    expr->items.push_back(std::move(callee));
    parse_arguments(*expr);
    return expr;
  }

  ExprPtr parse_filters(ExprPtr value) {
    for (;;) {
      if (skip_operator("|")) {
        value = parse_filter(std::move(value));
      } else if (skip_name("is")) {
        value = parse_test(std::move(value));
      } else if (at_operator("(")) {
        value = parse_call(std::move(value));
      } else {
        return value;
      }
    }
  }

  ExprPtr parse_filter(ExprPtr value) {
    auto expr = node(Expr::Kind::kFilter);
    expr->name = expect_name();
    expr->items.push_back(std::move(value));
    if (at_operator("(")) parse_arguments(*expr);
    return expr;
  }

  ExprPtr parse_test(ExprPtr value) {
    const bool negated = skip_name("not");
    auto expr = node(Expr::Kind::kTest);
    expr->name = expect_name();
    expr->items.push_back(std::move(value));
    if (at_operator("(")) {
      parse_arguments(*expr);
    } else if (at_test_argument()) {
      expr->items.push_back(parse_postfix(parse_primary()));
    }
    if (!negated) return expr;
    return joined(Expr::Kind::kUnary, "not", std::move(expr), nullptr);
  }

  // "is divisibleby 3": an argument without parentheses.
  bool at_test_argument() const {
    if (at(Kind::kName)) {
      constexpr std::array<std::string_view, 6> kOthers{"else", "or", "and", "is", "if", "in"};
      return std::find(kOthers.begin(), kOthers.end(), peek().text) == kOthers.end() && !at_name("not") &&
             !at_name("recursive");
    }
    return at(Kind::kString) || at(Kind::kInteger) || at(Kind::kFloat) || at_operator("[") || at_operator("{");
  }

  std::unique_ptr<Stmt> statement(Stmt::Kind kind) const {
    return std::make_unique<Stmt>(Stmt{.kind = kind, .line = peek().line});
  }

  void end_tag() {
    if (!at(Kind::kBlockEnd)) {
      fail_here(peek().text.empty() ? "the tag ends early" : "\"" + peek().text + "\" does not belong here");
    }
    ++next_;
  }

  // Until a tag that begins with one of `ends`, which is left to read.
  Body parse_body(const std::vector<std::string>& ends) {
    const Nesting nesting(*this);
    Body body;
    for (;;) {
      if (at(Kind::kEnd)) {
        if (!ends.empty()) fail_here("\"" + ends.back() + "\" is missing");
        return body;
      }
      if (at(Kind::kText)) {
        auto text = statement(Stmt::Kind::kText);
        text->text = take().text;
        body.push_back(std::move(text));
      } else if (at(Kind::kOutputBegin)) {
        body.push_back(parse_output());
      } else {
        const Token& name = tokens_[next_ + 1];
        if (std::find(ends.begin(), ends.end(), name.text) != ends.end()) return body;
        if (ends.empty() && name.text.starts_with("end")) return body;
        ++next_;
        body.push_back(parse_statement());
      }
    }
  }

  // The tag that parse_body() stopped at.
  std::string take_end() {
    ++next_;
    return expect_name();
  }

  StmtPtr parse_output() {
    auto output = statement(Stmt::Kind::kOutput);
    ++next_;
    output->exprs.push_back(parse_expression());
    if (at_operator(",")) unsupported("a tuple that is printed");
    if (!at(Kind::kOutputEnd)) fail_here("expected \"}}\"");
    ++next_;
    return output;
  }

  StmtPtr parse_statement() {
    if (!at(Kind::kName)) fail_here("expected the name of a tag");
    const std::string& name = peek().text;
    if (name == "if") return parse_if();
    if (name == "for") return parse_for();
    if (name == "set") return parse_set();
    if (name == "macro") return parse_macro();
    if (name == "generation") return parse_generation();
    if (name == "break" || name == "continue") return parse_jump();
    unsupported("the tag \"" + name + "\"");
  }

  StmtPtr parse_if() {
    auto stmt = statement(Stmt::Kind::kIf);
    std::string tag = take().text;
    while (tag == "if" || tag == "elif") {
      stmt->exprs.push_back(parse_or());
      end_tag();
      stmt->bodies.push_back(parse_body({"elif", "else", "endif"}));
      tag = take_end();
    }
    if (tag == "else") {
      end_tag();
      stmt->bodies.push_back(parse_body({"endif"}));
      take_end();
    }
    end_tag();
    return stmt;
  }

  std::vector<std::string> parse_targets() {
    std::vector<std::string> targets;
    const bool parentheses = skip_operator("(");
    do {
      targets.push_back(expect_name());
    } while (skip_operator(","));
    if (parentheses) expect_operator(")");
    return targets;
  }

  StmtPtr parse_for() {
    auto stmt = statement(Stmt::Kind::kFor);
    ++next_;
    stmt->targets = parse_targets();
    if (!skip_name("in")) fail_here("expected \"in\"");
    stmt->exprs.push_back(parse_or());
    if (at_operator(",")) unsupported("a loop over a tuple without parentheses");
    stmt->exprs.push_back(skip_name("if") ? parse_expression() : nullptr);
    if (at_name("recursive")) unsupported("a recursive loop");
    end_tag();
    ++loops_;
    stmt->bodies.push_back(parse_body({"else", "endfor"}));
    --loops_;
    stmt->bodies.emplace_back();
    if (take_end() == "else") {
      end_tag();
      stmt->bodies[1] = parse_body({"endfor"});
      take_end();
    }
    end_tag();
    return stmt;
  }

  StmtPtr parse_set() {
    auto stmt = statement(Stmt::Kind::kSet);
    ++next_;
    const Token& following = tokens_[next_ + 1];
    if (following.kind == Kind::kOperator && following.text == ".") {
      stmt->kind = Stmt::Kind::kSetField;
      stmt->text = expect_name();
      ++next_;
      stmt->targets = {expect_name()};
    } else {
      stmt->targets = parse_targets();
    }
    if (skip_operator("=")) {
      stmt->exprs.push_back(parse_expression());
      if (at_operator(",")) unsupported("a tuple without parentheses");
      end_tag();
      return stmt;
    }
    if (stmt->kind == Stmt::Kind::kSetField || stmt->targets.size() != 1 || at_operator("|")) {
      unsupported("a block assignment to more than a name");
    }
    stmt->kind = Stmt::Kind::kSetBlock;
    parse_block(*stmt, "endset");
    return stmt;
  }

  // The rest of a tag, a body and the tag that ends it. A loop around it does not reach inside.
  void parse_block(Stmt& stmt, const std::string& end) {
    end_tag();
    const size_t loops = std::exchange(loops_, 0);
    stmt.bodies.push_back(parse_body({end}));
    loops_ = loops;
    take_end();
    end_tag();
  }

  StmtPtr parse_macro() {
    auto stmt = statement(Stmt::Kind::kMacro);
    if (depth_ > 1) unsupported("a macro inside of another tag");
    ++next_;
    stmt->text = expect_name();
    expect_operator("(");
    while (!at_operator(")")) {
      stmt->targets.push_back(expect_name());
      stmt->exprs.push_back(skip_operator("=") ? parse_expression() : nullptr);
      if (stmt->exprs.size() > 1 && stmt->exprs.back() == nullptr && stmt->exprs[stmt->exprs.size() - 2] != nullptr) {
        fail_here("an argument without a default follows one with a default");
      }
      if (!skip_operator(",")) break;
    }
    expect_operator(")");
    parse_block(*stmt, "endmacro");
    return stmt;
  }

  StmtPtr parse_generation() {
    auto stmt = statement(Stmt::Kind::kGeneration);
    ++next_;
    parse_block(*stmt, "endgeneration");
    return stmt;
  }

  StmtPtr parse_jump() {
    auto stmt = statement(peek().text == "break" ? Stmt::Kind::kBreak : Stmt::Kind::kContinue);
    if (loops_ == 0) fail_here("\"" + peek().text + "\" stands outside of a loop");
    ++next_;
    end_tag();
    return stmt;
  }

  std::vector<Token> tokens_;  // the last is kEnd
  const std::string& path_;
  size_t next_ = 0;
  size_t depth_ = 0;
  size_t loops_ = 0;
};

}  // namespace

Body parse(std::vector<Token> tokens, const std::string& path) { return Parser(std::move(tokens), path).run(); }

}  // namespace vsr::text::jinja
