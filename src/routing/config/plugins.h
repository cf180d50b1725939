// The plugins of a decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

struct SystemPromptPlugin {
  std::string text;
  bool insert = false;  // before the request's own; else in its place
};

struct RequestParamsPlugin {
  std::optional<int64_t> max_tokens_limit = std::nullopt;  // caps
  std::optional<int64_t> max_tokens = std::nullopt;        // fills an absent value
  std::optional<int64_t> max_n = std::nullopt;
  std::vector<std::string> blocked_params = {};
  bool strip_unknown = false;
};

struct HeaderMutationPlugin {
  struct Header {
    std::string name;
    std::string value;
  };
  std::vector<Header> add = {};     // kept when the request has one already
  std::vector<Header> update = {};  // set
  std::vector<std::string> remove = {};
};

struct ResponseCachePlugin {
  std::optional<double> similarity_threshold = std::nullopt;
  std::optional<int64_t> ttl_seconds = std::nullopt;  // 0: answers are not kept
  std::optional<bool> mode = std::nullopt;  // as written: whether similar questions are asked for, or exact ones alone
  bool semantic = false;                    // similar questions too: by the mode, a threshold, the name, or vsr.cache
  bool by_user = false;                     // entries are one user's own
};

// What was decided about the decision's requests is kept for people to look at.
struct ReplayPlugin {
  size_t max_records = 1000;
  bool capture_request = false;
  bool capture_response = false;
  size_t max_body_bytes = 4096;  // of each body that is captured; 0: all of it
};

// What is done about an answer that is wrong, as the form names it.
enum class AnswerAction : uint8_t { kNone, kHeader, kBody, kBlock };
std::string_view answer_action_name(AnswerAction action);

struct AnswerGuardSettings {
  std::optional<bool> hold = std::nullopt;         // absent: where the action is to block
  std::optional<bool> fail_closed = std::nullopt;  // the same
};

// Answers are held against facts.
struct HallucinationPlugin : AnswerGuardSettings {
  bool use_nli = false;
  AnswerAction action = AnswerAction::kHeader;
  AnswerAction unverified_action = AnswerAction::kHeader;  // where there are no facts
  bool include_details = false;
  double threshold = 0;  // least score of an event that is acted upon
};

// Answers are looked through for what a jailbreak got out of the model.
struct ResponseJailbreakPlugin : AnswerGuardSettings {
  AnswerAction action = AnswerAction::kHeader;
  std::optional<double> threshold = std::nullopt;  // of the unsafe labels
};

// Which tools of a request its model may call. Those of the request are named by `function.name`, by `name`, or where
// they have neither by their type.
struct ToolsPlugin {
  enum class Mode { kPassthrough, kFiltered, kNone };
  Mode mode = Mode::kPassthrough;
  std::vector<std::string> allow = {};  // of kFiltered; empty: all that are not blocked
  std::vector<std::string> block = {};
  bool by_question = false;    // of those that are left, the ones near to the question (RouterConfig::tools)
  bool strip_history = false;  // calls of tools and their results leave the messages
};

// How tools near to a question are chosen.
struct ToolNearness {
  int64_t most = 0;          // 0: any number
  double least = 0;          // similarity of the question to name and description
  int64_t preserved = 0;     // the nearest so many stay, however near they are
  bool none_if_far = false;  // where none is near enough: none, else all
  std::vector<std::string> allow = {}, block = {};
};

struct ToolSelectionPlugin {
  bool add = false;           // those of a database are added; else those of the request are filtered
  std::string database = {};  // a JSON file
  ToolNearness nearness = {};
};

// Results of tools are cut to their most telling sentences, in what the model gets.
struct ContextCompressionPlugin {
  std::optional<int64_t> trigger_tokens = std::nullopt;  // of the prompt; absent: when it leaves no room for an answer
  std::optional<int64_t> target_tokens = std::nullopt;   // of the prompt, oldest results first; absent: the trigger
  std::optional<int64_t> reserve_tokens = std::nullopt;  // of the answer; absent: what the request asks for
  bool tool_outputs = true;
  int64_t min_tokens = 2000;     // of a result: shorter ones stay
  int64_t result_tokens = 1000;  // of one that is cut
};

// Personal data leaves as placeholders, and comes back in the answer (routing/request_mask.h).
struct PiiMaskPlugin {
  std::vector<std::string> types = {};  // Presidio's names; empty: all but URL
  double threshold = 0.5;               // least score of what the task pii finds
  bool fail_on_unknown = false;         // what looks like a placeholder in an answer and is none ends it
};

struct Plugins {
  std::optional<SystemPromptPlugin> system_prompt = std::nullopt;
  std::optional<RequestParamsPlugin> request_params = std::nullopt;
  std::optional<HeaderMutationPlugin> header_mutation = std::nullopt;
  std::optional<ResponseCachePlugin> response_cache = std::nullopt;
  std::optional<ReplayPlugin> replay = std::nullopt;
  std::optional<HallucinationPlugin> hallucination = std::nullopt;
  std::optional<ResponseJailbreakPlugin> response_jailbreak = std::nullopt;
  std::optional<ToolsPlugin> tools = std::nullopt;
  std::optional<ToolSelectionPlugin> tool_selection = std::nullopt;
  std::optional<ContextCompressionPlugin> context_compression = std::nullopt;
  std::optional<PiiMaskPlugin> pii_mask = std::nullopt;
  std::optional<std::string> fast_response = std::nullopt;  // the answer, without any model
  bool guards = false;             // one of them blocks or protects (PluginKind::guards), whether vsr runs it or not
  std::string guard_not_run = {};  // lenient only: its place and name, where vsr does not run it; empty: none
};

}  // namespace vsr::routing
