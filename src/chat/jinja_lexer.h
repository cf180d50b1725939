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

}  // namespace vsr::chat::jinja
