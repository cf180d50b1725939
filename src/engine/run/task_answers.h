// What each kind of task makes of the outputs of its windows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calls/result.h"
#include "engine/run/task.h"
#include "engine/run/task_run.h"

namespace vsr::engine {

// Each fills `result` [texts, ...] while it runs; `result` and `task` outlive it. Rows of texts that are not read are
// NaN.
TaskRun classify_run(const Task& task, size_t texts, Result& result);
TaskRun classify_windows_run(const Task& task, Result& result);  // a row for each window, none for texts not read
TaskRun token_probs_run(const Task& task, Result& result);       // of one text
TaskRun entities_run(const Task& task, std::optional<float> threshold, Result& result);

struct VectorForm {
  int64_t dim = 0;  // 0: all
  bool normalize = true;
  size_t unpooled_tokens = 0;  // see Prompt
  size_t unpooled_content = 0;
};
TaskRun embed_run(const Task& task, const VectorForm& form, size_t texts, Result& result);

// Least score of an entity: the caller's, else the task's, else 0.5. Throws kInvalidArgument out of range.
float entity_threshold(const Task& task, std::optional<float> given);

}  // namespace vsr::engine
