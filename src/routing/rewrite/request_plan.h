// What is to change in a request before it goes to the chosen model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "routing/config/model_catalog.h"
#include "routing/config/router_config.h"
#include "routing/decision/model_choice.h"
#include "routing/rewrite/request_compress.h"
#include "routing/rewrite/request_tools.h"

namespace vsr::routing {

// How the body tells the model to reason, or not to.
struct ReasoningEdit {
  ReasoningFamily family;
  bool on = false;
  std::string effort = "medium";  // written by families that take an effort, on or off
  bool openai = true;             // the server takes OpenAI's own fields at top level
};

struct RequestPlan {
  std::optional<std::string> model = std::nullopt;
  std::optional<SystemPromptPlugin> system_prompt = std::nullopt;
  std::optional<ReasoningEdit> reasoning = std::nullopt;
  RequestParamsPlugin params = {};
  std::optional<CompressionPlan> compression = std::nullopt;
  std::optional<ToolsEdit> tools = std::nullopt;  // of a body with as many tools as it speaks of
  int64_t context_window = 0;                     // of the chosen model; 0: not known
  int64_t prompt_tokens = 0;                      // estimated, what the plan adds included; 0: not known
};

// Joins a choice with what the decision's plugins say. A request that names its own model is not changed at all: its
// plan is empty. A model without a reasoning family, and a default model without a decision, leave the client's own
// reasoning fields as they are. `decision` may be nullptr. Throws kInvalidArgument for an unknown reasoning family.
RequestPlan plan_request(const ModelCatalog& catalog, const Decision* decision, const ModelChoice& choice,
                         int64_t prompt_tokens);

}  // namespace vsr::routing
