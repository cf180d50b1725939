#include "engine/calls/task_kind.h"

#include "base/error.h"

namespace vsr::engine {

using base::fail;
using base::Status;

std::string_view task_kind_name(TaskKind kind) {
  switch (kind) {
    case TaskKind::kEmbedding:
      return "embedding";
    case TaskKind::kSequenceClassification:
      return "sequence_classification";
    case TaskKind::kTokenClassification:
      return "token_classification";
    case TaskKind::kGeneration:
      return "generation";
  }
  fail(Status::kInternal, "task kind ", static_cast<int>(kind), " has no name");
}

std::string_view task_path_name(TaskPath path) {
  switch (path) {
    case TaskPath::kAuto:
      return "auto";
    case TaskPath::kStandard:
      return "standard";
    case TaskPath::kLora:
      return "lora";
  }
  fail(Status::kInternal, "task path ", static_cast<int>(path), " has no name");
}

}  // namespace vsr::engine
