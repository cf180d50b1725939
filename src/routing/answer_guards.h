// What a decision asks of the answer to its request. Routing does not know the guard: who calls both makes one of this.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/plugins.h"
#include "routing/config/router_config.h"
#include "routing/request/chat_request.h"

namespace vsr::routing {

struct AnswerGuards {
  std::optional<HallucinationPlugin> hallucination = std::nullopt;
  std::optional<ResponseJailbreakPlugin> response_jailbreak = std::nullopt;
  std::string nli_task = {};              // of the models; empty: not asked
  std::string jailbreak_task = {};        // the same
  std::string question = {};              // the last user turn
  std::vector<std::string> sources = {};  // the tool results of the request
};

// Null: nothing is asked, or there is no decision.
std::shared_ptr<const AnswerGuards> answer_guards(const RouterConfig& config, const Decision* decision,
                                                  const ChatRequest& request);

// Tasks that the plugins of a decision ask; empty: none.
std::string nli_task(const RouterConfig& config, const Plugins& plugins);
std::string response_jailbreak_task(const RouterConfig& config, const Plugins& plugins);

}  // namespace vsr::routing
