#include "engine/window_runner.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "base/error.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

constexpr size_t kTextsPerBlock = 512;
// One product over more rows than this is slower than several over fewer.
constexpr size_t kTokensPerBatch = 2048;
// Below this, handing texts to other threads costs more than tokenizing them.
constexpr size_t kBytesWorthThreads = 16 * 1024;

using Inputs = std::vector<std::unique_ptr<text::WindowedInput>>;

std::unique_ptr<text::WindowedInput> tokenize(const RunSpec& spec, const TextPair& text, size_t index) {
  try {
    return std::make_unique<text::WindowedInput>(*spec.model->tokenizer, text.text, text.pair ? &*text.pair : nullptr,
                                                 spec.model->max_tokens, spec.max_tokens);
  } catch (const base::Error& error) {
    fail(error.status(), "texts[", index, "]: ", error.what());
  }
}

Inputs tokenize_block(const RunSpec& spec, std::span<const TextPair> texts, size_t first_index) {
  Inputs inputs(texts.size());
  const auto one = [&](size_t i) { inputs[i] = tokenize(spec, texts[i], first_index + i); };
  size_t bytes = 0;
  for (const TextPair& text : texts) bytes += text.text.size() + (text.pair ? text.pair->size() : 0);
  if (texts.size() > 1 && bytes > kBytesWorthThreads) {
    tbb::parallel_for(size_t{0}, texts.size(), one);
  } else {
    for (size_t i = 0; i < texts.size(); ++i) one(i);
  }
  return inputs;
}

struct WindowRef {
  size_t input;   // index into the block
  size_t window;  // of that input
  size_t slot;    // index into the block's outputs
  size_t size;    // tokens as the model sees it
};

std::vector<WindowRef> list_windows(const Inputs& inputs) {
  std::vector<WindowRef> windows;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t w = 0; w < inputs[i]->window_count(); ++w) {
      windows.push_back({i, w, windows.size(), inputs[i]->encoded_size(w)});
    }
  }
  // Windows of one length next to each other attend as one dense batch.
  std::stable_sort(windows.begin(), windows.end(),
                   [](const WindowRef& a, const WindowRef& b) { return a.size > b.size; });
  return windows;
}

// How many of the windows at the front fit one batch; at least one.
size_t batch_size(std::span<const WindowRef> windows) {
  size_t tokens = 0;
  size_t count = 0;
  while (count < windows.size() && (count == 0 || tokens + windows[count].size <= kTokensPerBatch)) {
    tokens += windows[count++].size;
  }
  return count;
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

// Finite weights can still overflow. A score that is not a number would compare as "below every threshold", which reads
// as "nothing found".
void check_finite(const LoadedModel& model, std::span<const float> values) {
  if (!std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) {
    fail(Status::kWeights, model.path, ": the forward pass gives values that are not finite (hint: damaged weights?)");
  }
}

// The part of `rows` that belongs to each window, copied out of the tensor.
void scatter(const RunSpec& spec, const at::Tensor& rows, const core::PackedBatch& batch,
             std::span<const WindowRef> windows, std::vector<WindowOutput>& outputs) {
  const at::Tensor dense = rows.to(at::kFloat).contiguous();
  const auto cols = static_cast<size_t>(dense.size(1));
  const float* data = dense.const_data_ptr<float>();
  check_finite(*spec.model, {data, static_cast<size_t>(dense.numel())});
  for (size_t i = 0; i < windows.size(); ++i) {
    const auto sequence = static_cast<int64_t>(i);
    const auto first = static_cast<size_t>(spec.rows_per_token ? batch.begin(sequence) : sequence);
    const auto count = static_cast<size_t>(spec.rows_per_token ? batch.length(sequence) : 1);
    const float* begin = data + first * cols;
    outputs[windows[i].slot] = {{begin, begin + count * cols}, count, cols};
  }
}

// Of a later window only what of the prompt it repeats is left out.
std::vector<int64_t> pooled_from(const RunSpec& spec, const Inputs& inputs, std::span<const WindowRef> windows) {
  std::vector<int64_t> from;
  if (spec.unpooled_tokens == 0) return from;
  for (const WindowRef& ref : windows) {
    const size_t before = std::min(inputs[ref.input]->range(ref.window).begin, spec.unpooled_tokens);
    from.push_back(static_cast<int64_t>(std::min(spec.unpooled_tokens - before, ref.size)));
  }
  return from;
}

void run_batch(const RunSpec& spec, const Inputs& inputs, std::span<const WindowRef> windows,
               std::vector<WindowOutput>& outputs) {
  std::vector<text::Encoding> encodings;
  for (const WindowRef& ref : windows) {
    encodings.push_back(inputs[ref.input]->encode_window(*spec.model->tokenizer, ref.window));
    check_type_ids(*spec.model, encodings.back());
  }
  spec.model->compute->run([&] {
    core::PackedBatch batch = core::pack(encodings);
    batch.pooled_from = pooled_from(spec, inputs, windows);
    const at::Tensor hidden = spec.model->encoder->forward(batch, {.layers = spec.layers});
    scatter(spec, spec.head(hidden, batch), batch, windows, outputs);
  });
}

// Tells the caller how many texts are done, which is known for whole texts only.
class ProgressMeter {
 public:
  ProgressMeter(const Progress& progress, size_t total) : progress_(progress), total_(total) {}
  void expect(const Inputs& inputs) {
    windows_left_.clear();
    for (const auto& input : inputs) windows_left_.push_back(input->window_count());
  }
  void finished(std::span<const WindowRef> windows) {
    for (const WindowRef& ref : windows) done_ += --windows_left_[ref.input] == 0 ? 1 : 0;
    if (progress_ && progress_(done_, total_)) {
      fail(Status::kCancelled, "cancelled by the progress callback after ", done_, " of ", total_, " texts");
    }
  }

 private:
  const Progress& progress_;
  size_t total_;
  size_t done_ = 0;
  std::vector<size_t> windows_left_;
};

TextUsage usage_of(const text::WindowedInput& input) {
  return {.tokens = input.token_count(),
          .windows = input.window_count(),
          .dropped = 0,
          .replaced_bytes = input.replaced_bytes()};
}

}  // namespace

std::vector<TextUsage> run_windows(const RunSpec& spec, std::span<const TextPair> texts,
                                   const std::function<void(size_t text, const ReadText& read)>& merge) {
  std::vector<TextUsage> usage;
  usage.reserve(texts.size());
  ProgressMeter meter(spec.progress, texts.size());
  for (size_t first = 0; first < texts.size(); first += kTextsPerBlock) {
    const auto block = texts.subspan(first, std::min(kTextsPerBlock, texts.size() - first));
    const Inputs inputs = tokenize_block(spec, block, first);
    meter.expect(inputs);
    const std::vector<WindowRef> windows = list_windows(inputs);
    std::vector<WindowOutput> outputs(windows.size());
    for (std::span<const WindowRef> rest = windows; !rest.empty();) {
      const auto batch = rest.first(batch_size(rest));
      run_batch(spec, inputs, batch, outputs);
      meter.finished(batch);
      rest = rest.subspan(batch.size());
    }
    std::span<const WindowOutput> left = outputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      merge(first + i, {*inputs[i], left.first(inputs[i]->window_count())});
      left = left.subspan(inputs[i]->window_count());
      usage.push_back(usage_of(*inputs[i]));
    }
  }
  return usage;
}

}  // namespace vsr::engine
