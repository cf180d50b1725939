#include "engine/config.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/yaml.h"

namespace vsr::engine {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::Status;
using base::YamlNode;

ModelOptions read_model(const std::string& name, const YamlNode& node, const fs::path& folder) {
  node.allow_keys({"path", "dtype", "device", "languages", "quality", "matryoshka_dims"});
  ModelOptions model;
  model.name = name;
  model.path = (folder / node.required("path").as_string()).lexically_normal().string();
  if (const auto dtype = node.optional("dtype")) model.dtype = dtype->as_string();
  if (const auto device = node.optional("device")) model.device = device->as_string();
  model.traits = read_model_traits(node);
  return model;
}

ConfiguredTask read_task(const std::string& name, const YamlNode& node) {
  node.allow_keys({"model", "unsafe_labels", "threshold"});
  ConfiguredTask task;
  task.name = name;
  task.where = node.where();
  task.model = node.required("model").as_string();
  if (const auto labels = node.optional("unsafe_labels")) {
    for (const YamlNode& label : labels->items()) {
      task.unsafe_labels.push_back(label.as_string());
      const auto& all = task.unsafe_labels;
      if (std::find(all.begin(), all.end() - 1, all.back()) != all.end() - 1) label.fail("is given twice");
    }
  }
  if (const auto threshold = node.optional("threshold")) {
    const double value = threshold->as_number();
    if (!(value > 0 && value <= 1)) threshold->fail("is out of range, expected above 0 and at most 1");
    task.threshold = static_cast<float>(value);
  }
  return task;
}

std::vector<size_t> label_ids(const ConfiguredTask& task, const std::vector<std::string>& labels) {
  std::vector<size_t> ids;
  for (const std::string& name : task.unsafe_labels) {
    const auto found = std::find(labels.begin(), labels.end(), name);
    if (found == labels.end()) {
      fail(Status::kParse, task.where, ": task \"", task.name, "\": its model has no label \"", name, "\"");
    }
    ids.push_back(static_cast<size_t>(found - labels.begin()));
  }
  return ids;
}

void check_head(const ConfiguredTask& task, const LoadedModel& model) {
  const auto needs = [&](bool given, const char* key, core::HeadKind kind, TaskKind named) {
    if (!given || (model.head && model.head->kind == kind)) return;
    fail(Status::kParse, task.where, ": task \"", task.name, "\" has ", key, ", but the model \"", model.name,
         "\" has no head for ", task_kind_name(named));
  };
  needs(!task.unsafe_labels.empty(), "unsafe_labels", core::HeadKind::kSequence, TaskKind::kSequenceClassification);
  needs(task.threshold.has_value(), "threshold", core::HeadKind::kToken, TaskKind::kTokenClassification);
}

}  // namespace

EngineConfig read_engine_config(const std::string& path) {
  const YamlNode root = base::read_yaml_file(path);
  const auto section = root.optional("vsr");
  if (!section) root.fail("has no section \"vsr\"");
  section->allow_keys({"models", "tasks"});
  EngineConfig config;
  const fs::path folder = fs::path(path).parent_path();
  if (const auto models = section->optional("models")) {
    for (const auto& [name, node] : models->entries()) config.models.push_back(read_model(name, node, folder));
  }
  if (const auto tasks = section->optional("tasks")) {
    for (const auto& [name, node] : tasks->entries()) config.tasks.push_back(read_task(name, node));
  }
  return config;
}

void add_configured_tasks(const EngineConfig& config, const std::vector<std::shared_ptr<const LoadedModel>>& models,
                          std::vector<Task>& tasks) {
  for (const ConfiguredTask& configured : config.tasks) {
    const auto found =
        std::find_if(models.begin(), models.end(), [&](const auto& model) { return model->name == configured.model; });
    if (found == models.end()) {
      fail(Status::kParse, configured.where, ": task \"", configured.name, "\" names the model \"", configured.model,
           "\", which does not exist");
    }
    if (std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) { return task.name == configured.name; })) {
      fail(Status::kParse, configured.where, ": \"", configured.name, "\" is already the name of a model or task");
    }
    check_head(configured, **found);
    for (Task task : tasks_of(*found)) {
      task.name = configured.name;
      task.threshold = configured.threshold;
      task.merge.max_of_labels = label_ids(configured, (*found)->labels.names);
      tasks.push_back(std::move(task));
    }
  }
}

}  // namespace vsr::engine
