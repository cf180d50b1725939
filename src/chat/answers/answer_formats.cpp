#include "chat/answers/answer_formats.h"

#include <array>

#include "chat/answers/answer_anthropic.h"
#include "chat/answers/answer_openai.h"
#include "chat/answers/answer_responses.h"

namespace vsr::chat {

std::span<const AnswerFormatKind> answer_formats() {
  static constexpr std::array<AnswerFormatKind, 4> kFormats{{
      {"responses", is_responses_event, make_responses_format},
      {"anthropic", is_anthropic_event, make_anthropic_format},
      {"chat", is_chat_chunk, make_chat_format},
      {"completion", is_completion_chunk, make_completion_format},
  }};
  return kFormats;
}

}  // namespace vsr::chat
