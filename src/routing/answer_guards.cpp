#include "routing/answer_guards.h"

namespace vsr::routing {

std::string nli_task(const RouterConfig& config, const Plugins& plugins) {
  return plugins.hallucination && plugins.hallucination->use_nli ? config.task_of("nli", "nli") : "";
}

std::string response_jailbreak_task(const RouterConfig& config, const Plugins& plugins) {
  if (!plugins.response_jailbreak) return "";
  return config.task_of("response_jailbreak", config.task_of("jailbreak", "jailbreak"));
}

std::shared_ptr<const AnswerGuards> answer_guards(const RouterConfig& config, const Decision* decision,
                                                  const ChatRequest& request) {
  if (decision == nullptr) return nullptr;
  const Plugins& plugins = decision->plugins;
  if (!plugins.hallucination && !plugins.response_jailbreak) return nullptr;
  auto guards = std::make_shared<AnswerGuards>();
  guards->hallucination = plugins.hallucination;
  guards->response_jailbreak = plugins.response_jailbreak;
  guards->nli_task = nli_task(config, plugins);
  guards->jailbreak_task = response_jailbreak_task(config, plugins);
  if (!plugins.hallucination) return guards;
  guards->question = request.text(TextScope::kLastUser);
  for (const ChatMessage& message : request.messages) {
    if (message.tool_result && !message.text.empty()) guards->sources.push_back(message.text);
  }
  return guards;
}

}  // namespace vsr::routing
