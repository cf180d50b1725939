// Names of a chat request's parameters: the members of its body.
#pragma once

#include <string_view>
#include <vector>

namespace vsr::routing {

// Whether `key` is `name` to a server that ignores case (Go's encoding/json), for which U+017F is an s and U+212A a k.
// `name` is ASCII.
bool same_param(std::string_view key, std::string_view name);

// Members of OpenAI's chat completions, by their exact spelling; what else a body holds is unknown to strip_unknown.
bool is_openai_param(std::string_view name);

// Those, and what servers take besides (vLLM, SGLang, llama.cpp, Ollama, Anthropic), whatever their case.
bool is_param(std::string_view name);
const std::vector<std::string_view>& params();

// Whether it is spelled as names of parameters are: letters, digits, `_` and `-`, and no digit first.
bool could_be_param(std::string_view name);

}  // namespace vsr::routing
