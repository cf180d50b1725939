#include "engine/task.h"

#include <set>

#include "base/error.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

std::string join(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

}  // namespace

std::string_view task_kind_name(TaskKind kind) {
  switch (kind) {
    case TaskKind::kEmbedding: return "embedding";
    case TaskKind::kSequenceClassification: return "sequence_classification";
    case TaskKind::kTokenClassification: return "token_classification";
    case TaskKind::kGeneration: return "generation";
  }
  fail(Status::kInternal, "task kind ", static_cast<int>(kind), " has no name");
}

std::vector<Task> tasks_of(const std::shared_ptr<const LoadedModel>& model) {
  std::vector<Task> tasks{{model->name, TaskKind::kEmbedding, model, {}, std::nullopt}};
  if (model->head) {
    const TaskKind kind = model->head->kind == core::HeadKind::kSequence ? TaskKind::kSequenceClassification
                                                                         : TaskKind::kTokenClassification;
    tasks.push_back({model->name, kind, model, {}, std::nullopt});
  }
  if (model->causal_lm != nullptr) tasks.push_back({model->name, TaskKind::kGeneration, model, {}, std::nullopt});
  return tasks;
}

const Task& find_task(const std::vector<Task>& tasks, TaskKind kind, const std::string& name) {
  std::set<std::string> of_kind;
  std::set<std::string> all;
  const Task* only = nullptr;
  for (const Task& task : tasks) {
    all.insert(task.name);
    if (task.kind != kind) continue;
    if (task.name == name) return task;
    of_kind.insert(task.name);
    only = &task;
  }
  if (name.empty() && of_kind.size() == 1) return *only;
  if (of_kind.empty()) {
    fail(Status::kUnsupported, "no model has a head for ", task_kind_name(kind), " (tasks: ", join(all), ")");
  }
  if (name.empty()) {
    fail(Status::kInvalidArgument, "task is NULL, and there are several for ", task_kind_name(kind), ": ", join(of_kind));
  }
  if (all.contains(name)) {
    fail(Status::kUnsupported, "task \"", name, "\" is not one for ", task_kind_name(kind), "; those are ", join(of_kind));
  }
  fail(Status::kNotFound, "task \"", name, "\" does not exist; for ", task_kind_name(kind), " there are ", join(of_kind));
}

}  // namespace vsr::engine
