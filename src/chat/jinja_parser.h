// From tokens to a tree.
#pragma once

#include <string>
#include <vector>

#include "chat/jinja_ast.h"
#include "chat/jinja_lexer.h"

namespace vsr::chat::jinja {

// Throws kParse, or kUnsupported naming what vsr does not run; both name the line.
Body parse(std::vector<Token> tokens, const std::string& path);

}  // namespace vsr::chat::jinja
