// Facts that answers are held against: read once, shared by any number of streams.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "inference/inference.h"

namespace vsr::guard {

class FactIndex;

// Names of tasks of the models; empty: not asked.
struct FactTasks {
  std::string nli;     // pairs (fact, claim): entailment, neutral, contradiction
  std::string tokens;  // pairs (facts and question, answer): spans of the answer that nothing supports
};

// Immutable and thread-safe.
class FactSet {
 public:
  static constexpr size_t kMostFacts = 20'000;
  static constexpr size_t kMostBytes = size_t{8} << 20;

  // Copies the texts; ill-formed UTF-8 in them is replaced. `models` may be null when no task is named. Throws kLimit
  // for more than kMostFacts texts or kMostBytes bytes, kInvalidArgument for a task without models, kNotFound for one
  // that they do not have (Inference::missing).
  static std::shared_ptr<const FactSet> make(std::span<const std::string_view> texts,
                                             std::shared_ptr<const inference::Inference> models, FactTasks tasks);
  ~FactSet();
  FactSet(const FactSet&) = delete;
  FactSet& operator=(const FactSet&) = delete;

  size_t size() const;
  std::string_view text(size_t fact) const;  // well-formed
  const FactIndex& index() const { return *index_; }
  const inference::Inference* models() const { return models_.get(); }  // null: none
  const FactTasks& tasks() const { return tasks_; }

 private:
  FactSet();

  std::unique_ptr<const FactIndex> index_;
  std::shared_ptr<const inference::Inference> models_;
  FactTasks tasks_;
};

}  // namespace vsr::guard
