// What a task answers, and with what.
#pragma once

#include <string_view>

namespace vsr::engine {

enum class TaskKind { kEmbedding, kSequenceClassification, kTokenClassification, kGeneration };
// A task that has both is answered by a model of its own or by an adapter of another.
enum class TaskPath { kAuto, kStandard, kLora };

// "embedding", "sequence_classification", ...
std::string_view task_kind_name(TaskKind kind);
// "auto", "standard", "lora"
std::string_view task_path_name(TaskPath path);

}  // namespace vsr::engine
