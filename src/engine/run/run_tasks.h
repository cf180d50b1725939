// Runs texts of any length through models: windows of all texts, sorted by length, in packed batches, one pass of each
// base model for all the tasks that it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/call_limits.h"
#include "engine/calls/call_options.h"
#include "engine/calls/result.h"
#include "engine/run/admission.h"
#include "engine/run/task_run.h"

namespace vsr::engine {

struct RunOptions {
  base::CallLimits limits = {};
  int64_t layers = 0;             // 0: all
  bool specials_as_text = false;  // special tokens that a text spells out are words of it
};

// An error of one task is kept in its run and leaves the others alone; the call throws when it is cancelled, late, or
// finds the queue full. Texts are tokenized once for each tokenizer.
std::vector<PassSummary> run_tasks(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options,
                                   Admission& admission);

}  // namespace vsr::engine
