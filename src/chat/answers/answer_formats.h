// The table of the formats of streamed answers.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "chat/answers/answer_format.h"

namespace vsr::chat {

struct AnswerFormatKind {
  std::string_view name;
  bool (*recognises)(const Json& data, std::string_view type);
  std::unique_ptr<AnswerFormat> (*make)();
};
// In the order in which they are asked.
std::span<const AnswerFormatKind> answer_formats();

}  // namespace vsr::chat
