// The tasks that an engine has, or that a config's will have, told without weights: enough to find out what is missing
// before anything is loaded.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calls/task_kind.h"
#include "engine/config/config.h"

namespace vsr::engine {

struct TaskOutline {
  std::string name;
  std::optional<TaskKind> kind;  // nothing: loading its adapter will tell
};

// Of a config whose models are the only ones. Reads their folders as far as config.json. Throws what is wrong with a
// folder, and with names of models and adapters that do not exist, after the place in the config.
std::vector<TaskOutline> outline_tasks(const EngineConfig& config);

// Why a call of that kind and name, or with an empty name of the only task of the kind, would find no task; empty: it
// would find one.
std::string missing_task(std::span<const TaskOutline> tasks, TaskKind kind, const std::string& name);

}  // namespace vsr::engine
