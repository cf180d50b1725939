#include "engine/run/packed_run.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "core/batch/batch_select.h"
#include "engine/run/block_work.h"
#include "engine/run/finite.h"
#include "lora/shared_pass.h"

namespace vsr::engine {
namespace {

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

class PackedRun {
 public:
  explicit PackedRun(core::RunningBatch& batch) : running_(batch) {
    const ModelPass& first = work_of(0).pass();
    model_ = first.shared_model();
    layers_ = first.layers();
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
  BlockWork& work_of(size_t share) const { return static_cast<BlockWork&>(*running_.shares()[share].work); }
  TaskRun& run_of(const Reader& reader) const {
    return *work_of(sequences_[reader.sequence].share).pass().runs()[reader.run];
  }

  // Of one length next to each other: they attend as one dense batch.
  void list_sequences() {
    for (size_t share = 0; share < running_.shares().size(); ++share) {
      const core::ItemRange items = running_.shares()[share].items;
      for (size_t i = 0; i < items.count; ++i) {
        const Window& window = work_of(share).window(items.first + i);
        sequences_.push_back({share, &window, window.size});
      }
    }
    std::stable_sort(sequences_.begin(), sequences_.end(),
                     [](const Sequence& a, const Sequence& b) { return a.size > b.size; });
  }

  void list_branches() {
    for (size_t i = 0; i < sequences_.size(); ++i) {
      const BlockWork& work = work_of(sequences_[i].share);
      for (const TaskRun* run : work.pass().runs()) {
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
      const BlockWork& work = work_of(sequences_[i].share);
      for (size_t r = 0; r < work.pass().runs().size(); ++r) {
        const TaskRun& run = *work.pass().runs()[r];
        if (!run.wants(work.text_of(*sequences_[i].window)) || work.pass().has_failed(r)) continue;
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
      for (const Reader& reader : group.readers) work_of(0).pass().fail_run(reader.run, std::current_exception());
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
    BlockWork& work = work_of(sequence.share);
    const float* data = rows.const_data_ptr<float>();
    const std::span<const float> values(data, static_cast<size_t>(rows.numel()));
    try {
      const TaskRun& run = run_of(reader);
      check_finite(values, run.adapter ? run.adapter->path : run.model->path);
      work.set_output(
          reader.run, *sequence.window,
          {{values.begin(), values.end()}, static_cast<size_t>(rows.size(0)), static_cast<size_t>(rows.size(1))});
    } catch (const base::Error&) {
      work.pass().fail_run(reader.run, std::current_exception());
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
    work_of(share).pass().count(batch_, own);
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

}  // namespace

void run_packed(core::RunningBatch& batch) { PackedRun(batch).run(); }

}  // namespace vsr::engine
