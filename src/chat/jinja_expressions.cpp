// Recursive descent over the grammar of jinja2 3.1, parser.py, in the order of precedence.
#include "chat/jinja_expressions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace vsr::chat::jinja {
namespace {

using Kind = Token::Kind;

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader& reader) : reader_(reader) {}

  ExprPtr parse_expression() {
    const TokenReader::Nesting nesting(reader_);
    ExprPtr value = parse_or();
    while (reader_.skip_name("if")) {
      auto expr = node(Expr::Kind::kCondition);
      ExprPtr test = parse_or();
      expr->items.push_back(std::move(test));
      expr->items.push_back(std::move(value));
      expr->items.push_back(reader_.skip_name("else") ? parse_expression() : nullptr);
      value = std::move(expr);
    }
    return value;
  }

  ExprPtr parse_or() {
    ExprPtr left = parse_and();
    while (reader_.skip_name("or")) left = joined(Expr::Kind::kBinary, "or", std::move(left), parse_and());
    return left;
  }

 private:
  std::unique_ptr<Expr> node(Expr::Kind kind) const {
    return std::make_unique<Expr>(Expr{.kind = kind, .line = reader_.peek().line});
  }
  ExprPtr joined(Expr::Kind kind, std::string name, ExprPtr left, ExprPtr right) const {
    auto expr = node(kind);
    expr->name = std::move(name);
    expr->items.push_back(std::move(left));
    if (right) expr->items.push_back(std::move(right));
    return expr;
  }

  ExprPtr parse_and() {
    ExprPtr left = parse_not();
    while (reader_.skip_name("and")) left = joined(Expr::Kind::kBinary, "and", std::move(left), parse_not());
    return left;
  }

  ExprPtr parse_not() {
    const TokenReader::Nesting nesting(reader_);
    if (reader_.skip_name("not")) return joined(Expr::Kind::kUnary, "not", parse_not(), nullptr);
    return parse_compare();
  }

  std::string take_comparison() {
    constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<", "<=", ">", ">="};
    for (const std::string_view known : kComparisons) {
      if (reader_.skip_operator(known)) return std::string(known);
    }
    if (reader_.skip_name("in")) return "in";
    if (reader_.at_name("not") && reader_.following().kind == Kind::kName && reader_.following().text == "in") {
      reader_.skip();
      reader_.skip();
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
      const auto found = std::find_if(ops.begin(), ops.end(), [&](const auto& op) { return reader_.at_operator(op); });
      if (found == ops.end()) return left;
      reader_.skip();
      left = joined(Expr::Kind::kBinary, *found, std::move(left), parse_binary(level + 1));
    }
  }

  ExprPtr parse_unary(bool with_filter) {
    const TokenReader::Nesting nesting(reader_);
    ExprPtr value;
    if (reader_.skip_operator("-")) {
      value = joined(Expr::Kind::kUnary, "-", parse_unary(false), nullptr);
    } else if (reader_.skip_operator("+")) {
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
    const Token& token = reader_.peek();
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
        reader_.fail_here("expected a value, found \"" + token.text + "\"");
      default:
        reader_.fail_here("expected a value, found the end of the tag");
    }
  }

  ExprPtr parse_name() {
    const std::string name = reader_.peek().text;
    std::optional<Value> value;
    if (name == "true" || name == "True") value = Value(true);
    if (name == "false" || name == "False") value = Value(false);
    if (name == "none" || name == "None") value = Value(None{});
    if (value) {
      ExprPtr expr = constant(*value);
      reader_.skip();
      return expr;
    }
    auto expr = node(Expr::Kind::kName);
    expr->name = reader_.take().text;
    return expr;
  }

  ExprPtr parse_strings() {
    std::string text;
    while (reader_.at(Kind::kString)) text += reader_.take().text;  // neighbours are one string
    return constant(Value(std::move(text)));
  }

  ExprPtr parse_integer() {
    int64_t number = 0;
    const std::string& text = reader_.peek().text;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) {
      reader_.unsupported("the number " + text);
    }
    ExprPtr expr = constant(Value(number));
    reader_.skip();
    return expr;
  }

  ExprPtr parse_float() {
    double number = 0;
    const std::string& text = reader_.peek().text;
    std::from_chars(text.data(), text.data() + text.size(), number);
    ExprPtr expr = constant(Value(number));
    reader_.skip();
    return expr;
  }

  // A tuple is a list here: what differs in Python is how it prints.
  ExprPtr parse_parentheses() {
    auto tuple = node(Expr::Kind::kList);
    reader_.expect_operator("(");
    bool comma = false;
    while (!reader_.at_operator(")")) {
      tuple->items.push_back(parse_expression());
      if (!reader_.skip_operator(",")) break;
      comma = true;
    }
    reader_.expect_operator(")");
    if (tuple->items.size() == 1 && !comma) return std::move(tuple->items.front());
    return tuple;
  }

  ExprPtr parse_list() {
    auto list = node(Expr::Kind::kList);
    reader_.expect_operator("[");
    while (!reader_.at_operator("]")) {
      list->items.push_back(parse_expression());
      if (!reader_.skip_operator(",")) break;
    }
    reader_.expect_operator("]");
    return list;
  }

  ExprPtr parse_dict() {
    auto dict = node(Expr::Kind::kDict);
    reader_.expect_operator("{");
    while (!reader_.at_operator("}")) {
      dict->items.push_back(parse_expression());
      reader_.expect_operator(":");
      dict->items.push_back(parse_expression());
      if (!reader_.skip_operator(",")) break;
    }
    reader_.expect_operator("}");
    return dict;
  }

  ExprPtr parse_postfix(ExprPtr value) {
    for (;;) {
      if (reader_.skip_operator(".")) {
        if (!reader_.at(Kind::kName)) reader_.unsupported("\".\" before something other than a name");
        value = joined(Expr::Kind::kAttribute, reader_.peek().text, std::move(value), nullptr);
        reader_.skip();
      } else if (reader_.at_operator("[")) {
        value = parse_subscript(std::move(value));
      } else if (reader_.at_operator("(")) {
        value = parse_call(std::move(value));
      } else {
        return value;
      }
    }
  }

  ExprPtr parse_subscript(ExprPtr value) {
    auto expr = node(Expr::Kind::kItem);
    expr->items.push_back(std::move(value));
    reader_.expect_operator("[");
    if (!reader_.at_operator(":")) expr->items.push_back(parse_expression());
    if (reader_.at_operator(":")) {
      expr->kind = Expr::Kind::kSlice;
      if (expr->items.size() == 1) expr->items.push_back(nullptr);
      while (reader_.skip_operator(":")) {
        expr->items.push_back(reader_.at_operator(":") || reader_.at_operator("]") ? nullptr : parse_expression());
      }
      if (expr->items.size() > 4) reader_.fail_here("a slice has too many parts");
      expr->items.resize(4);
    }
    reader_.expect_operator("]");
    return expr;
  }

  void parse_arguments(Expr& expr) {
    reader_.expect_operator("(");
    while (!reader_.at_operator(")")) {
      if (reader_.at_operator("*") || reader_.at_operator("**")) reader_.unsupported("\"*\" before an argument");
      const Token& following = reader_.following();
      if (reader_.at(Kind::kName) && following.kind == Kind::kOperator && following.text == "=") {
        const std::string name = reader_.take().text;
        reader_.expect_operator("=");
        expr.named.emplace_back(name, parse_expression());
      } else {
        if (!expr.named.empty()) reader_.fail_here("an argument without a name follows one with a name");
        expr.items.push_back(parse_expression());
      }
      if (!reader_.skip_operator(",")) break;
    }
    reader_.expect_operator(")");
  }

  ExprPtr parse_call(ExprPtr callee) {
    auto expr = node(Expr::Kind::kCall);
    expr->items.push_back(std::move(callee));
    parse_arguments(*expr);
    return expr;
  }

  ExprPtr parse_filters(ExprPtr value) {
    for (;;) {
      if (reader_.skip_operator("|")) {
        value = parse_filter(std::move(value));
      } else if (reader_.skip_name("is")) {
        value = parse_test(std::move(value));
      } else if (reader_.at_operator("(")) {
        value = parse_call(std::move(value));
      } else {
        return value;
      }
    }
  }

  ExprPtr parse_filter(ExprPtr value) {
    auto expr = node(Expr::Kind::kFilter);
    expr->name = reader_.expect_name();
    expr->items.push_back(std::move(value));
    if (reader_.at_operator("(")) parse_arguments(*expr);
    return expr;
  }

  ExprPtr parse_test(ExprPtr value) {
    const bool negated = reader_.skip_name("not");
    auto expr = node(Expr::Kind::kTest);
    expr->name = reader_.expect_name();
    expr->items.push_back(std::move(value));
    if (reader_.at_operator("(")) {
      parse_arguments(*expr);
    } else if (at_test_argument()) {
      expr->items.push_back(parse_postfix(parse_primary()));
    }
    if (!negated) return expr;
    return joined(Expr::Kind::kUnary, "not", std::move(expr), nullptr);
  }

  // "is divisibleby 3": an argument without parentheses.
  bool at_test_argument() const {
    if (reader_.at(Kind::kName)) {
      constexpr std::array<std::string_view, 6> kOthers{"else", "or", "and", "is", "if", "in"};
      return std::find(kOthers.begin(), kOthers.end(), reader_.peek().text) == kOthers.end() &&
             !reader_.at_name("not") && !reader_.at_name("recursive");
    }
    return reader_.at(Kind::kString) || reader_.at(Kind::kInteger) || reader_.at(Kind::kFloat) ||
           reader_.at_operator("[") || reader_.at_operator("{");
  }

  TokenReader& reader_;
};

}  // namespace

ExprPtr parse_expression(TokenReader& reader) { return ExpressionParser(reader).parse_expression(); }

ExprPtr parse_operand(TokenReader& reader) { return ExpressionParser(reader).parse_or(); }

}  // namespace vsr::chat::jinja
