// Expressions: what stands in a tag.
#pragma once

#include "text/jinja_ast.h"
#include "text/jinja_token_reader.h"

namespace vsr::text::jinja {

// Both throw kParse, kUnsupported. An operand has no "if" of its own: where one follows, it is the tag's.
ExprPtr parse_expression(TokenReader& reader);
ExprPtr parse_operand(TokenReader& reader);

}  // namespace vsr::text::jinja
