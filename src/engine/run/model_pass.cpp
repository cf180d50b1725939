#include "engine/run/model_pass.h"

#include <algorithm>
#include <set>

namespace vsr::engine {

size_t ModelPass::variants() const {
  std::set<const lora::Adapter*> adapters;
  for (const TaskRun* run : runs_) adapters.insert(run->adapter.get());
  return adapters.size();
}

bool ModelPass::reads(size_t text) const {
  return std::any_of(runs_.begin(), runs_.end(), [text](const TaskRun* run) { return run->wants(text); });
}

void ModelPass::fail_run(size_t run, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!runs_[run]->error) runs_[run]->error = std::move(error);
}

void ModelPass::fail_all(std::exception_ptr error) {
  for (size_t run = 0; run < runs_.size(); ++run) fail_run(run, error);
}

bool ModelPass::has_failed(size_t run) const {
  const std::lock_guard lock(mutex_);
  return runs_[run]->error != nullptr;
}

void ModelPass::count(const core::PackedBatch& batch, std::span<const lora::Branch> branches) {
  const std::lock_guard lock(mutex_);
  lora::count_rows(*model().encoder, batch, branches, layers_, report_);
}

}  // namespace vsr::engine
