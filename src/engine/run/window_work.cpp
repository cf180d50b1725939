#include "engine/run/window_work.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "core/batch/batch_select.h"
#include "engine/run/finite.h"

namespace vsr::engine {
namespace {

std::vector<Window> list_windows(std::span<TaskRun* const> runs, const Inputs& inputs, size_t first_text) {
  std::vector<Window> windows;
  size_t slot = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const size_t text = first_text + i;
    const bool read = std::ranges::any_of(runs, [text](const TaskRun* run) { return run->wants(text); });
    for (size_t w = 0; w < inputs[i]->window_count(); ++w, ++slot) {
      if (read) windows.push_back({i, w, slot, inputs[i]->range(w).begin, inputs[i]->encoded_size(w)});
    }
  }
  // Batches of windows of about one length finish together, the long ones first.
  std::stable_sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.size > b.size; });
  return windows;
}

// How many sets of weights the runs have: adapters, and the base if any run uses it alone.
size_t variants_of(std::span<TaskRun* const> runs) {
  std::set<const lora::Adapter*> adapters;
  for (const TaskRun* run : runs) adapters.insert(run->adapter.get());
  return adapters.size();
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
    base::fail(base::Status::kUnsupported, model.path,
               ": the tokenizer gives token type ids beyond config.json's type_vocab_size ", types);
  }
}

// A window of a share; its work may be let go of between blocks, so that `share` is looked at first.
struct Sequence {
  size_t share;
  const Window* window;
  size_t size;
};

// A window whose output a run waits for.
struct Reader {
  size_t sequence;
  size_t run;  // of the sequence's work
};

// Runs that are answered by one call of one head.
struct HeadGroup {
  size_t branch;
  HeadIdentity identity;
  std::vector<Reader> readers = {};
};

}  // namespace

// One forward pass for windows of any number of calls: the base's blocks once over all rows, adapters over theirs, each
// head once for all calls that ask for it.
class WindowWork::BatchPass {
 public:
  // The works of all shares are WindowWorks that pack with each other.
  explicit BatchPass(core::RunningBatch& batch) : running_(batch) {
    const WindowWork& first = work_of(0);
    model_ = first.runs_.front()->model;
    layers_ = first.layers_;
  }

  void run() {
    list_sequences();
    batch_ = core::pack(encode());
    list_branches();
    states_ = lora::run_shared(*model_->encoder, batch_, branches_, layers_, [this] { running_.checkpoint(); });
    for (const HeadGroup& group : group_heads()) run_head(group);
    for (size_t share = 0; share < running_.shares().size(); ++share) {
      if (is_wanted(share)) count(share);
    }
  }

 private:
  bool is_wanted(size_t share) const { return running_.shares()[share].work != nullptr; }
  WindowWork& work_of(size_t share) const { return static_cast<WindowWork&>(*running_.shares()[share].work); }
  TaskRun& run_of(const Reader& reader) const { return *work_of(sequences_[reader.sequence].share).runs_[reader.run]; }

  // Of one length next to each other: they attend as one dense batch.
  void list_sequences() {
    for (size_t share = 0; share < running_.shares().size(); ++share) {
      const core::ItemRange items = running_.shares()[share].items;
      for (size_t i = 0; i < items.count; ++i) {
        const Window& window = work_of(share).windows_[items.first + i];
        sequences_.push_back({share, &window, window.size});
      }
    }
    std::stable_sort(sequences_.begin(), sequences_.end(),
                     [](const Sequence& a, const Sequence& b) { return a.size > b.size; });
  }

  void list_branches() {
    for (size_t i = 0; i < sequences_.size(); ++i) {
      const WindowWork& work = work_of(sequences_[i].share);
      for (const TaskRun* run : work.runs_) {
        if (!run->wants(work.text_of(*sequences_[i].window))) continue;
        branches_[branch_of(run->adapter)].read(static_cast<int64_t>(i), tokens_read(*run, i));
      }
    }
  }

  core::TokenRange tokens_read(const TaskRun& run, size_t sequence) const {
    const auto i = static_cast<int64_t>(sequence);
    const bool pools_all = sequences_[sequence].window->pooled_from(run.unpooled_tokens) == 0;
    return pools_all ? run.tokens_read(batch_, i) : batch_.whole(i);
  }

