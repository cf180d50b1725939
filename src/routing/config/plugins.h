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

struct Plugins {
  std::optional<SystemPromptPlugin> system_prompt = std::nullopt;
  std::optional<RequestParamsPlugin> request_params = std::nullopt;
  std::optional<HeaderMutationPlugin> header_mutation = std::nullopt;
  std::optional<ResponseCachePlugin> response_cache = std::nullopt;
  std::optional<ReplayPlugin> replay = std::nullopt;
  std::optional<HallucinationPlugin> hallucination = std::nullopt;
  std::optional<ResponseJailbreakPlugin> response_jailbreak = std::nullopt;
  std::optional<std::string> fast_response = std::nullopt;  // the answer, without any model
  bool guards = false;             // one of them blocks or protects (PluginKind::guards), whether vsr runs it or not
  std::string guard_not_run = {};  // lenient only: its place and name, where vsr does not run it; empty: none
};

}  // namespace vsr::routing
