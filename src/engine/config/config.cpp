#include "engine/config/config.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/yaml.h"
#include "core/linear/linear_type.h"

namespace vsr::engine {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::YamlNode;

// As it is written; whether this machine has the processor or GPU is seen when the model is loaded.
void check_dtype(const YamlNode& node) {
  const std::string name = node.as_string();
  for (const core::LinearType type :
       {core::LinearType::kFloat32, core::LinearType::kBFloat16, core::LinearType::kInt8}) {
    if (name == core::linear_type_name(type)) return;
  }
  if (name != "auto") node.fail("is \"" + name + "\", expected auto, float32, bfloat16 or int8");
}

void check_device(const YamlNode& node) {
  const std::string name = node.as_string();
  if (name == "auto" || name == "cpu" || name == "cuda") return;
  constexpr std::string_view kNumbered = "cuda:";
  constexpr size_t kMostDigits = 3;
  const size_t digits = name.size() - std::min(name.size(), kNumbered.size());
  const bool number = name.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
  if (name.starts_with(kNumbered) && number && digits >= 1 && digits <= kMostDigits) return;
  node.fail("is \"" + name + "\", expected auto, cpu, cuda or cuda:N");
}

ModelOptions read_model(const std::string& name, const YamlNode& node, const fs::path& folder) {
  node.allow_keys({"path", "dtype", "device", "languages", "quality", "matryoshka_dims"});
  ModelOptions model;
  model.name = name;
  model.path = (folder / node.required("path").as_string()).lexically_normal().string();
  if (const auto dtype = node.optional("dtype")) {
    check_dtype(*dtype);
    model.dtype = dtype->as_string();
  }
  if (const auto device = node.optional("device")) {
    check_device(*device);
    model.device = device->as_string();
  }
  model.traits = read_model_traits(node);
  return model;
}

TaskPath read_path(const YamlNode& node) {
  for (const TaskPath path : {TaskPath::kAuto, TaskPath::kStandard, TaskPath::kLora}) {
    if (node.as_string() == task_path_name(path)) return path;
  }
  node.fail("is \"" + node.as_string() + "\", expected auto, standard or lora");
}

ConfiguredTask read_task(const std::string& name, const YamlNode& node) {
  node.allow_keys({"model", "adapter", "path", "unsafe_labels", "threshold"});
  ConfiguredTask task;
  task.name = name;
  task.where = node.where();
  if (const auto model = node.optional("model")) task.model = model->as_string();
  if (const auto adapter = node.optional("adapter")) task.adapter = adapter->as_string();
  if (task.model.empty() && task.adapter.empty()) node.fail("has neither \"model\" nor \"adapter\"");
  if (const auto path = node.optional("path")) task.path = read_path(*path);
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

AdapterOptions read_adapter(const std::string& name, const YamlNode& node, const fs::path& folder) {
  node.allow_keys({"path", "model"});
  AdapterOptions adapter;
  adapter.name = name;
  adapter.path = (folder / node.required("path").as_string()).lexically_normal().string();
  if (const auto model = node.optional("model")) adapter.model = model->as_string();
  return adapter;
}

EngineConfig read_section(const YamlNode& section, const std::string& path) {
  section.allow_keys({"models", "adapters", "tasks", "signal_tasks", "cache", "compression", "limits", "passthrough"});
  EngineConfig config;
  const fs::path folder = fs::path(path).parent_path();
  if (const auto models = section.optional("models")) {
    for (const auto& [name, node] : models->entries()) {
      config.models.push_back(read_model(name, node, folder));
      config.model_places.push_back(node.where());
    }
  }
  if (const auto adapters = section.optional("adapters")) {
    for (const auto& [name, node] : adapters->entries()) {
      config.adapters.push_back(read_adapter(name, node, folder));
      config.adapter_places.push_back(node.where());
    }
  }
  if (const auto tasks = section.optional("tasks")) {
    for (const auto& [name, node] : tasks->entries()) config.tasks.push_back(read_task(name, node));
  }
  return config;
}

}  // namespace

EngineConfig read_engine_config(const std::string& path) {
  const YamlNode root = base::read_yaml_file(path);
  const auto section = root.optional("vsr");
  if (!section) root.fail("has no section \"vsr\"");
  return read_section(*section, path);
}

EngineConfig read_engine_config_if_any(const std::string& path) {
  const auto section = base::read_yaml_file(path).optional("vsr");
  return section ? read_section(*section, path) : EngineConfig{};
}

}  // namespace vsr::engine