  // Adapters are kept here, as the last call that has one may let it go while the pass runs.
  size_t branch_of(const std::shared_ptr<const lora::Adapter>& adapter) {
    const auto found = std::find(adapters_.begin(), adapters_.end(), adapter);
    const auto branch = static_cast<size_t>(found - adapters_.begin());
    if (found == adapters_.end()) {
      adapters_.push_back(adapter);
      branches_.push_back({adapter.get()});
    }
    return branch;
  }

  std::vector<text::Encoding> encode() const {
    std::vector<text::Encoding> encodings;
    encodings.reserve(sequences_.size());
    for (const Sequence& sequence : sequences_) encodings.push_back(work_of(sequence.share).encode(*sequence.window));
    return encodings;
  }

  std::vector<HeadGroup> group_heads() {
    std::vector<HeadGroup> groups;
    for (size_t i = 0; i < sequences_.size(); ++i) {
      if (!is_wanted(sequences_[i].share)) continue;
      const WindowWork& work = work_of(sequences_[i].share);
      for (size_t r = 0; r < work.runs_.size(); ++r) {
        const TaskRun& run = *work.runs_[r];
        if (!run.wants(work.text_of(*sequences_[i].window)) || work.has_failed(r)) continue;
        const size_t branch = branch_of(run.adapter);
        const auto same = [&](const HeadGroup& g) { return g.branch == branch && g.identity == run.head_identity; };
        auto group = std::find_if(groups.begin(), groups.end(), same);
        if (group == groups.end()) group = groups.insert(groups.end(), HeadGroup{branch, run.head_identity});
        group->readers.push_back({i, r});
      }
    }
    return groups;
  }

  void run_head(const HeadGroup& group) {
    try {
      const lora::BranchStates states = states_for(group);
      const TaskRun& first = run_of(group.readers.front());
      const at::Tensor rows = first.head(states.hidden, states.batch).to(at::kCPU, at::kFloat).contiguous();
      for (size_t i = 0; i < group.readers.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        if (first.rows_per_token) {
          hand_out(group.readers[i], rows.narrow(0, states.batch.begin(at), states.batch.length(at)));
        } else {
          hand_out(group.readers[i], rows.narrow(0, at, 1));
        }
      }
    } catch (const base::Error&) {
      // With others in the batch, whose error it is shows when each is run alone.
      if (running_.shares().size() > 1) throw;
      for (const Reader& reader : group.readers) work_of(0).fail_run(reader.run, std::current_exception());
    }
  }

  // One sequence for each reader.
  lora::BranchStates states_for(const HeadGroup& group) const {
    const lora::Branch& branch = branches_[group.branch];
    std::vector<int64_t> places;  // in the branch
    std::vector<int64_t> pooled_from;
    bool pools_all = true;
    for (const Reader& reader : group.readers) {
      const auto found =
          std::lower_bound(branch.sequences.begin(), branch.sequences.end(), static_cast<int64_t>(reader.sequence));
      places.push_back(found - branch.sequences.begin());
      pooled_from.push_back(sequences_[reader.sequence].window->pooled_from(run_of(reader).unpooled_tokens));
      pools_all = pools_all && pooled_from.back() == 0;
    }
    lora::BranchStates states = states_[group.branch];
    if (places.size() != branch.sequences.size() ||
        !std::is_sorted(places.begin(), places.end(), std::less_equal<>())) {
      const core::SelectedSequences read(states_[group.branch].batch, places);
      states = {read.batch(), read.rows(states.hidden)};
    }
    if (!pools_all) states.batch.pooled_from = std::move(pooled_from);
    return states;
  }

  // `rows` belong to one window; they are copied out of the tensor.
  void hand_out(const Reader& reader, const at::Tensor& rows) {
    const Sequence& sequence = sequences_[reader.sequence];
    WindowWork& work = work_of(sequence.share);
    const float* data = rows.const_data_ptr<float>();
    const std::span<const float> values(data, static_cast<size_t>(rows.numel()));
    try {
      const TaskRun& run = run_of(reader);
      check_finite(values, run.adapter ? run.adapter->path : run.model->path);
      work.set_output(
          reader.run, *sequence.window,
          {{values.begin(), values.end()}, static_cast<size_t>(rows.size(0)), static_cast<size_t>(rows.size(1))});
    } catch (const base::Error&) {
      work.fail_run(reader.run, std::current_exception());
    }
  }

