// The tasks of one call that one base model answers, and their pass over a block of texts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/window_runner.h"
#include "lora/shared_pass.h"

namespace vsr::engine {

using Inputs = std::vector<std::unique_ptr<text::WindowedInput>>;

class ModelPass {
 public:
  // `runs` are all of one model.
  ModelPass(std::vector<TaskRun*> runs, int64_t layers);

  const LoadedModel& model() const { return *runs_.front()->model; }

  // Reads texts first_text .. of the call. `inputs` are theirs. `after_batch` gets the number of texts that are done
  // and may throw, which ends the pass.
  void run(const Inputs& inputs, size_t first_text, const std::function<void(size_t done)>& after_batch);
  // Hands on what the last block gave.
  void merge(const Inputs& inputs, size_t first_text);

  lora::PassReport report() const { return report_; }
  const std::vector<TaskRun*>& runs() const { return runs_; }

 private:
  struct Window;
  std::vector<Window> list_windows(const Inputs& inputs, size_t first_text) const;
  size_t batch_size(std::span<const Window> windows) const;
  void run_batch(const Inputs& inputs, size_t first_text, std::span<const Window> windows);
  void run_heads(std::span<const lora::BranchStates> states, std::span<const lora::Branch> branches,
                 std::span<const Window> windows);

  std::vector<TaskRun*> runs_;
  std::vector<const lora::Adapter*> adapters_;  // of the branches; null: the base's
  std::vector<size_t> branch_of_;               // run -> branch
  int64_t layers_;
  std::vector<std::vector<WindowOutput>> outputs_;  // [run][slot]
  lora::PassReport report_;
};

}  // namespace vsr::engine
