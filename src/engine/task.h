// A task: a name that callers ask for, and what answers it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/loaded_model.h"
#include "engine/merge.h"

namespace vsr::engine {

enum class TaskKind { kEmbedding, kSequenceClassification, kTokenClassification, kGeneration };
std::string_view task_kind_name(TaskKind kind);

struct Task {
  std::string name;
  TaskKind kind;
  std::shared_ptr<const LoadedModel> model;
  MergePolicy merge;               // sequence classification
  std::optional<float> threshold;  // token classification: of entities
};

// The tasks that a model answers under its own name: its embeddings, its head if it has one, and text
// if it predicts tokens.
std::vector<Task> tasks_of(const std::shared_ptr<const LoadedModel>& model);

// The task of that kind and name; with an empty name the only one of the kind. Throws kNotFound listing the names that
// exist, kUnsupported when the name exists but not of this kind, kInvalidArgument when a name is needed.
const Task& find_task(const std::vector<Task>& tasks, TaskKind kind, const std::string& name);

}  // namespace vsr::engine
