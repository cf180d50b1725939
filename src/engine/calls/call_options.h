// What goes into an engine's calls. No LibTorch here: the layers above include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "engine/calls/task_kind.h"

namespace vsr::engine {

struct TextPair {
  std::string_view text;
  std::optional<std::string_view> pair;
};

struct EmbedOptions {
  std::string task;   // empty: the only embedding task
  int64_t dim = 0;    // 0: all
  int64_t layer = 0;  // 0: all
  bool normalize = true;
  std::optional<std::string> prompt;       // a name from the checkpoint's prompts
  std::optional<std::string> instruction;  // free text instead
  bool specials_as_text = false;           // special tokens that a text spells out are words of it
  base::CallLimits limits;
};

struct ClassifyOptions {
  std::string task;                // empty: the only task of the kind
  std::optional<float> threshold;  // entities only; unset: the task's, else 0.5
  bool specials_as_text = false;   // special tokens that a text spells out are words of it
  base::CallLimits limits;
};

struct MultiOptions {
  std::vector<std::string> tasks;
  bool every_task = false;          // all classification tasks in place of `tasks`
  TaskPath path = TaskPath::kAuto;  // of tasks that have both; auto: the adapter where its base runs anyway
  std::optional<float> threshold;   // of entities; unset: each task's, else 0.5
  std::vector<bool> wanted;         // [texts, tasks] row-major: which text each task reads; empty: all
  bool missing_alone = false;       // a task that does not exist fails alone, and not the call
  // Sequence classification gives the rows of all windows, one text after the other (`usage` says how many each has),
  // and the caller joins them.
  bool every_window = false;
  base::CallLimits limits;
};

}  // namespace vsr::engine
