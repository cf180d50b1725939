// Routes one text after the other to intents, with what other tasks say about it in the same pass.
#pragma once

#include <string>
#include <vector>

#include "handles.h"
#include "input.h"
#include "json.h"
#include "multi.h"

namespace vsr::cli {

// What is known of one text. `answers` is NULL where no other task was asked.
struct Routed {
  Matches matches;
  Multi answers;
};

class IntentsRouter {
 public:
  // `task` is the set's embedding task, empty for the only one; `also` are the other tasks.
  IntentsRouter(const vsr_engine* engine, const vsr_intents* set, const std::string& task,
                std::vector<std::string> also);

  // The time of one text is then what a caller waits for its answer.
  Routed route(const Text& text) const;
  // The outcomes of the other tasks.
  std::vector<vsr_task_outcome> outcomes(const Routed& routed) const;
  // From vsr_engine_describe().
  const Json& description() const { return description_; }
  const std::vector<std::string>& also() const { return also_; }

 private:
  const vsr_engine* engine_;
  const vsr_intents* set_;
  std::vector<std::string> also_;
  Json description_;
  MultiArguments call_;  // the other tasks, then the embedding task
};

}  // namespace vsr::cli
