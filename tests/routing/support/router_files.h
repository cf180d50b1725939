// Config texts for tests.
#pragma once

#include <string>
#include <string_view>

#include "routing/config/reader/config_file.h"
#include "support/failure.h"

namespace vsr::test {

inline routing::RouterConfig strict(std::string_view text) {
  return routing::parse_router_config(text, "r.yaml", false);
}
inline routing::RouterConfig lenient(std::string_view text) {
  return routing::parse_router_config(text, "r.yaml", true);
}
inline Failure strict_failure(std::string_view text) {
  return failure_of([&] { strict(text); });
}
inline Failure lenient_failure(std::string_view text) {
  return failure_of([&] { lenient(text); });
}

inline constexpr const char* kModels =
    "providers:\n"
    "  defaults: {default_model: small}\n"
    "  models: [{name: small}, {name: large}]\n";

// Two keyword signals `a` and `b`, a complexity `c`, a jailbreak `j`, and the decisions given, indented by two.
inline std::string with_decisions(const std::string& decisions, const std::string& routing = "") {
  return std::string(kModels) + "routing:\n" + routing +
         "  signals:\n"
         "    keywords: [{name: a, keywords: [x]}, {name: b, keywords: [y]}]\n"
         "    complexity: [{name: c, hard: {candidates: [h]}, easy: {candidates: [e]}}]\n"
         "    jailbreak: [{name: j}]\n"
         "    context: [{name: short, max_tokens: 1K}, {name: long, min_tokens: 8K}]\n"
         "  decisions:\n" +
         decisions;
}

}  // namespace vsr::test
