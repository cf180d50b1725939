#include "engine/run/block_work.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

std::vector<Window> list_windows(const ModelPass& pass, const Inputs& inputs, size_t first_text) {
  std::vector<Window> windows;
  size_t slot = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool read = pass.reads(first_text + i);
    for (size_t w = 0; w < inputs[i]->window_count(); ++w, ++slot) {
      if (read) windows.push_back({i, w, slot, inputs[i]->range(w).begin, inputs[i]->encoded_size(w)});
    }
  }
  // Batches of windows of about one length finish together, the long ones first.
  std::stable_sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.size > b.size; });
  return windows;
}

std::vector<core::WorkItem> items_of(const std::vector<Window>& windows, size_t variants) {
  std::vector<core::WorkItem> items;
  items.reserve(windows.size());
  for (const Window& window : windows) items.push_back({window.size, window.size * variants});
  return items;
}

void check_type_ids(const LoadedModel& model, const text::Encoding& encoding) {
  const int64_t types = model.encoder->info().type_vocab_size;
  if (types == 0) return;
  const auto too_large = [types](int32_t type) { return type >= types; };
  if (std::any_of(encoding.type_ids.begin(), encoding.type_ids.end(), too_large)) {
    fail(Status::kUnsupported, model.path, ": the tokenizer gives token type ids beyond config.json's type_vocab_size ",
         types);
  }
}

}  // namespace

int64_t Window::pooled_from(size_t unpooled) const {
  return static_cast<int64_t>(std::min(unpooled - std::min(begin, unpooled), size));
}

BlockWork::BlockWork(Runner run, ModelPass& pass, const Inputs& inputs, size_t first_text)
    : BlockWork(run, pass, inputs, first_text, list_windows(pass, inputs, first_text)) {}

BlockWork::BlockWork(Runner run, ModelPass& pass, const Inputs& inputs, size_t first_text, std::vector<Window> windows)
    : Work(items_of(windows, pass.variants())),
      runner_(run),
      pass_(pass),
      inputs_(inputs),
      first_text_(first_text),
      windows_(std::move(windows)) {
  size_t slots = 0;
  for (const auto& input : inputs_) slots += input->window_count();
  outputs_.resize(pass_.runs().size());
  for (auto& outputs : outputs_) outputs.resize(slots);
  if (!windows_.empty()) submission_.emplace(pass_.model().compute(), *this);
}

void BlockWork::wait(const base::CallLimits& limits, const std::function<void(size_t done)>& on_texts) {
  if (!submission_) return;
  std::vector<size_t> windows_left;
  for (const auto& input : inputs_) windows_left.push_back(input->window_count());
  size_t done = 0;
  submission_->wait(limits, [&](std::span<const core::ItemRange> finished) {
    if (!on_texts) return;
    for (const core::ItemRange& range : finished) {
      for (size_t i = 0; i < range.count; ++i) {
        done += --windows_left[windows_[range.first + i].input] == 0 ? 1 : 0;
      }
    }
    on_texts(done);
  });
}

void BlockWork::merge() {
  for (size_t r = 0; r < pass_.runs().size(); ++r) {
    TaskRun& run = *pass_.runs()[r];
    std::span<const WindowOutput> left = outputs_[r];
    for (size_t i = 0; i < inputs_.size() && !run.error; ++i) {
      const text::WindowedInput& input = *inputs_[i];
      if (run.wants(first_text_ + i)) {
        run.merge(first_text_ + i, {input, left.first(input.window_count())});
        run.usage[first_text_ + i] = {.tokens = input.token_count(),
                                      .windows = input.window_count(),
                                      .dropped = 0,
                                      .replaced_bytes = input.replaced_bytes()};
      }
      left = left.subspan(input.window_count());
    }
  }
}

bool BlockWork::packs_with(const core::Work& other) const {
  const auto* block = dynamic_cast<const BlockWork*>(&other);
  return block != nullptr && &block->pass_.model() == &pass_.model() && block->pass_.layers() == pass_.layers();
}

// Attention's products with Q, K, V and the output, and three of an MLP with a gate.
double BlockWork::operations_per_token() const {
  const core::EncoderInfo& info = pass_.model().encoder->info();
  const auto hidden = static_cast<double>(info.hidden_size);
  const auto intermediate = static_cast<double>(info.intermediate_size);
  return 2 * static_cast<double>(info.num_hidden_layers) * hidden * (4 * hidden + 3 * intermediate);
}

text::Encoding BlockWork::encode(const Window& window) const {
  text::Encoding encoding = inputs_[window.input]->encode_window(*pass_.model().tokenizer, window.window);
  check_type_ids(pass_.model(), encoding);
  return encoding;
}

void BlockWork::set_output(size_t run, const Window& window, WindowOutput output) {
  outputs_[run][window.slot] = std::move(output);
}

}  // namespace vsr::engine
