#include "engine/run/window_runner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/parallel.h"
#include "engine/run/block_work.h"
#include "engine/run/model_pass.h"
#include "engine/run/packed_run.h"
#include "text/tokens/specials_as_text.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

constexpr size_t kTextsPerBlock = 512;
// A block ends with the text that reaches this.
constexpr size_t kBytesPerBlock = size_t{1} << 20;
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
                                                       key.second, options.max_tokens);
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

Inputs tokenize_block(const TokenizerKey& key, const RunOptions& options, std::span<const TextPair> texts,
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

// How many of the texts make a block; at least one.
size_t block_size(std::span<const TextPair> texts) {
  size_t bytes = 0;
  size_t count = 0;
  while (count < std::min(texts.size(), kTextsPerBlock) && bytes < kBytesPerBlock) {
    bytes += texts[count].text.size() + (texts[count].pair ? texts[count].pair->size() : 0);
    ++count;
  }
  return count;
}

class Call {
 public:
  Call(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options, Admission::Ticket& ticket)
      : texts_(texts), options_(options), ticket_(ticket) {
    std::vector<std::pair<const LoadedModel*, std::vector<TaskRun*>>> groups;
    for (TaskRun& run : runs) {
      run.usage.assign(texts.size(), {});
      const auto same = [&](const auto& group) { return group.first == run.model.get(); };
      auto found = std::find_if(groups.begin(), groups.end(), same);
      if (found == groups.end()) found = groups.insert(groups.end(), {run.model.get(), {}});
      found->second.push_back(&run);
    }
    for (auto& [model, members] : groups) passes_.emplace_back(std::move(members), options.layers);
  }

  void read_all() {
    for (size_t first = 0; first < texts_.size();) {
      options_.limits.check();
      const auto rest = texts_.subspan(first);
      const auto block = rest.first(block_size(rest));
      read_block(first, block);
      first += block.size();
    }
  }

  const std::deque<ModelPass>& passes() const { return passes_; }

 private:
  void read_block(size_t first, std::span<const TextPair> texts) {
    std::map<TokenizerKey, Inputs> inputs;
    std::vector<ModelPass*> live;
    for (ModelPass& pass : passes_) {
      if (tokenize_for(pass, inputs, texts, first)) live.push_back(&pass);
    }
    ticket_.hold(tokens_of(live, inputs));
    std::vector<std::unique_ptr<BlockWork>> blocks;
    for (ModelPass* pass : live) {
      blocks.push_back(std::make_unique<BlockWork>(run_packed, *pass, inputs.at(key_of(pass->model())), first));
    }
    for (const auto& block : blocks) await(*block, first, blocks.size() == 1);
    if (blocks.size() != 1) report_progress(first + texts.size());
    for (const auto& block : blocks) block->merge();
  }

  // Whether there is anything for the pass to run.
  bool tokenize_for(ModelPass& pass, std::map<TokenizerKey, Inputs>& inputs, std::span<const TextPair> texts,
                    size_t first) const {
    const auto failed = [](const TaskRun* run) { return run->error != nullptr; };
    if (std::all_of(pass.runs().begin(), pass.runs().end(), failed)) return false;
    const TokenizerKey key = key_of(pass.model());
    if (inputs.contains(key)) return true;
    try {
      inputs.emplace(key, tokenize_block(key, options_, texts, first));
      return true;
    } catch (const base::Error&) {
      options_.limits.check();  // the end of the call is nobody's own error
      for (TaskRun* run : pass.runs()) run->error = std::current_exception();
      return false;
    }
  }

  static size_t tokens_of(std::span<ModelPass* const> passes, const std::map<TokenizerKey, Inputs>& inputs) {
    size_t tokens = 0;
    for (const ModelPass* pass : passes) {
      for (const auto& input : inputs.at(key_of(pass->model()))) tokens += input->token_count();
    }
    return tokens;
  }

  // Of a single model the caller hears of every batch.
  void await(BlockWork& block, size_t first, bool single) const {
    std::function<void(size_t)> on_texts;
    if (single) on_texts = [&](size_t done) { report_progress(first + done); };
    try {
      block.wait(options_.limits, on_texts);
    } catch (const base::Error& error) {
      if (error.status() == Status::kCancelled || error.status() == Status::kDeadline) throw;
      block.pass().fail_all(std::current_exception());
    }
  }

  void report_progress(size_t done) const {
    if (options_.progress && options_.progress(done, texts_.size())) {
      fail(Status::kCancelled, "cancelled by the progress callback after ", done, " of ", texts_.size(), " texts");
    }
  }

  std::span<const TextPair> texts_;
  const RunOptions& options_;
  Admission::Ticket& ticket_;
  std::deque<ModelPass> passes_;  // which are never moved
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
  std::vector<PassSummary> summaries;
  for (const ModelPass& pass : call.passes()) {
    summaries.push_back(summary_of(pass));
    for (const TaskRun* run : pass.runs()) summaries.back().tasks.push_back(run->name);
  }
  return summaries;
}

}  // namespace vsr::engine
