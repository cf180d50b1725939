// A task: a name that callers ask for, and what answers it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calls/task_kind.h"
#include "engine/model/loaded_model.h"
#include "lora/adapter.h"

namespace vsr::engine {

// How a sequence-classification task joins its windows.
struct MergePolicy {
  // Empty: the mean of each label. Else the window in which these labels have the largest sum decides alone, so that
  // one unsafe passage in a long text is not averaged away.
  std::vector<size_t> max_of_labels;
};

struct Task {
  std::string name;
  TaskKind kind;
  std::shared_ptr<const LoadedModel> model;
  std::shared_ptr<const lora::Adapter> adapter = nullptr;  // none: the standard path
  MergePolicy merge = {};                                  // sequence classification
  std::optional<float> threshold = std::nullopt;           // token classification: of entities
  TaskPath preferred = TaskPath::kAuto;                    // where a task of this name has both paths

  TaskPath path() const { return adapter ? TaskPath::kLora : TaskPath::kStandard; }
  const core::ClassificationHead& head() const { return adapter ? *adapter->head : *model->head; }
  const models::Labels& labels() const { return adapter ? adapter->labels : model->labels; }
};

// The tasks that a model answers under its own name: its embeddings, its head if it has one, and text
// if it predicts tokens.
std::vector<Task> tasks_of(const std::shared_ptr<const LoadedModel>& model);
// The task that an adapter answers under its own name.
Task task_of(const std::shared_ptr<const LoadedModel>& model, const std::shared_ptr<const lora::Adapter>& adapter);

// The task of that kind and name; with an empty name the only one of the kind. Of one that has both paths the standard
// one, unless the config prefers the other. Throws kNotFound listing the names that exist, kUnsupported when the name
// exists but not of this kind, kInvalidArgument when a name is needed.
const Task& find_task(const std::vector<Task>& tasks, TaskKind kind, const std::string& name);

// The names that have a task for classification, each once.
std::vector<std::string> classification_names(const std::vector<Task>& tasks);

// The tasks of the given names, whatever their kind: classification before embedding where a name has both. Which path
// is taken depends on nothing but the names: see docs/adapters.md. Throws kNotFound, and kInvalidArgument for a name
// that is given twice.
std::vector<const Task*> find_tasks(const std::vector<Task>& tasks, const std::vector<std::string>& names,
                                    TaskPath path);

}  // namespace vsr::engine
