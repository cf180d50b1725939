// All tasks of an engine at one moment: those of its models, of the adapters that are loaded, and of its config. Built
// anew whenever an adapter comes or goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/config/config.h"
#include "engine/config/engine_options.h"
#include "engine/run/task.h"
#include "lora/adapter.h"

namespace vsr::engine {

using Models = std::vector<std::shared_ptr<const LoadedModel>>;

struct LoadedAdapter {
  std::shared_ptr<const lora::Adapter> adapter;
  std::shared_ptr<const LoadedModel> model;
};

struct TaskTable {
  std::vector<LoadedAdapter> adapters;
  std::vector<Task> tasks;
};

// Reads an adapter for one of the models. Throws kNotFound for a model that does not exist, and what
// lora::load_adapter() throws.
LoadedAdapter load_adapter(const AdapterOptions& options, const Models& models);

// Throws kInvalidArgument for two of one name, kParse where the config names what does not exist.
std::shared_ptr<const TaskTable> make_task_table(const Models& models, std::vector<LoadedAdapter> adapters,
                                                 const std::vector<ConfiguredTask>& configured);

// The model of that name, or with an empty name the only one. Throws kNotFound, kInvalidArgument.
const std::shared_ptr<const LoadedModel>& find_model(const Models& models, const std::string& name);

}  // namespace vsr::engine
