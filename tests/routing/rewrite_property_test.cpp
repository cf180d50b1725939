// Rewriting against the same edits done on a parsed document, for random bodies and plans.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/request/chat_request.h"
#include "routing/rewrite/request_rewrite.h"
#include "routing/support/random_chat.h"

using namespace vsr::routing;
using nlohmann::json;
using Type = ReasoningFamily::Type;

namespace {

RequestPlan random_plan(vsr::test::RandomChat& random) {
  RequestPlan plan;
  const auto coin = [&] { return random.below(2) == 0; };
  if (coin()) plan.model = random.pick<std::string>({"m", "org/\"model\"", "\xC3\xA9"});
  if (coin()) plan.system_prompt = SystemPromptPlugin{.text = "Be brief.", .insert = coin()};
  if (coin()) {
    const Type type = random.pick(
        {Type::kChatTemplateKwargs, Type::kReasoningEffort, Type::kTopLevelReasoningEffort, Type::kThinking});
    const std::string parameter = type == Type::kChatTemplateKwargs ? "enable_thinking"
                                  : type == Type::kThinking         ? "thinking"
                                  : coin()                          ? "reasoning.effort"
                                                                    : "reasoning_effort";
    plan.reasoning = ReasoningEdit{.family = {type, parameter}, .on = coin(), .effort = "low", .openai = coin()};
  }
  if (coin()) plan.params.max_tokens_limit = random.pick<int64_t>({1, 100, 6000});
  if (coin()) plan.params.max_tokens = random.pick<int64_t>({50, 8000});
  if (coin()) plan.params.max_n = 2;
  if (coin()) plan.params.blocked_params = {"logprobs", random.pick<std::string>({"seed", "max_tokens", "reasoning"})};
  plan.params.strip_unknown = random.below(4) == 0;
  if (coin()) plan.context_window = 8000, plan.prompt_tokens = random.pick<int64_t>({10, 7990, 9000});
  return plan;
}

bool is_stripped(const RequestPlan& plan, const std::string& name) {
  const std::vector<std::string> unknown{"reasoning", "thinking", "chat_template_kwargs",
                                         "x_vendor",  "",         "\xC3\xA9t\xC3\xA9 \\"};
  const auto holds = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return holds(plan.params.blocked_params) || (plan.params.strip_unknown && holds(unknown));
}

void cap(json& body, const char* name, int64_t limit) {
  if (!body.contains(name) || body[name].is_null()) return;
  const double value = body[name].get<double>();
  if (value < 0 || value > static_cast<double>(limit)) body[name] = limit;
}

void expect_params(json& body, const RequestPlan& plan) {
  for (const std::string& name : plan.params.blocked_params) body.erase(name);
  for (auto member = body.begin(); member != body.end();) {
    member = is_stripped(plan, member.key()) ? body.erase(member) : std::next(member);
  }
  if (plan.params.max_n) cap(body, "n", *plan.params.max_n);
  int64_t limit = plan.params.max_tokens_limit.value_or(INT64_MAX);
  const int64_t room = plan.context_window - plan.prompt_tokens;
  if (plan.context_window > 0 && room > 0) limit = std::min(limit, room);
  bool given = false;
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    given = given || (body.contains(name) && !body[name].is_null());
    if (limit != INT64_MAX) cap(body, name, limit);
  }
  if (given || !plan.params.max_tokens) return;
  const bool newer = plan.reasoning && plan.reasoning->openai &&
                     (plan.reasoning->family.type == Type::kReasoningEffort ||
                      plan.reasoning->family.type == Type::kTopLevelReasoningEffort);
  body[newer ? "max_completion_tokens" : "max_tokens"] = std::min(*plan.params.max_tokens, limit);
}

json& object_at(json& body, const char* name) {
  if (!body.contains(name) || !body[name].is_object()) body[name] = json::object();
  return body[name];
}

void expect_reasoning(json& body, const ReasoningEdit& reasoning) {
  body.erase("reasoning_effort");
  body.erase("thinking");
  if (body.contains("reasoning") && body["reasoning"].is_object()) body["reasoning"].erase("effort");
  if (body.contains("chat_template_kwargs") && body["chat_template_kwargs"].is_object())
    body["chat_template_kwargs"].erase("reasoning_effort");
  if (reasoning.family.type == Type::kChatTemplateKwargs) {
    object_at(body, "chat_template_kwargs")["enable_thinking"] = reasoning.on;
  } else if (reasoning.family.type == Type::kThinking) {
    body["thinking"] = {{"type", reasoning.on ? "enabled" : "disabled"}};
  } else {
    const bool nested = reasoning.family.type == Type::kReasoningEffort && !reasoning.openai;
    json& place = nested ? object_at(body, "chat_template_kwargs") : body;
    json& parent = reasoning.family.parameter == "reasoning.effort" ? object_at(place, "reasoning") : place;
    parent[reasoning.family.parameter == "reasoning.effort" ? "effort" : "reasoning_effort"] = reasoning.effort;
  }
}

