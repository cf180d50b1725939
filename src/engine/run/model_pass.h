// The tasks of one call that one base model answers.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "engine/model/loaded_model.h"
#include "engine/run/task_run.h"
#include "lora/shared_pass.h"

namespace vsr::engine {

// The pool's threads hand in errors and reports, under a lock; the rest does not change.
class ModelPass {
 public:
  // `runs` are all of one model. `layers`: how many blocks to run, 0 for all.
  ModelPass(std::vector<TaskRun*> runs, int64_t layers) : runs_(std::move(runs)), layers_(layers) {}

  const LoadedModel& model() const { return *runs_.front()->model; }
  const std::shared_ptr<const LoadedModel>& shared_model() const { return runs_.front()->model; }
  const std::vector<TaskRun*>& runs() const { return runs_; }
  int64_t layers() const { return layers_; }
  // How many sets of weights the runs have: adapters, and the base if any run uses it alone.
  size_t variants() const;
  bool reads(size_t text) const;

  // The first error of a run is kept.
  void fail_run(size_t run, std::exception_ptr error);
  void fail_all(std::exception_ptr error);
  bool has_failed(size_t run) const;

  // Adds what a batch of this pass alone would run.
  void count(const core::PackedBatch& batch, std::span<const lora::Branch> branches);
  lora::PassReport report() const { return report_; }

 private:
  const std::vector<TaskRun*> runs_;
  const int64_t layers_;
  mutable std::mutex mutex_;
  lora::PassReport report_;
};

}  // namespace vsr::engine
