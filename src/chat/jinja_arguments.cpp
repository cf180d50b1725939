#include "chat/jinja_arguments.h"

#include <algorithm>

namespace vsr::chat::jinja {

Bound::Bound(std::string function, const std::vector<const char*>& parameters, const Arguments& given)
    : function_(std::move(function)), parameters_(parameters), values_(parameters.size()) {
  if (given.positional.size() > parameters.size()) {
    fail_type(function_ + "() takes " + std::to_string(parameters.size()) + " arguments here, not " +
              std::to_string(given.positional.size()));
  }
  std::copy(given.positional.begin(), given.positional.end(), values_.begin());
  for (const auto& [name, value] : given.named) {
    const auto same = [&name = name](const char* parameter) { return name == parameter; };
    const auto found = std::find_if(parameters.begin(), parameters.end(), same);
    if (found == parameters.end()) fail_unsupported("the argument \"" + name + "\" of " + function_ + "()");
    const auto index = static_cast<size_t>(found - parameters.begin());
    if (index < given.positional.size()) fail_type(function_ + "() was given \"" + name + "\" twice");
    values_[index] = value;
  }
}

void Bound::fail(size_t i, const std::string& what) const {
  fail_type(function_ + "(): \"" + parameters_[i] + "\" " + what);
}

const Value& Bound::value(size_t i) const {
  if (!has(i)) fail(i, "is missing");
  return values_[i];
}

const std::string& Bound::string(size_t i) const {
  const std::string* text = value(i).string();
  if (text == nullptr) fail(i, "is " + std::string(value(i).type_name()) + ", expected a str");
  return *text;
}

const std::string* Bound::optional_string(size_t i) const {
  return has(i) && !values_[i].is_none() ? &string(i) : nullptr;
}

int64_t Bound::integer(size_t i, int64_t otherwise) const {
  if (!has(i) || values_[i].is_none()) return otherwise;
  if (!values_[i].is_integer() && !values_[i].is_bool()) {
    fail(i, "is " + std::string(values_[i].type_name()) + ", expected an int");
  }
  return values_[i].integer();
}

}  // namespace vsr::chat::jinja
