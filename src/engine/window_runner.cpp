#include "engine/window_runner.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "engine/model_pass.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

constexpr size_t kTextsPerBlock = 512;
// Below this, handing texts to other threads costs more than tokenizing them.
constexpr size_t kBytesWorthThreads = 16 * 1024;

// Models with the same tokenizer and limit read the same windows.
using TokenizerKey = std::pair<const text::Tokenizer*, size_t>;
TokenizerKey key_of(const LoadedModel& model) { return {model.tokenizer.get(), model.max_tokens}; }

std::unique_ptr<text::WindowedInput> tokenize(const TokenizerKey& key, size_t max_tokens, const TextPair& text,
                                              size_t index) {
  try {
    return std::make_unique<text::WindowedInput>(*key.first, text.text, text.pair ? &*text.pair : nullptr, key.second,
                                                 max_tokens);
  } catch (const base::Error& error) {
    fail(error.status(), "texts[", index, "]: ", error.what());
  }
}

Inputs tokenize_block(const TokenizerKey& key, size_t max_tokens, std::span<const TextPair> texts, size_t first_index) {
  Inputs inputs(texts.size());
  const auto one = [&](size_t i) { inputs[i] = tokenize(key, max_tokens, texts[i], first_index + i); };
  size_t bytes = 0;
  for (const TextPair& text : texts) bytes += text.text.size() + (text.pair ? text.pair->size() : 0);
  if (texts.size() > 1 && bytes > kBytesWorthThreads) {
    base::parallel_for(texts.size(), one);
  } else {
    for (size_t i = 0; i < texts.size(); ++i) one(i);
  }
  return inputs;
}

class Call {
 public:
  Call(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options)
      : texts_(texts), options_(options) {
    std::vector<std::pair<const LoadedModel*, std::vector<TaskRun*>>> groups;
    for (TaskRun& run : runs) {
      run.usage.assign(texts.size(), {});
      const auto same = [&](const auto& group) { return group.first == run.model; };
      auto found = std::find_if(groups.begin(), groups.end(), same);
      if (found == groups.end()) found = groups.insert(groups.end(), {run.model, {}});
      found->second.push_back(&run);
    }
    for (auto& [model, members] : groups) passes_.emplace_back(std::move(members), options.layers);
  }

  void read_all() {
    for (size_t first = 0; first < texts_.size(); first += kTextsPerBlock) {
      read_block(first, texts_.subspan(first, std::min(kTextsPerBlock, texts_.size() - first)));
    }
  }

  std::vector<ModelPass>& passes() { return passes_; }

 private:
  void read_block(size_t first, std::span<const TextPair> texts) {
    std::map<TokenizerKey, Inputs> inputs;
    std::vector<ModelPass*> live;
    for (ModelPass& pass : passes_) {
      if (tokenize_for(pass, inputs, texts, first)) live.push_back(&pass);
    }
    if (live.size() == 1) {
      run_pass(*live.front(), inputs.at(key_of(live.front()->model())), first, true);
    } else {
      base::parallel_for(live.size(),
                         [&](size_t i) { run_pass(*live[i], inputs.at(key_of(live[i]->model())), first, false); });
      report_progress(first + texts.size());
    }
    for (ModelPass* pass : live) pass->merge(inputs.at(key_of(pass->model())), first);
  }

  // Whether there is anything for the pass to run.
  bool tokenize_for(ModelPass& pass, std::map<TokenizerKey, Inputs>& inputs, std::span<const TextPair> texts,
                    size_t first) const {
    const auto failed = [](const TaskRun* run) { return run->error != nullptr; };
    if (std::all_of(pass.runs().begin(), pass.runs().end(), failed)) return false;
    const TokenizerKey key = key_of(pass.model());
    if (inputs.contains(key)) return true;
    try {
      inputs.emplace(key, tokenize_block(key, options_.max_tokens, texts, first));
      return true;
    } catch (const base::Error&) {
      for (TaskRun* run : pass.runs()) run->error = std::current_exception();
      return false;
    }
  }

  // On the calling thread the caller hears of every batch.
  void run_pass(ModelPass& pass, const Inputs& inputs, size_t first, bool on_calling_thread) const {
    try {
      pass.run(inputs, first, [&](size_t done) {
        if (on_calling_thread) report_progress(first + done);
      });
    } catch (const base::Error& error) {
      if (error.status() == Status::kCancelled) throw;
      for (TaskRun* run : pass.runs()) run->error = std::current_exception();
    }
  }

  void report_progress(size_t done) const {
    if (options_.progress && options_.progress(done, texts_.size())) {
      fail(Status::kCancelled, "cancelled by the progress callback after ", done, " of ", texts_.size(), " texts");
    }
  }

  std::span<const TextPair> texts_;
  const RunOptions& options_;
  std::vector<ModelPass> passes_;
};

PassSummary summary_of(const ModelPass& pass) {
  const lora::PassReport report = pass.report();
  const int64_t blocks = pass.model().encoder->info().num_hidden_layers;
  return {.model = pass.model().name,
          .tasks = {},
          .blocks = blocks,
          .shared_blocks = std::min(report.shared_blocks, blocks),
          .block_rows = report.block_rows,
          .separate_rows = report.separate_rows};
}

}  // namespace

std::vector<PassSummary> run_tasks(std::span<TaskRun> runs, std::span<const TextPair> texts,
                                   const RunOptions& options) {
  Call call(runs, texts, options);
  call.read_all();
  std::vector<PassSummary> summaries;
  for (const ModelPass& pass : call.passes()) {
    summaries.push_back(summary_of(pass));
    for (const TaskRun* run : pass.runs()) summaries.back().tasks.push_back(run->name);
  }
  return summaries;
}

}  // namespace vsr::engine
