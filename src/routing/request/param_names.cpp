#include "routing/request/param_names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace vsr::routing {
namespace {

constexpr auto kOpenAi = std::to_array<std::string_view>({
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
});
static_assert(std::is_sorted(kOpenAi.begin(), kOpenAi.end()));

// Of other servers, and of OpenAI's other interfaces.
constexpr auto kOthers = std::to_array<std::string_view>({
    "add_generation_prompt",
    "add_special_tokens",
    "allowed_token_ids",
    "background",
    "bad_words",
    "best_of",
    "cache_control",
    "cache_prompt",
    "cache_salt",
    "chat_template",
    "chat_template_kwargs",
    "container",
    "continue_final_message",
    "custom_params",
    "documents",
    "dynatemp_exponent",
    "dynatemp_range",
    "ebnf",
    "echo",
    "enable_thinking",
    "extra_body",
    "format",
    "grammar",
    "guided_choice",
    "guided_decoding_backend",
    "guided_grammar",
    "guided_json",
    "guided_regex",
    "guided_whitespace_pattern",
    "ignore_eos",
    "include",
    "include_reasoning",
    "include_stop_str_in_output",
    "input",
    "instructions",
    "json_schema",
    "keep_alive",
    "kv_transfer_params",
    "length_penalty",
    "logits_processors",
    "lora_path",
    "max_output_tokens",
    "mcp_servers",
    "min_keep",
    "min_p",
    "min_tokens",
    "mirostat",
    "mirostat_eta",
    "mirostat_tau",
    "mm_processor_kwargs",
    "moderation",
    "n_predict",
    "no_stop_trim",
    "num_ctx",
    "num_predict",
    "options",
    "plugins",
    "previous_response_id",
    "priority",
    "prompt",
    "prompt_logprobs",
    "provider",
    "reasoning",
    "reasoning_budget",
    "regex",
    "repeat_last_n",
    "repeat_penalty",
    "repetition_penalty",
    "request_id",
    "return_token_ids",
    "return_tokens_as_token_ids",
    "samplers",
    "separate_reasoning",
    "session_params",
    "skip_special_tokens",
    "spaces_between_special_tokens",
    "stop_regex",
    "stop_sequences",
    "stop_token_ids",
    "stream_reasoning",
    "structural_tag",
    "structured_outputs",
    "suffix",
    "system",
    "text",
    "tfs_z",
    "thinking",
    "thinking_budget",
    "top_a",
    "top_k",
    "transforms",
    "truncate_prompt_tokens",
    "truncation",
    "typical_p",
    "use_beam_search",
    "vllm_xargs",
});

}  // namespace

bool same_param(std::string_view key, std::string_view name) {
  for (const char each : name) {
    const char expected = base::ascii_lower(each);
    if (expected == 's' && key.starts_with("\u017F")) {
      key.remove_prefix(2);
    } else if (expected == 'k' && key.starts_with("\u212A")) {
      key.remove_prefix(3);
    } else if (!key.empty() && base::ascii_lower(key.front()) == expected) {
      key.remove_prefix(1);
    } else {
      return false;
    }
  }
  return key.empty();
}

bool is_openai_param(std::string_view name) { return std::binary_search(kOpenAi.begin(), kOpenAi.end(), name); }

const std::vector<std::string_view>& params() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names(kOpenAi.begin(), kOpenAi.end());
    names.insert(names.end(), kOthers.begin(), kOthers.end());
    return names;
  }();
  return all;
}

bool is_param(std::string_view name) {
  return std::any_of(params().begin(), params().end(), [&](std::string_view each) { return same_param(name, each); });
}

bool could_be_param(std::string_view name) {
  const auto fits = [](char c) { return base::is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  return !name.empty() && (name.front() < '0' || name.front() > '9') && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace vsr::routing
