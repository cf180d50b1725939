#include "engine/run/run_tasks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/parallel.h"
#include "core/schedule/compute_pool.h"
#include "engine/run/window_work.h"
#include "text/tokens/specials_as_text.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

// How many texts are read at a time, so that memory does not grow with their number.
constexpr size_t kTextsAtATime = 512;
// The text that reaches this is the last of them.
constexpr size_t kBytesAtATime = size_t{1} << 20;
// Below this, handing texts to other threads costs more than tokenizing them.
constexpr size_t kBytesWorthThreads = 16 * 1024;

// Models with the same tokenizer and limit read the same windows.
using TokenizerKey = std::pair<const text::Tokenizer*, size_t>;
TokenizerKey key_of(const LoadedModel& model) { return {model.tokenizer.get(), model.max_tokens}; }

std::unique_ptr<text::WindowedInput> tokenize(const TokenizerKey& key, const RunOptions& options, const TextPair& text,
                                              size_t index) {
  const text::SpecialsAsText specials(options.specials_as_text);
  try {
    auto input = std::make_unique<text::WindowedInput>(*key.first, text.text, text.pair ? &*text.pair : nullptr,
                                                       key.second, options.limits.max_tokens);
    if (input->token_count() == 0) {
      fail(Status::kInvalidArgument,
           "has no tokens, and there is nothing to read (hint: the tokenizer adds no special ",
           "ones, so that a text must not be empty)");
    }
    return input;
  } catch (const base::Error& error) {
    fail(error.status(), "texts[", index, "]: ", error.what());
  }
}

Inputs tokenize_all(const TokenizerKey& key, const RunOptions& options, std::span<const TextPair> texts,
                    size_t first_index) {
  Inputs inputs(texts.size());
  const auto one = [&](size_t i) { inputs[i] = tokenize(key, options, texts[i], first_index + i); };
  size_t bytes = 0;
  for (const TextPair& text : texts) bytes += text.text.size() + (text.pair ? text.pair->size() : 0);
  if (texts.size() > 1 && bytes > kBytesWorthThreads) {
    base::parallel_for(texts.size(), one);
  } else {
    for (size_t i = 0; i < texts.size(); ++i) one(i);
  }
  return inputs;
}

// How many of the texts are read next; at least one.
size_t count_next(std::span<const TextPair> texts) {
  size_t bytes = 0;
  size_t count = 0;
  while (count < std::min(texts.size(), kTextsAtATime) && bytes < kBytesAtATime) {
    bytes += texts[count].text.size() + (texts[count].pair ? texts[count].pair->size() : 0);
    ++count;
  }
  return count;
}

// All that one caller asked at once.
class Call {
 public:
  Call(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options, Admission::Ticket& ticket)
      : texts_(texts), options_(options), ticket_(ticket) {
    for (TaskRun& run : runs) {
      run.usage.assign(texts.size(), {});
      const auto same = [&](const ModelPart& part) { return &part.model() == run.model.get(); };
      auto found = std::find_if(parts_.begin(), parts_.end(), same);
      if (found == parts_.end()) found = parts_.insert(parts_.end(), ModelPart{});
      found->runs.push_back(&run);
    }
  }

  void read_all() {
    for (size_t first = 0; first < texts_.size();) {
      options_.limits.check();
      const auto rest = texts_.subspan(first);
      const auto next = rest.first(count_next(rest));
      read(first, next);
      first += next.size();
    }
  }

  // One for each model.
  std::vector<PassSummary> summaries() const {
    std::vector<PassSummary> summaries;
    for (const ModelPart& part : parts_) summaries.push_back(part.summary());
    return summaries;
  }

 private:
  // What one model answers of it.
  struct ModelPart {
    std::vector<TaskRun*> runs = {};
    lora::PassReport report = {};

