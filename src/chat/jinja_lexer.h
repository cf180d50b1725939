// Splits a template into text and tags, and tags into tokens, with Jinja's rules for white space. Options are those of
// transformers' chat templates: trim_blocks and lstrip_blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::chat::jinja {

struct Token {
  enum class Kind {
    kText,         // between tags
    kOutputBegin,  // {{
    kOutputEnd,    // }}
    kBlockBegin,   // {%
    kBlockEnd,     // %}
    kName,
    kString,  // with its escapes read
    kInteger,
    kFloat,
    kOperator,
    kEnd
  };
  Kind kind;
  std::string text;
  size_t line;
};

// `path` is what errors call the template. Throws kParse, kUnsupported; both name the line.
std::vector<Token> tokenize(std::string_view source, const std::string& path);

// str.strip() and its relatives: of Python's white space, or of any of `characters`.
bool is_space(char32_t c);
std::string_view strip_left(std::string_view text, const std::string* characters = nullptr);
std::string_view strip_right(std::string_view text, const std::string* characters = nullptr);

}  // namespace vsr::chat::jinja
