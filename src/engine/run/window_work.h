// The windows of some texts of a call that one model reads, for all of the call's runs on that model: what waits for
// the pool's threads, which take it in batches together with windows of other calls, and what comes back.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/batch/batch.h"
#include "core/schedule/work.h"
#include "engine/model/loaded_model.h"
#include "engine/run/task_run.h"
#include "engine/run/window_output.h"
#include "lora/shared_pass.h"
#include "text/windows.h"

namespace vsr::engine {

using Inputs = std::vector<std::unique_ptr<text::WindowedInput>>;

struct Window {
  size_t input;   // index into the inputs
  size_t window;  // of that input
  size_t slot;    // index into the outputs of a run
  size_t begin;   // its first token of the text
  size_t size;    // tokens as the model sees it

  // The first that pooling sees. Of a later window only what it repeats is left out.
  int64_t pooled_from(size_t unpooled) const;
};

class WindowWork final : public core::Work {
 public:
  // `runs` are all of one model, which runs `layers` of its blocks, 0 for all. `inputs` are the texts first_text .. of
  // the call. Both outlive this.
  WindowWork(std::span<TaskRun* const> runs, int64_t layers, const Inputs& inputs, size_t first_text);

  bool is_empty() const { return windows_.empty(); }
  // For the thread that hears what is finished: how many texts are done with these.
  size_t finish(std::span<const core::ItemRange> items);
  // Once the pool has done with it: gives every run without an answer this error.
  void fail(const std::exception_ptr& error);
  // Hands the outputs on to the runs, and gives what was run.
  lora::PassReport merge();

  bool packs_with(const core::Work& other) const override;
  double operations_per_token() const override;
  Runner runner() const override;

 private:
  class BatchPass;
  WindowWork(std::span<TaskRun* const> runs, int64_t layers, const Inputs& inputs, size_t first_text,
             std::vector<Window> windows);

  const LoadedModel& model() const { return *runs_.front()->model; }
  size_t text_of(const Window& window) const { return first_text_ + window.input; }
  text::Encoding encode(const Window& window) const;

  // The pool's threads hand in outputs, each its own, and with the lock errors and reports.
  void set_output(size_t run, const Window& window, WindowOutput output);
  void fail_run(size_t run, const std::exception_ptr& error);  // the first is kept
  bool has_failed(size_t run) const;
  void count(const core::PackedBatch& batch, std::span<const lora::Branch> branches);

  const std::span<TaskRun* const> runs_;
  const int64_t layers_;
  const Inputs& inputs_;
  const size_t first_text_;
  const std::vector<Window> windows_;               // one for each item
  std::vector<size_t> windows_left_;                // of each text
  std::vector<std::vector<WindowOutput>> outputs_;  // [run][slot]
  mutable std::mutex mutex_;
  lora::PassReport report_;
};

}  // namespace vsr::engine
