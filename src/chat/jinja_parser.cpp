// Statements, over the grammar of jinja2 3.1, parser.py.
#include "chat/jinja_parser.h"

#include <algorithm>
#include <utility>

#include "chat/jinja_expressions.h"

namespace vsr::chat::jinja {
namespace {

using Kind = Token::Kind;

class Parser : private TokenReader {
 public:
  Parser(std::vector<Token> tokens, const std::string& path) : TokenReader(std::move(tokens), path) {}

  Body run() {
    Body body = parse_body({});
    if (peek().kind != Kind::kEnd) fail_here("\"" + following().text + "\" ends nothing");
    return body;
  }

 private:
  std::unique_ptr<Stmt> statement(Stmt::Kind kind) const {
    return std::make_unique<Stmt>(Stmt{.kind = kind, .line = peek().line});
  }

  void end_tag() {
    if (!at(Kind::kBlockEnd)) {
      fail_here(peek().text.empty() ? "the tag ends early" : "\"" + peek().text + "\" does not belong here");
    }
    skip();
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
        const Token& name = following();
        if (std::find(ends.begin(), ends.end(), name.text) != ends.end()) return body;
        if (ends.empty() && name.text.starts_with("end")) return body;
        skip();
        body.push_back(parse_statement());
      }
    }
  }

  // The tag that parse_body() stopped at.
  std::string take_end() {
    skip();
    return expect_name();
  }

  StmtPtr parse_output() {
    auto output = statement(Stmt::Kind::kOutput);
    skip();
    output->exprs.push_back(parse_expression(*this));
    if (at_operator(",")) unsupported("a tuple that is printed");
    if (!at(Kind::kOutputEnd)) fail_here("expected \"}}\"");
    skip();
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
      stmt->exprs.push_back(parse_operand(*this));
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
    skip();
    stmt->targets = parse_targets();
    if (!skip_name("in")) fail_here("expected \"in\"");
    stmt->exprs.push_back(parse_operand(*this));
    if (at_operator(",")) unsupported("a loop over a tuple without parentheses");
    stmt->exprs.push_back(skip_name("if") ? parse_expression(*this) : nullptr);
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
    skip();
    const Token& after = following();
    if (after.kind == Kind::kOperator && after.text == ".") {
      stmt->kind = Stmt::Kind::kSetField;
      stmt->text = expect_name();
      skip();
      stmt->targets = {expect_name()};
    } else {
      stmt->targets = parse_targets();
    }
    if (skip_operator("=")) {
      stmt->exprs.push_back(parse_expression(*this));
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
    if (depth() > 1) unsupported("a macro inside of another tag");
    skip();
    stmt->text = expect_name();
    expect_operator("(");
    while (!at_operator(")")) {
      stmt->targets.push_back(expect_name());
      stmt->exprs.push_back(skip_operator("=") ? parse_expression(*this) : nullptr);
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
    skip();
    parse_block(*stmt, "endgeneration");
    return stmt;
  }

  StmtPtr parse_jump() {
    auto stmt = statement(peek().text == "break" ? Stmt::Kind::kBreak : Stmt::Kind::kContinue);
    if (loops_ == 0) fail_here("\"" + peek().text + "\" is outside of a loop");
    skip();
    end_tag();
    return stmt;
  }

  size_t loops_ = 0;
};

}  // namespace

Body parse(std::vector<Token> tokens, const std::string& path) { return Parser(std::move(tokens), path).run(); }

}  // namespace vsr::chat::jinja
