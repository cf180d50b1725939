// The parts of rewrite_request(), which documents them: each adds its changes to those of the body.
#pragma once

#include <string>
#include <vector>

#include "routing/rewrite/request_plan.h"
#include "routing/rewrite/request_splice.h"

namespace vsr::routing {

void edit_params(ObjectEdit& edit, const JsonNode& root, const RequestPlan& plan, std::vector<std::string>& notes);

void edit_reasoning(ObjectEdit& edit, const ReasoningEdit& reasoning);

// Of mode `replace`: takes out the prompts that other forms of requests have beside `messages`.
void remove_body_prompts(ObjectEdit& edit, const JsonNode& root, const SystemPromptPlugin& prompt,
                         std::vector<std::string>& notes);

// Adds splices inside `messages`, which no ObjectEdit touches.
void edit_system_prompt(std::vector<Splice>& splices, const JsonNode& root, const SystemPromptPlugin& prompt);

}  // namespace vsr::routing
