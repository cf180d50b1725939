#include "engine/task_outline.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/quoted.h"
#include "engine/model/checkpoint_files.h"
#include "engine/model/loaded_model.h"
#include "engine/run/task.h"
#include "lora/adapter_config.h"
#include "models/registry.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

// Runs `read`, whose errors then begin with the place in the config.
template <class Read>
void at_place(const std::string& place, const char* what, const std::string& name, Read&& read) {
  try {
    read();
  } catch (const base::Error& error) {
    fail(error.status(), place, ": ", what, " \"", name, "\": ", error.what());
  }
}

// As tasks_of() does for a model that is loaded.
void add_model(const ModelOptions& model, std::vector<TaskOutline>& tasks) {
  check_model_folder(model.path);
  const auto config = base::read_json_file(
      (std::filesystem::path(transformer_folder(model.path, read_modules(model.path))) / "config.json").string());
  const models::Naming& naming = models::naming_of(config);
  const auto heads = config.optional<std::vector<std::string>>("architectures", {});
  tasks.push_back({model.name, TaskKind::kEmbedding});
  if (heads.empty()) return;
  if (heads.front() == naming.sequence_architecture) tasks.push_back({model.name, TaskKind::kSequenceClassification});
  if (heads.front() == naming.token_architecture) tasks.push_back({model.name, TaskKind::kTokenClassification});
}

std::optional<TaskKind> kind_of(const lora::AdapterConfig& config) {
  if (config.task_type == "SEQ_CLS") return TaskKind::kSequenceClassification;
  if (config.task_type == "TOKEN_CLS") return TaskKind::kTokenClassification;
  return std::nullopt;
}

void check_base(const AdapterOptions& adapter, const std::vector<ModelOptions>& models) {
  if (adapter.model.empty()) {
    if (models.size() != 1) fail(Status::kParse, "has no \"model\", and there is more than one");
    return;
  }
  const auto is_base = [&](const ModelOptions& model) { return model.name == adapter.model; };
  if (std::none_of(models.begin(), models.end(), is_base)) {
    fail(Status::kParse, "names the model \"", adapter.model, "\", which does not exist");
  }
}

// The tasks of one name under another.
void add_alias(const ConfiguredTask& task, const char* what, const std::string& source,
               std::vector<TaskOutline>& tasks) {
  if (source.empty()) return;
  std::vector<TaskOutline> same;
  for (const TaskOutline& each : tasks) {
    if (each.name == source) same.push_back({task.name, each.kind});
  }
  if (same.empty()) {
    fail(Status::kParse, task.where, ": task \"", task.name, "\" names the ", what, " \"", source,
         "\", which does not exist");
  }
  tasks.insert(tasks.end(), same.begin(), same.end());
}

}  // namespace

std::vector<TaskOutline> outline_tasks(const EngineConfig& config) {
  std::vector<TaskOutline> tasks;
  for (size_t i = 0; i < config.models.size(); ++i) {
    const ModelOptions& model = config.models[i];
    at_place(config.model_places[i], "model", model.name, [&] { add_model(model, tasks); });
  }
  for (size_t i = 0; i < config.adapters.size(); ++i) {
    const AdapterOptions& adapter = config.adapters[i];
    at_place(config.adapter_places[i], "adapter", adapter.name, [&] {
      check_base(adapter, config.models);
      tasks.push_back({adapter.name, kind_of(lora::read_adapter_config(adapter.path))});
    });
  }
  for (const ConfiguredTask& task : config.tasks) {
    add_alias(task, "model", task.model, tasks);
    add_alias(task, "adapter", task.adapter, tasks);
  }
  return tasks;
}

std::string missing_task(std::span<const TaskOutline> tasks, TaskKind kind, const std::string& name) {
  std::set<std::string> of_kind;
  bool other_kind = false;
  for (const TaskOutline& task : tasks) {
    const bool fits = !task.kind || *task.kind == kind;
    if (fits && task.name == name) return {};
    if (fits && (task.kind || !name.empty())) of_kind.insert(task.name);
    other_kind = other_kind || (!fits && task.name == name);
  }
  if (name.empty() && of_kind.size() == 1) return {};
  std::string known;
  for (const std::string& each : of_kind) base::add_quoted(known, each);
  const std::string what(task_kind_name(kind));
  if (of_kind.empty()) return "no model has a head for " + what;
  if (name.empty()) return "there are several tasks for " + what + ": " + known;
  return "task \"" + name + "\" " + (other_kind ? "is not one for " + what : "does not exist") + "; for " + what +
         " there are " + known;
}

}  // namespace vsr::engine
