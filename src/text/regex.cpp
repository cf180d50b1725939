#include "text/pattern.h"
namespace vsr::text {
PatternPtr compile_regex(const std::string& expression, const base::JsonValue& where) {
  where.fail_unsupported("is \"" + expression + "\", an expression that vsr does not implement");
}
}  // namespace vsr::text
