#include "engine/run/task.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/quoted.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

std::string join(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) base::add_quoted(text, name);
  return text;
}

TaskKind kind_of(const std::optional<core::ClassificationHead>& head) {
  if (!head) return TaskKind::kEmbedding;
  return head->kind == core::HeadKind::kSequence ? TaskKind::kSequenceClassification : TaskKind::kTokenClassification;
}

// The standard and the adapted answer to one name; at least one of them exists.
struct Choice {
  const Task* standard = nullptr;
  const Task* lora = nullptr;

  bool is_free() const { return standard != nullptr && lora != nullptr; }
  const Task& only() const { return standard != nullptr ? *standard : *lora; }
  const Task& take(TaskPath path) const {
    if (!is_free()) return only();
    return path == TaskPath::kLora ? *lora : *standard;
  }
  TaskPath preferred() const { return only().preferred; }
};

Choice choices_of(const std::vector<Task>& tasks, const std::string& name) {
  Choice choice;
  for (const Task& task : tasks) {
    if (task.name != name || task.kind == TaskKind::kGeneration) continue;
    const Task*& place = task.adapter ? choice.lora : choice.standard;
    if (place == nullptr || place->kind == TaskKind::kEmbedding) place = &task;
  }
  // Answers of two kinds are not two ways to one answer: a model's embeddings do not replace an adapter's labels.
  if (choice.is_free() && choice.standard->kind != choice.lora->kind) choice.standard = nullptr;
  return choice;
}

}  // namespace

std::vector<Task> tasks_of(const std::shared_ptr<const LoadedModel>& model) {
  std::vector<Task> tasks{{.name = model->name, .kind = TaskKind::kEmbedding, .model = model}};
  if (model->head) tasks.push_back({.name = model->name, .kind = kind_of(model->head), .model = model});
  if (model->causal_lm != nullptr) {
    tasks.push_back({.name = model->name, .kind = TaskKind::kGeneration, .model = model});
  }
  return tasks;
}

Task task_of(const std::shared_ptr<const LoadedModel>& model, const std::shared_ptr<const lora::Adapter>& adapter) {
  return {.name = adapter->name, .kind = kind_of(adapter->head), .model = model, .adapter = adapter};
}

const Task& find_task(const std::vector<Task>& tasks, TaskKind kind, const std::string& name) {
  std::set<std::string> of_kind;
  std::set<std::string> all;
  Choice choice;
  for (const Task& task : tasks) {
    all.insert(task.name);
    if (task.kind != kind) continue;
    of_kind.insert(task.name);
    if (name.empty() || task.name == name) (task.adapter ? choice.lora : choice.standard) = &task;
  }
  const bool found = choice.standard != nullptr || choice.lora != nullptr;
  if (found && (!name.empty() || of_kind.size() == 1)) return choice.take(choice.preferred());
  if (of_kind.empty()) {
    fail(Status::kUnsupported, "no model has a head for ", task_kind_name(kind), " (tasks: ", join(all), ")");
  }
  if (name.empty()) {
    fail(Status::kInvalidArgument, "task is NULL, and there are several for ", task_kind_name(kind), ": ",
         join(of_kind));
  }
  if (all.contains(name)) {
    fail(Status::kUnsupported, "task \"", name, "\" is not one for ", task_kind_name(kind), "; those are ",
         join(of_kind));
  }
  fail(Status::kNotFound, "task \"", name, "\" does not exist; for ", task_kind_name(kind), " there are ",
       join(of_kind));
}

std::vector<std::string> classification_names(const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    if (task.kind == TaskKind::kEmbedding || task.kind == TaskKind::kGeneration) continue;
    if (std::find(names.begin(), names.end(), task.name) == names.end()) names.push_back(task.name);
  }
  return names;
}

std::vector<const Task*> find_tasks(const std::vector<Task>& tasks, const std::vector<std::string>& names,
                                    TaskPath path) {
  std::set<std::string> all;
  for (const Task& task : tasks) all.insert(task.name);
  std::vector<Choice> choices;
  std::set<const LoadedModel*> runs_anyway;  // for a task that has no choice
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + static_cast<ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<ptrdiff_t>(i)) {
      fail(Status::kInvalidArgument, "tasks[", i, "] is \"", names[i], "\", which is given twice");
    }
    if (!all.contains(names[i])) {
      fail(Status::kNotFound, "tasks[", i, "]: task \"", names[i], "\" does not exist; there are ", join(all));
    }
    choices.push_back(choices_of(tasks, names[i]));
    if (!choices.back().is_free()) runs_anyway.insert(choices.back().only().model.get());
  }
  std::vector<const Task*> found;
  for (const Choice& choice : choices) {
    TaskPath wanted = path == TaskPath::kAuto ? choice.preferred() : path;
    if (wanted == TaskPath::kAuto && choice.is_free() && runs_anyway.contains(choice.lora->model.get())) {
      wanted = TaskPath::kLora;
    }
    found.push_back(&choice.take(wanted));
  }
  return found;
}

}  // namespace vsr::engine
