// Tokens one after the other, with what both halves of the parser ask of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "chat/jinja_lexer.h"

namespace vsr::chat::jinja {

class TokenReader {
 public:
  TokenReader(std::vector<Token> tokens, const std::string& path) : tokens_(std::move(tokens)), path_(path) {}

  // Held while something is read inside of something else.
  class Nesting {
   public:
    explicit Nesting(TokenReader& reader) : reader_(reader) {
      if (++reader_.depth_ > kMaxDepth) reader_.fail_here("nested too deeply");
    }
    ~Nesting() { --reader_.depth_; }

   private:
    TokenReader& reader_;
  };

  [[noreturn]] void fail_here(const std::string& what) const {
    base::fail(base::Status::kParse, path_, ": line ", peek().line, ": ", what);
  }
  [[noreturn]] void unsupported(const std::string& what) const {
    base::fail(base::Status::kUnsupported, path_, ": line ", peek().line, ": ", what, ", which vsr does not run");
  }

  const Token& peek() const { return tokens_[next_]; }
  // After peek(), which is not the end.
  const Token& following() const { return tokens_[next_ + 1]; }
  void skip() { ++next_; }
  bool at(Token::Kind kind) const { return peek().kind == kind; }
  bool at_operator(std::string_view text) const { return at(Token::Kind::kOperator) && peek().text == text; }
  bool at_name(std::string_view text) const { return at(Token::Kind::kName) && peek().text == text; }
  Token take() { return tokens_[next_++]; }
  bool skip_operator(std::string_view text) { return at_operator(text) && (++next_, true); }
  bool skip_name(std::string_view text) { return at_name(text) && (++next_, true); }
  void expect_operator(const std::string& text) {
    if (!skip_operator(text)) fail_here("expected \"" + text + "\"");
  }
  std::string expect_name() {
    if (!at(Token::Kind::kName)) fail_here("expected a name");
    return take().text;
  }

 protected:
  size_t depth() const { return depth_; }

 private:
  static constexpr size_t kMaxDepth = 200;  // of nesting, so that the stack bears it
  std::vector<Token> tokens_;               // the last is kEnd
  const std::string& path_;
  size_t next_ = 0;
  size_t depth_ = 0;
};

}  // namespace vsr::chat::jinja
