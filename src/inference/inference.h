// Models as those see them who ask: which tasks there are, and what these say of texts. An engine is one
// (engine/inference/); tests put tables in its place.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "inference/embedder.h"
#include "inference/task_answer.h"

namespace vsr::inference {

// Methods are thread-safe.
class Inference {
 public:
  virtual ~Inference() = default;
  // Whether there is any model at all. Loads none.
  virtual bool has_models() const = 0;
  // Why a task cannot be asked, as far as that is known without loading a model; empty: nothing is known against it. An
  // empty name is the only task of its use. Throws what is wrong with a model's folder.
  virtual std::string missing(const std::string& /*task*/, TaskUse /*use*/) const { return {}; }
  // Loads whatever calls would load. Throws what they would.
  virtual void load() const {}
  // The embeddings of a task, or of the only one there is when `task` is empty. Texts of any length.
  virtual std::shared_ptr<const Embedder> embedder(const std::string& task) const = 0;
  // One pass of each base model for all tasks; `wanted` [texts, tasks] says which text each reads. A task that cannot
  // answer has an error of its own; only kCancelled and kDeadline end the call.
  virtual std::vector<TaskAnswer> classify(std::span<const std::string_view> texts, std::span<const TaskQuestion> tasks,
                                           const std::vector<bool>& wanted, const base::CallLimits& limits) const = 0;
  // What a task for pairs says of each. By default there is none.
  virtual TaskAnswer classify_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                                    const base::CallLimits& limits) const;
  // The entities that a task finds in the second text of each pair, which it reads together with the first: its spans
  // and scores, all that reach the task's threshold. By default there is none.
  virtual TaskAnswer entities_of_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                                       const base::CallLimits& limits) const;
  // Tokens of a text without special ones; nothing where there is no tokenizer to count with.
  virtual std::optional<size_t> count_tokens(std::string_view text) const = 0;
};

}  // namespace vsr::inference
