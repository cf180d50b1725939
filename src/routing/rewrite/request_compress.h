// Long results of tools in what a model gets: their most telling sentences alone. Signals and guards read them whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "routing/config/plugins.h"

namespace vsr::routing {

struct CompressionPlan {
  ContextCompressionPlugin plugin = {};
  int64_t context_window = 0;  // of the model; 0: not known
};

// Results of tools (messages of the roles tool and function, parts of the type tool_result) whose text is longer than
// `min_tokens` are cut to `result_tokens`, the oldest first, until the prompt has `target_tokens`: if it has more than
// `trigger_tokens`. Where the file says neither, the limit is the model's window without the tokens reserved for the
// answer (those of the request, else 1,024); of a model whose window is not known nothing is cut then. Tokens are
// estimated. A text of several parts is cut part by part. A note says what was cut. Throws kParse for a body that is no
// request, kDeadline, kCancelled.
std::string compress_context(std::string_view body, const CompressionPlan& plan, std::vector<std::string>& notes);

}  // namespace vsr::routing
