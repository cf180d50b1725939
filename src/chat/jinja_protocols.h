// What Python lets be done with any value: compare it, look into it, go over it, write it. All of it is charged.
#pragma once

#include <cstddef>
#include <string>

#include "chat/jinja_rendering.h"
#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

bool equal(const Value& a, const Value& b, Rendering& rendering);
// a < b; throws for values that Python does not order.
bool less(const Value& a, const Value& b, Rendering& rendering);
bool contains(const Value& container, const Value& item, Rendering& rendering);
// str(). Lists and dicts, whose form is Python's own, are not supported.
std::string to_text(const Value& value, Rendering& rendering);
// len(); throws for what has none.
size_t length(const Value& value, Rendering& rendering);
// What a loop goes over: items, keys, characters.
List iterate(const Value& value, Rendering& rendering);

}  // namespace vsr::chat::jinja
