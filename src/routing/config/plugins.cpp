#include "routing/config/plugins.h"

namespace vsr::routing {

std::string_view answer_action_name(AnswerAction action) {
  switch (action) {
    case AnswerAction::kNone:
      return "none";
    case AnswerAction::kHeader:
      return "header";
    case AnswerAction::kBody:
      return "body";
    case AnswerAction::kBlock:
      return "block";
  }
  return "";
}

}  // namespace vsr::routing
