// What the router asks of models. The engine stands behind it; tests put tables in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "base/error.h"
#include "routing/intents/intents.h"

namespace vsr::routing {

// How windows are joined is no part of it: see TaskAnswer.
struct TaskQuestion {
  std::string task;
};

struct ModelEntity {
  std::string label;
  size_t start = 0;  // bytes in the text
  size_t end = 0;
  double score = 0;
};

// What a signal asks of a task.
enum class TaskUse : uint8_t { kEmbed, kClassify, kFindEntities };

// What one task says of each of several texts. Classifications come window by window, so that whoever asks joins them
// by its own rule: an answer to one question is never that to another.
struct TaskAnswer {
  std::exception_ptr error = {};                        // a base::Error; then there is nothing else
  bool has_entities = false;                            // else scores
  std::vector<std::string> labels = {};                 // of the scores
  std::vector<float> scores = {};                       // [windows of all texts, labels]
  std::vector<size_t> windows = {};                     // of each text, 0 where it was not read; empty: one of each
  std::vector<std::string> unsafe_labels = {};          // those that the config names; empty: none
  std::vector<std::vector<ModelEntity>> entities = {};  // [texts]
};

struct QuestionPair {
  std::string_view first, second;
};

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
  // Tokens of a text without special ones; nothing where there is no tokenizer to count with.
  virtual std::optional<size_t> count_tokens(std::string_view text) const = 0;
};

inline TaskAnswer Inference::classify_pairs(std::span<const QuestionPair>, const std::string& task,
                                            const base::CallLimits&) const {
  base::fail(base::Status::kNotFound, "task \"", task, "\" is not there: no model reads pairs of texts");
}

}  // namespace vsr::routing
