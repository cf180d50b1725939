#include "policy.h"

#include <charconv>
#include <set>
#include <sstream>

#include "failure.h"

namespace vsr::cli {
namespace {

float priority(const std::string& name, const std::string& value) {
  float number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !(number >= 0 && number <= 1)) {
    throw UsageError("--policy: " + name + " is \"" + value + "\", expected a number from 0 to 1");
  }
  return number;
}

}  // namespace

Policy::Policy(const std::string& text) {
  std::set<std::string> seen;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == part.size()) {
      throw UsageError("--policy: \"" + part + "\" is not of the form name=value");
    }
    if (!seen.insert(name).second) throw UsageError("--policy: " + name + " is given twice");
    set(name, part.substr(equals + 1));
  }
  policy_.language = language_.empty() ? nullptr : language_.c_str();
}

void Policy::set(const std::string& name, const std::string& value) {
  if (name == "quality") {
    policy_.quality_priority = priority(name, value);
  } else if (name == "latency") {
    policy_.latency_priority = priority(name, value);
  } else if (name == "language") {
    language_ = value;
  } else {
    throw UsageError("--policy: \"" + name + "\" is none of quality, latency and language");
  }
}

}  // namespace vsr::cli