    const LoadedModel& model() const { return *runs.front()->model; }
    bool has_failed() const {
      return std::ranges::all_of(runs, [](const TaskRun* run) { return run->error != nullptr; });
    }
    PassSummary summary() const {
      const int64_t blocks = model().encoder->info().num_hidden_layers;
      PassSummary summary{.model = model().name,
                          .tasks = {},
                          .blocks = blocks,
                          .shared_blocks = std::min(report.shared_blocks, blocks),
                          .block_rows = report.block_rows,
                          .separate_rows = report.separate_rows};
      for (const TaskRun* run : runs) summary.tasks.push_back(run->name);
      return summary;
    }
  };

  void read(size_t first, std::span<const TextPair> texts) {
    std::map<TokenizerKey, Inputs> inputs;
    std::vector<ModelPart*> live;
    size_t tokens = 0;
    for (ModelPart& part : parts_) {
      if (!tokenize_for(part, inputs, texts, first)) continue;
      live.push_back(&part);
      for (const auto& input : inputs.at(key_of(part.model()))) tokens += input->token_count();
    }
    ticket_.hold(tokens);
    std::vector<std::unique_ptr<WindowWork>> works;
    for (const ModelPart* part : live) {
      works.push_back(
          std::make_unique<WindowWork>(part->runs, options_.layers, inputs.at(key_of(part->model())), first));
    }
    run(works, first);
    if (works.size() != 1) report_progress(first + texts.size());
    for (size_t i = 0; i < works.size(); ++i) live[i]->report.add(works[i]->merge());
  }

  // Whether there is anything for the model to run.
  bool tokenize_for(ModelPart& part, std::map<TokenizerKey, Inputs>& inputs, std::span<const TextPair> texts,
                    size_t first) const {
    if (part.has_failed()) return false;
    const TokenizerKey key = key_of(part.model());
    if (inputs.contains(key)) return true;
    try {
      inputs.emplace(key, tokenize_all(key, options_, texts, first));
      return true;
    } catch (const base::Error&) {
      options_.limits.check();  // the end of the call is nobody's own error
      for (TaskRun* run : part.runs) run->error = std::current_exception();
      return false;
    }
  }

  // Of a single model the caller hears of every batch.
  void run(const std::vector<std::unique_ptr<WindowWork>>& works, size_t first) const {
    std::vector<core::Work*> waiting;  // a work of which nothing is read has nothing to wait for
    for (const auto& work : works) {
      if (!work->is_empty()) waiting.push_back(work.get());
    }
    if (waiting.empty()) return;
    size_t done = first;
    core::ComputePool::OnFinished on_finished;
    if (works.size() == 1) {
      on_finished = [&](const core::Work&, std::span<const core::ItemRange> items) {
        done += works.front()->finish(items);
        report_progress(done);
      };
    }
    try {
      parts_.front().model().compute().run(waiting, options_.limits, on_finished);
    } catch (const base::Error& error) {
      if (error.status() == Status::kCancelled || error.status() == Status::kDeadline) throw;
      for (const auto& work : works) work->fail(std::current_exception());
    }
    for (const auto& work : works) {
      if (work->error()) work->fail(work->error());
    }
  }

  void report_progress(size_t done) const {
    const auto& progress = options_.limits.progress;
    if (progress && progress(done, texts_.size())) {
      fail(Status::kCancelled, "cancelled by the progress callback after ", done, " of ", texts_.size(), " texts");
    }
  }

  std::span<const TextPair> texts_;
  const RunOptions& options_;
  Admission::Ticket& ticket_;
  std::vector<ModelPart> parts_;
};

}  // namespace

std::vector<PassSummary> run_tasks(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options,
                                   Admission& admission) {
  Admission::Ticket ticket(admission);
  Call call(runs, texts, options, ticket);
  const base::LimitScope scope(&options.limits);
  try {
    options.limits.check();
    call.read_all();
  } catch (const base::Error& error) {
    ticket.end_with(error.status());
    throw;
  }
  return call.summaries();
}

}  // namespace vsr::engine