std::string joined(const std::string& prompt, const std::string& old) {
  if (old.empty() || old == prompt) return prompt;
  return old.starts_with(prompt + "\n\n") ? old : prompt + "\n\n" + old;
}

bool is_prompt(const json& message) { return message["role"] == "system" || message["role"] == "developer"; }

void expect_prompt(json& messages, const SystemPromptPlugin& prompt) {
  if (!prompt.insert) {
    messages.erase(std::remove_if(messages.begin() + 1, messages.end(), is_prompt), messages.end());
    if (is_prompt(messages[0])) messages[0].erase("name");
  }
  const json part = {{"type", "text"}, {"text", prompt.text}};
  if (messages[0]["role"] == "user") {
    messages.insert(messages.begin(), json{{"role", "system"}, {"content", prompt.text}});
    return;
  }
  json& content = messages[0]["content"];
  if (content.is_array() && !prompt.insert) {
    content = json::array({part});
  } else if (content.is_array() && !content.empty() && content[0].contains("text")) {
    content[0]["text"] = joined(prompt.text, content[0]["text"]);
  } else if (content.is_array()) {
    content.insert(content.begin(), part);
  } else {
    content = prompt.insert && content.is_string() ? joined(prompt.text, content) : prompt.text;
  }
}

json expected(const std::string& bytes, const RequestPlan& plan) {
  json body = json::parse(bytes);
  expect_params(body, plan);
  if (plan.reasoning) expect_reasoning(body, *plan.reasoning);
  if (plan.system_prompt) expect_prompt(body["messages"], *plan.system_prompt);
  if (plan.model) body["model"] = *plan.model;
  return body;
}

bool may_change(const RequestPlan& plan, const std::string& name) {
  const std::vector<std::string> edited{
      "model",     "n",        "max_tokens",       "max_completion_tokens", "messages",
      "reasoning", "thinking", "reasoning_effort", "chat_template_kwargs"};
  return is_stripped(plan, name) || std::find(edited.begin(), edited.end(), name) != edited.end();
}

// Each of the pieces is in the text, in this order.
bool holds_in_order(const std::string& text, const std::vector<std::string>& pieces) {
  size_t at = 0;
  for (const std::string& piece : pieces) {
    at = text.find(piece, at);
    if (at == std::string::npos) return false;
    at += piece.size();
  }
  return true;
}

// nlohmann refuses what no double holds; the bodies spell such numbers to see them pass.
std::string readable(std::string bytes) {
  for (size_t at = bytes.find("1E400"); at != std::string::npos; at = bytes.find("1E400", at))
    bytes.replace(at, 5, "14444");
  return bytes;
}

}  // namespace

TEST_CASE("request rewrite: random edits equal those done on the parsed body, and touch no other byte", "[routing]") {
  vsr::test::RandomChat random(20);
  size_t changed = 0;
  for (int round = 0; round < 4000; ++round) {
    const vsr::test::RandomBody body = random.body();
    const RequestPlan plan = random_plan(random);
    CAPTURE(round, body.bytes);
    const std::string rewritten = rewrite_request(body.bytes, plan).body;
    CAPTURE(rewritten);
    REQUIRE(json::parse(readable(rewritten)) == expected(readable(body.bytes), plan));
    REQUIRE(rewrite_request(rewritten, plan).body == rewritten);
    REQUIRE(rewrite_request(body.bytes, {}).body == body.bytes);

    std::vector<std::string> untouched;
    for (const auto& [name, bytes] : body.members) {
      if (!may_change(plan, name)) untouched.push_back(bytes);
    }
    REQUIRE(holds_in_order(rewritten, untouched));
    std::vector<std::string> later(body.messages.begin() + 1, body.messages.end());
    if (plan.system_prompt && !plan.system_prompt->insert)
      std::erase_if(later, [](const std::string& message) { return is_prompt(json::parse(message)); });
    REQUIRE(holds_in_order(rewritten, later));
    if (!plan.system_prompt) REQUIRE(holds_in_order(rewritten, body.messages));
    changed += rewritten != body.bytes ? 1 : 0;
  }
  CHECK(changed > 2000);
}
