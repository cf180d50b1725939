#include "engine/model_pass.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

// One product over more rows than this is slower than several over fewer.
constexpr size_t kTokensPerBatch = 2048;
// The most rows where every task has its own, which bounds memory.
constexpr size_t kStackedTokens = 8192;

void check_type_ids(const LoadedModel& model, const text::Encoding& encoding) {
  const int64_t types = model.encoder->info().type_vocab_size;
  if (types == 0) return;
  const auto too_large = [types](int32_t type) { return type >= types; };
  if (std::any_of(encoding.type_ids.begin(), encoding.type_ids.end(), too_large)) {
    fail(Status::kUnsupported, model.path, ": the tokenizer gives token type ids beyond config.json's type_vocab_size ",
         types);
  }
}

// Finite weights can still overflow. A score that is not a number would compare as "below every threshold", which reads
// as "nothing found".
void check_finite(const TaskRun& run, std::span<const float> values) {
  if (std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) return;
  fail(Status::kWeights, run.adapter != nullptr ? run.adapter->path : run.model->path,
       ": the forward pass gives values that are not finite (hint: damaged weights?)");
}

bool wants(const TaskRun& run, size_t text) { return run.wanted.empty() || run.wanted[text]; }

}  // namespace

struct ModelPass::Window {
  size_t input;   // index into the block
  size_t window;  // of that input
  size_t slot;    // index into outputs_
  size_t size;    // tokens as the model sees it
};

ModelPass::ModelPass(std::vector<TaskRun*> runs, int64_t layers) : runs_(std::move(runs)), layers_(layers) {
  for (const TaskRun* run : runs_) {
    const auto found = std::find(adapters_.begin(), adapters_.end(), run->adapter);
    branch_of_.push_back(static_cast<size_t>(found - adapters_.begin()));
    if (found == adapters_.end()) adapters_.push_back(run->adapter);
  }
  outputs_.resize(runs_.size());
}

std::vector<ModelPass::Window> ModelPass::list_windows(const Inputs& inputs, size_t first_text) const {
  std::vector<Window> windows;
  size_t slot = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool read =
        std::any_of(runs_.begin(), runs_.end(), [&](const TaskRun* run) { return wants(*run, first_text + i); });
    for (size_t w = 0; w < inputs[i]->window_count(); ++w, ++slot) {
      if (read) windows.push_back({i, w, slot, inputs[i]->encoded_size(w)});
    }
  }
  // Windows of one length next to each other attend as one dense batch.
  std::stable_sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.size > b.size; });
  return windows;
}

// How many of the windows at the front fit one batch; at least one.
size_t ModelPass::batch_size(std::span<const Window> windows) const {
  const size_t most = std::min(kTokensPerBatch, kStackedTokens / adapters_.size());
  size_t tokens = 0;
  size_t count = 0;
  while (count < windows.size() && (count == 0 || tokens + windows[count].size <= most))
    tokens += windows[count++].size;
  return count;
}

void ModelPass::run(const Inputs& inputs, size_t first_text, const std::function<void(size_t done)>& after_batch) {
  size_t slots = 0;
  std::vector<size_t> windows_left;
  for (const auto& input : inputs) {
    slots += input->window_count();
    windows_left.push_back(input->window_count());
  }
  for (auto& outputs : outputs_) outputs.assign(slots, {});
  const std::vector<Window> windows = list_windows(inputs, first_text);
  size_t done = 0;
  for (std::span<const Window> rest = windows; !rest.empty();) {
    const auto batch = rest.first(batch_size(rest));
    run_batch(inputs, first_text, batch);
    for (const Window& window : batch) done += --windows_left[window.input] == 0 ? 1 : 0;
    after_batch(done);
    rest = rest.subspan(batch.size());
  }
}

void ModelPass::run_batch(const Inputs& inputs, size_t first_text, std::span<const Window> windows) {
  std::vector<text::Encoding> encodings;
  for (const Window& window : windows) {
    encodings.push_back(inputs[window.input]->encode_window(*model().tokenizer, window.window));
    check_type_ids(model(), encodings.back());
  }
  std::vector<lora::Branch> branches;
  for (const lora::Adapter* adapter : adapters_) branches.push_back({adapter, {}});
  for (size_t i = 0; i < windows.size(); ++i) {
    std::vector<bool> reads(branches.size(), false);
    for (size_t r = 0; r < runs_.size(); ++r) {
      if (wants(*runs_[r], first_text + windows[i].input)) reads[branch_of_[r]] = true;
    }
    for (size_t b = 0; b < branches.size(); ++b) {
      if (reads[b]) branches[b].sequences.push_back(static_cast<int64_t>(i));
    }
  }
  model().compute->run([&] {
    const auto states = lora::run_shared(*model().encoder, core::pack(encodings), branches, layers_, report_);
    run_heads(states, branches, windows);
  });
}

// The part of a head's rows that belongs to each window, copied out of the tensor.
void ModelPass::run_heads(std::span<const lora::BranchStates> states, std::span<const lora::Branch> branches,
                          std::span<const Window> windows) {
  for (size_t r = 0; r < runs_.size(); ++r) {
    TaskRun& run = *runs_[r];
    const lora::Branch& branch = branches[branch_of_[r]];
    if (run.error || branch.sequences.empty()) continue;
    try {
      const core::PackedBatch& batch = states[branch_of_[r]].batch;
      const at::Tensor dense = run.head(states[branch_of_[r]].hidden, batch).to(at::kFloat).contiguous();
      const auto cols = static_cast<size_t>(dense.size(1));
      const float* data = dense.const_data_ptr<float>();
      check_finite(run, {data, static_cast<size_t>(dense.numel())});
      for (int64_t i = 0; i < batch.sequences(); ++i) {
        const auto first = static_cast<size_t>(run.rows_per_token ? batch.begin(i) : i);
        const auto count = static_cast<size_t>(run.rows_per_token ? batch.length(i) : 1);
        const float* begin = data + first * cols;
        const auto window = static_cast<size_t>(branch.sequences[static_cast<size_t>(i)]);
        outputs_[r][windows[window].slot] = {{begin, begin + count * cols}, count, cols};
      }
    } catch (const base::Error&) {
      run.error = std::current_exception();
    }
  }
}

void ModelPass::merge(const Inputs& inputs, size_t first_text) {
  for (size_t r = 0; r < runs_.size(); ++r) {
    TaskRun& run = *runs_[r];
    std::span<const WindowOutput> left = outputs_[r];
    for (size_t i = 0; i < inputs.size() && !run.error; ++i) {
      const text::WindowedInput& input = *inputs[i];
      if (wants(run, first_text + i)) {
        run.merge(first_text + i, {input, left.first(input.window_count())});
        run.usage[first_text + i] = {.tokens = input.token_count(),
                                     .windows = input.window_count(),
                                     .dropped = 0,
                                     .replaced_bytes = input.replaced_bytes()};
      }
      left = left.subspan(input.window_count());
    }
  }
}

}  // namespace vsr::engine
