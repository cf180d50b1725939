#include "engine/task_table.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/quoted.h"
#include "lora/load_adapter.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

bool has_task(const std::vector<Task>& tasks, const std::string& name) {
  return std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) { return task.name == name; });
}

std::vector<size_t> label_ids(const ConfiguredTask& configured, const std::vector<std::string>& labels) {
  std::vector<size_t> ids;
  for (const std::string& name : configured.unsafe_labels) {
    const auto found = std::find(labels.begin(), labels.end(), name);
    if (found == labels.end()) {
      fail(Status::kParse, configured.where, ": task \"", configured.name, "\": its model has no label \"", name, "\"");
    }
    ids.push_back(static_cast<size_t>(found - labels.begin()));
  }
  return ids;
}

// The tasks of one path of a configured task under its name.
void add_path(const ConfiguredTask& configured, std::vector<Task> path, const std::string& source,
              std::vector<Task>& tasks) {
  const auto needs = [&](bool given, const char* key, TaskKind kind) {
    const auto fits = [&](const Task& task) { return task.kind == kind; };
    if (!given || std::any_of(path.begin(), path.end(), fits)) return;
    fail(Status::kParse, configured.where, ": task \"", configured.name, "\" has ", key, ", but ", source,
         " has no head for ", task_kind_name(kind));
  };
  needs(!configured.unsafe_labels.empty(), "unsafe_labels", TaskKind::kSequenceClassification);
  needs(configured.threshold.has_value(), "threshold", TaskKind::kTokenClassification);
  for (Task& task : path) {
    task.name = configured.name;
    task.threshold = configured.threshold;
    task.preferred = configured.path;
    if (task.kind == TaskKind::kSequenceClassification) {
      task.merge.max_of_labels = label_ids(configured, task.labels().names);
    }
    tasks.push_back(std::move(task));
  }
}

void add_configured(const ConfiguredTask& configured, const Models& models, const std::vector<LoadedAdapter>& adapters,
                    std::vector<Task>& tasks) {
  const std::string where = configured.where + ": task \"" + configured.name + "\" names the ";
  if (has_task(tasks, configured.name)) {
    fail(Status::kParse, configured.where, ": \"", configured.name, "\" is already the name of a model or task");
  }
  if (!configured.model.empty()) {
    const auto found =
        std::find_if(models.begin(), models.end(), [&](const auto& model) { return model->name == configured.model; });
    if (found == models.end()) {
      fail(Status::kParse, where, "model \"", configured.model, "\", which does not exist");
    }
    add_path(configured, tasks_of(*found), "the model \"" + configured.model + "\"", tasks);
  }
  if (!configured.adapter.empty()) {
    const auto found = std::find_if(adapters.begin(), adapters.end(), [&](const LoadedAdapter& loaded) {
      return loaded.adapter->name == configured.adapter;
    });
    if (found == adapters.end()) {
      fail(Status::kParse, where, "adapter \"", configured.adapter, "\", which does not exist");
    }
    add_path(configured, {task_of(found->model, found->adapter)}, "the adapter \"" + configured.adapter + "\"", tasks);
  }
}

}  // namespace

const std::shared_ptr<const LoadedModel>& find_model(const Models& models, const std::string& name) {
  if (name.empty() && models.size() == 1) return models.front();
  std::string known;
  for (const auto& loaded : models) {
    if (loaded->name == name) return loaded;
    base::add_quoted(known, loaded->name);
  }
  if (name.empty()) fail(Status::kInvalidArgument, "model is NULL, and there are several: ", known);
  fail(Status::kNotFound, "model \"", name, "\" does not exist; there are ", known);
}

LoadedAdapter load_adapter(const AdapterOptions& options, const Models& models) {
  const std::shared_ptr<const LoadedModel>& model = find_model(models, options.model);
  const std::string name = options.name.empty() ? last_part(options.path) : options.name;
  return {lora::load_adapter(name, options.path, model->adapter_base()), model};
}

std::shared_ptr<const TaskTable> make_task_table(const Models& models, std::vector<LoadedAdapter> adapters,
                                                 const std::vector<ConfiguredTask>& configured) {
  auto table = std::make_shared<TaskTable>();
  for (const auto& model : models) {
    if (has_task(table->tasks, model->name)) {
      fail(Status::kInvalidArgument, "two models are named \"", model->name, "\"");
    }
    for (Task& task : tasks_of(model)) table->tasks.push_back(std::move(task));
  }
  for (const LoadedAdapter& loaded : adapters) {
    if (has_task(table->tasks, loaded.adapter->name)) {
      fail(Status::kInvalidArgument, "adapter \"", loaded.adapter->name, "\": a model or an adapter has that name");
    }
    table->tasks.push_back(task_of(loaded.model, loaded.adapter));
  }
  for (const ConfiguredTask& task : configured) add_configured(task, models, adapters, table->tasks);
  table->adapters = std::move(adapters);
  return table;
}

}  // namespace vsr::engine
