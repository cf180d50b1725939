// A block of texts on its way through one model: a list of windows that the pool's threads take in batches, together
// with those of other calls.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/schedule/compute_pool.h"
#include "engine/run/model_pass.h"
#include "engine/run/window_output.h"
#include "text/windows.h"

namespace vsr::engine {

using Inputs = std::vector<std::unique_ptr<text::WindowedInput>>;

struct Window {
  size_t input;   // index into the block
  size_t window;  // of that input
  size_t slot;    // index into the outputs of a run
  size_t begin;   // its first token of the text
  size_t size;    // tokens as the model sees it

  // The first that pooling sees. Of a later window only what it repeats is left out.
  int64_t pooled_from(size_t unpooled) const;
};

// Is in the pool's queue from construction until destruction.
class BlockWork final : public core::Work {
 public:
  // `inputs` are the texts first_text .. of the call; they and `pass` outlive this. `run` runs batches of blocks
  // and is the same for all of them.
  BlockWork(Runner run, ModelPass& pass, const Inputs& inputs, size_t first_text);

  // Waits. `on_texts`, which may be empty, gets the number of texts that are done and may throw, which ends the work.
  // Throws what core::Submission::wait() throws.
  void wait(const base::CallLimits& limits, const std::function<void(size_t done)>& on_texts);
  // Hands the outputs on, when all are there.
  void merge();

  bool packs_with(const core::Work& other) const override;
  double operations_per_token() const override;
  Runner runner() const override { return runner_; }

  // For the runner.
  ModelPass& pass() const { return pass_; }
  const Window& window(size_t item) const { return windows_[item]; }
  size_t text_of(const Window& window) const { return first_text_ + window.input; }
  text::Encoding encode(const Window& window) const;
  void set_output(size_t run, const Window& window, WindowOutput output);

 private:
  BlockWork(Runner run, ModelPass& pass, const Inputs& inputs, size_t first_text, std::vector<Window> windows);

  const Runner runner_;
  ModelPass& pass_;
  const Inputs& inputs_;
  const size_t first_text_;
  const std::vector<Window> windows_;               // one for each item
  std::vector<std::vector<WindowOutput>> outputs_;  // [run][slot]
  std::optional<core::Submission> submission_;      // none if no text is read; the first to be destroyed
};

}  // namespace vsr::engine
