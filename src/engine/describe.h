// What an engine holds, as the JSON of vsr_engine_describe().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run/admission.h"
#include "engine/task_table.h"

namespace vsr::engine {

std::string describe_json(const std::vector<std::shared_ptr<const LoadedModel>>& models, const TaskTable& table,
                          const QueueState& queue);

}  // namespace vsr::engine