  // What the share's call would have run alone.
  void count(size_t share) const {
    std::vector<lora::Branch> own;
    for (const lora::Branch& branch : branches_) {
      own.push_back({branch.adapter});
      for (const int64_t sequence : branch.sequences) {
        if (sequences_[static_cast<size_t>(sequence)].share == share) own.back().sequences.push_back(sequence);
      }
    }
    work_of(share).count(batch_, own);
  }

  core::RunningBatch& running_;
  std::shared_ptr<const LoadedModel> model_;  // kept as adapters are
  int64_t layers_;
  std::vector<Sequence> sequences_;
  std::vector<std::shared_ptr<const lora::Adapter>> adapters_;  // of the branches
  std::vector<lora::Branch> branches_;
  core::PackedBatch batch_;
  std::vector<lora::BranchStates> states_;
};

int64_t Window::pooled_from(size_t unpooled) const {
  return static_cast<int64_t>(std::min(unpooled - std::min(begin, unpooled), size));
}

WindowWork::WindowWork(std::span<TaskRun* const> runs, int64_t layers, const Inputs& inputs, size_t first_text)
    : WindowWork(runs, layers, inputs, first_text, list_windows(runs, inputs, first_text)) {}

WindowWork::WindowWork(std::span<TaskRun* const> runs, int64_t layers, const Inputs& inputs, size_t first_text,
                       std::vector<Window> windows)
    : Work(items_of(windows, variants_of(runs))),
      runs_(runs),
      layers_(layers),
      inputs_(inputs),
      first_text_(first_text),
      windows_(std::move(windows)) {
  size_t slots = 0;
  for (const auto& input : inputs_) {
    windows_left_.push_back(input->window_count());
    slots += input->window_count();
  }
  outputs_.resize(runs_.size());
  for (auto& outputs : outputs_) outputs.resize(slots);
}

size_t WindowWork::finish(std::span<const core::ItemRange> items) {
  size_t texts = 0;
  for (const core::ItemRange& range : items) {
    for (size_t i = 0; i < range.count; ++i) {
      texts += --windows_left_[windows_[range.first + i].input] == 0 ? 1 : 0;
    }
  }
  return texts;
}

void WindowWork::fail(const std::exception_ptr& error) {
  for (size_t run = 0; run < runs_.size(); ++run) fail_run(run, error);
}

lora::PassReport WindowWork::merge() {
  for (size_t r = 0; r < runs_.size(); ++r) {
    TaskRun& run = *runs_[r];
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
  return report_;
}

bool WindowWork::packs_with(const core::Work& other) const {
  const auto* work = dynamic_cast<const WindowWork*>(&other);
  return work != nullptr && &work->model() == &model() && work->layers_ == layers_;
}

// Attention's products with Q, K, V and the output, and three of an MLP with a gate.
double WindowWork::operations_per_token() const {
  const core::EncoderInfo& info = model().encoder->info();
  const auto hidden = static_cast<double>(info.hidden_size);
  const auto intermediate = static_cast<double>(info.intermediate_size);
  return 2 * static_cast<double>(info.num_hidden_layers) * hidden * (4 * hidden + 3 * intermediate);
}

core::Work::Runner WindowWork::runner() const {
  return [](core::RunningBatch& batch) { BatchPass(batch).run(); };
}

text::Encoding WindowWork::encode(const Window& window) const {
  text::Encoding encoding = inputs_[window.input]->encode_window(*model().tokenizer, window.window);
  check_type_ids(model(), encoding);
  return encoding;
}

void WindowWork::set_output(size_t run, const Window& window, WindowOutput output) {
  outputs_[run][window.slot] = std::move(output);
}

void WindowWork::fail_run(size_t run, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  if (!runs_[run]->error) runs_[run]->error = error;
}

bool WindowWork::has_failed(size_t run) const {
  const std::lock_guard lock(mutex_);
  return runs_[run]->error != nullptr;
}

void WindowWork::count(const core::PackedBatch& batch, std::span<const lora::Branch> branches) {
  const std::lock_guard lock(mutex_);
  lora::count_rows(*model().encoder, batch, branches, layers_, report_);
}

}  // namespace vsr::engine
