// Expressions: what is in a tag.
#pragma once

#include "chat/jinja_ast.h"
#include "chat/jinja_token_reader.h"

namespace vsr::chat::jinja {

// Both throw kParse, kUnsupported. An operand has no "if" of its own: where one follows, it is the tag's.
ExprPtr parse_expression(TokenReader& reader);
ExprPtr parse_operand(TokenReader& reader);

}  // namespace vsr::chat::jinja
