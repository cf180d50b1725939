// From tokens to a tree.
#pragma once

#include <string>
#include <vector>

#include "text/jinja_ast.h"
#include "text/jinja_lexer.h"

namespace vsr::text::jinja {

// Throws kParse, or kUnsupported naming what vsr does not run; both name the line.
Body parse(std::vector<Token> tokens, const std::string& path);

}  // namespace vsr::text::jinja
