// What goes into generation and moderation, and what comes out. No LibTorch here: the layers above include this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"

namespace vsr::engine {

// Called with each new token and the text that it completes, which may be empty; true asks to stop, which throws
// kCancelled.
using TokenCallback = std::function<bool(int32_t id, std::string_view text)>;

struct GenerateOptions {
  std::string task;  // empty: the only generation task
  size_t max_new_tokens = 128;
  bool stop_at_eos = true;
  float temperature = 0;  // 0: the most likely token
  int32_t top_k = 0;      // 0: all
  float top_p = 1;
  uint64_t seed = 0;
  TokenCallback on_token;
  base::CallLimits limits;
};

enum class FinishReason { kLength, kEos };

struct Generation {
  std::string text;          // of the new tokens, without special ones
  std::vector<int32_t> ids;  // the new tokens, an end-of-text token included
  FinishReason finish = FinishReason::kLength;
  size_t prompt_tokens = 0;
  size_t replaced_bytes = 0;  // of the prompt
};

struct ModerateOptions {
  std::string task;
  size_t max_new_tokens = 128;
  base::CallLimits limits;
};

// In the order of Verdict::probs, after kUnparsed.
enum class Severity { kUnparsed, kSafe, kControversial, kUnsafe };

struct Verdict {
  Severity severity = Severity::kUnparsed;
  std::vector<std::string> categories;
  std::optional<bool> refusal;   // of a response, where the answer says so
  std::array<float, 3> probs{};  // safe, controversial, unsafe; their sum is 1
  std::string answer;            // what the model wrote
  std::string prompt;            // what it read: the checkpoint's template with the texts
  size_t prompt_tokens = 0;
  size_t control_tokens = 0;  // special tokens that are in the caller's own texts
  size_t replaced_bytes = 0;
};

}  // namespace vsr::engine
