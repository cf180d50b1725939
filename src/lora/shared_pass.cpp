#include "lora/shared_pass.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "core/batch/batch_select.h"
#include "core/batch/kept_rows.h"

namespace vsr::lora {

void Branch::read(int64_t sequence, core::TokenRange range) {
  if (!sequences.empty() && sequences.back() == sequence) {
    tokens.back() = tokens.back().joined(range);
  } else {
    sequences.push_back(sequence);
    tokens.push_back(range);
  }
}

void PassReport::add(const PassReport& other) {
  shared_blocks = std::min(shared_blocks, other.shared_blocks);
  block_rows += other.block_rows;
  separate_rows += other.separate_rows;
}

namespace {

using at::Tensor;
using core::PackedBatch;
using core::TokenRange;

// Tokens times blocks between two pauses, counted in tokens that go through all blocks.
constexpr int64_t kTokensBetweenPauses = 256;

int64_t blocks_to_run(const core::Encoder& encoder, int64_t layers) {
  return layers == 0 ? encoder.info().num_hidden_layers : layers;
}

// The block at which the branch leaves the trunk; `layers`: none.
int64_t fork_of(const Branch& branch, int64_t layers) {
  return branch.adapter == nullptr ? layers : std::min(branch.adapter->first_block, layers);
}

// Rows of the pass that belong together: those of a branch that has left the trunk, or the trunk's.
struct Part {
  std::optional<size_t> branch;
  std::vector<int64_t> sequences;
};

// The tokens of a sequence that a branch reads; nothing of one that it does not have.
std::optional<TokenRange> tokens_of(const Branch& branch, const PackedBatch& batch, int64_t sequence) {
  const auto found = std::lower_bound(branch.sequences.begin(), branch.sequences.end(), sequence);
  if (found == branch.sequences.end() || *found != sequence) return std::nullopt;
  if (branch.tokens.empty()) return batch.whole(sequence);
  return branch.tokens[static_cast<size_t>(found - branch.sequences.begin())];
}

class Pass {
 public:
  Pass(const core::Encoder& encoder, const PackedBatch& batch, std::span<const Branch> branches, int64_t layers,
       const std::function<void()>& pause)
      : encoder_(encoder), batch_(batch), branches_(branches), layers_(blocks_to_run(encoder, layers)), pause_(pause) {}

  std::vector<BranchStates> run() {
    enter();
    if (parts_.empty()) return std::vector<BranchStates>(branches_.size());
    int64_t block = 0;
    for (int64_t next = next_fork(block); next < layers_; next = next_fork(block)) {
      run_blocks({block, next});
      fork(next);
      block = next;
    }
    const core::KeptRows kept(stacked_, tokens_kept());
    run_blocks({block, layers_, &kept});
    hidden_ = encoder_.final_norm(hidden_, kept.batch());
    return leave(kept.batch());
  }

 private:
  int64_t fork_of(const Branch& branch) const { return lora::fork_of(branch, layers_); }

  // The first block after `block` at which a branch leaves the trunk.
  int64_t next_fork(int64_t block) const {
    int64_t next = layers_;
    for (const Branch& branch : branches_) {
      if (!branch.sequences.empty() && fork_of(branch) > block) next = std::min(next, fork_of(branch));
    }
    return next;
  }

  // What branches that stay in the trunk after `block` have to read, together.
  std::vector<int64_t> trunk_sequences(int64_t block) const {
    std::vector<int64_t> all;
    for (const Branch& branch : branches_) {
      if (fork_of(branch) <= block && fork_of(branch) < layers_) continue;
      std::vector<int64_t> both;
      std::set_union(all.begin(), all.end(), branch.sequences.begin(), branch.sequences.end(),
                     std::back_inserter(both));
      all = std::move(both);
    }
    return all;
  }

  // At first all of the batch is the trunk.
  void enter() {
    std::vector<int64_t> all(static_cast<size_t>(batch_.sequences()));
    std::iota(all.begin(), all.end(), 0);
    parts_.push_back({std::nullopt, std::move(all)});
    stacked_ = batch_;
    fork(0);
    if (!parts_.empty()) hidden_ = encoder_.embed(stacked_);
  }

  // Rows of branches that change what comes next leave the trunk.
  void fork(int64_t block) {
    const Part trunk = std::move(parts_.back());
    parts_.pop_back();
    std::vector<int64_t> places(static_cast<size_t>(stacked_.sequences()) - trunk.sequences.size());
    std::iota(places.begin(), places.end(), 0);
    const auto add = [&, first = std::ssize(places)](Part part) {
      for (const int64_t sequence : part.sequences) places.push_back(first + place_in(trunk, sequence));
      if (!part.sequences.empty()) parts_.push_back(std::move(part));
    };
    for (size_t i = 0; i < branches_.size(); ++i) {
      if (fork_of(branches_[i]) == block) add({i, branches_[i].sequences});
    }
    add({std::nullopt, trunk_sequences(block)});
    if (places.empty()) return;
    const core::SelectedSequences next(stacked_, places);
    if (hidden_.defined()) hidden_ = next.rows(hidden_);
    stack(next.batch());
  }

  // `batch` has the sequences of all parts, one part after the other.
  void stack(PackedBatch batch) {
    stacked_ = std::move(batch);
    int64_t sequence = 0;
    for (const Part& part : parts_) {
      const int64_t end = sequence + std::ssize(part.sequences);
      if (part.branch) {
        const core::AdapterUpdates* updates = &branches_[*part.branch].adapter->updates;
        stacked_.adapted.push_back({stacked_.begin(sequence), stacked_.begin(end), updates});
      }
      sequence = end;
    }
  }

  void run_blocks(core::BlockRange blocks) {
    const int64_t step =
        pause_ ? std::max<int64_t>(1, kTokensBetweenPauses * layers_ / stacked_.total_tokens()) : layers_;
    for (int64_t block = blocks.first; block < blocks.last; block += step) {
      const int64_t next = std::min(block + step, blocks.last);
      hidden_ = encoder_.run_blocks(hidden_, stacked_, {block, next, next == blocks.last ? blocks.kept : nullptr});
      if (pause_) pause_();
    }
  }

  // What each part's readers read of its sequences, one part after the other.
  std::vector<TokenRange> tokens_kept() const {
    std::vector<TokenRange> kept;
    for (const Part& part : parts_) {
      for (const int64_t sequence : part.sequences) kept.push_back(tokens_kept(part, sequence));
    }
    return kept;
  }

  TokenRange tokens_kept(const Part& part, int64_t sequence) const {
    std::optional<TokenRange> kept;
    for (size_t i = 0; i < branches_.size(); ++i) {
      if (part.branch ? i != *part.branch : fork_of(branches_[i]) < layers_) continue;
      const auto read = tokens_of(branches_[i], batch_, sequence);
      if (read) kept = kept ? kept->joined(*read) : *read;
    }
    return *kept;
  }

  // `batch` is that of hidden_.
  std::vector<BranchStates> leave(const PackedBatch& batch) const {
    std::vector<BranchStates> states(branches_.size());
    for (size_t i = 0; i < branches_.size(); ++i) {
      if (branches_[i].sequences.empty()) continue;
      const core::SelectedSequences own(batch, places_of(i));
      states[i] = {own.batch(), own.rows(hidden_)};
    }
    return states;
  }

  // Where the sequences of a branch are in the stacked batch.
  std::vector<int64_t> places_of(size_t branch) const {
    int64_t first = 0;
    const Part* part = parts_.data();
    while (part != &parts_.back() && part->branch != branch) first += std::ssize(part++->sequences);
    std::vector<int64_t> places;
    for (const int64_t sequence : branches_[branch].sequences) places.push_back(first + place_in(*part, sequence));
    return places;
  }

  // `sequence` is one of the part's.
  static int64_t place_in(const Part& part, int64_t sequence) {
    return std::lower_bound(part.sequences.begin(), part.sequences.end(), sequence) - part.sequences.begin();
  }

  const core::Encoder& encoder_;
  const PackedBatch& batch_;
  const std::span<const Branch> branches_;
  const int64_t layers_;
  const std::function<void()>& pause_;
  std::vector<Part> parts_;  // the trunk, if anything is left of it, is the last
  PackedBatch stacked_;      // their sequences, one part after the other, with what changes them
  Tensor hidden_;            // its hidden states
};

}  // namespace

std::vector<BranchStates> run_shared(const core::Encoder& encoder, const PackedBatch& batch,
                                     std::span<const Branch> branches, int64_t layers,
                                     const std::function<void()>& pause) {
  return Pass(encoder, batch, branches, layers, pause).run();
}

void count_rows(const core::Encoder& encoder, const PackedBatch& batch, std::span<const Branch> branches,
                int64_t layers, PassReport& report) {
  const int64_t blocks = blocks_to_run(encoder, layers);
  std::vector<int64_t> in_trunk(static_cast<size_t>(batch.sequences()), 0);  // blocks of each sequence
  for (const Branch& branch : branches) {
    if (branch.sequences.empty()) continue;
    const int64_t fork = fork_of(branch, blocks);
    report.shared_blocks = std::min(report.shared_blocks, fork);
    for (const int64_t sequence : branch.sequences) {
      int64_t& depth = in_trunk[static_cast<size_t>(sequence)];
      depth = std::max(depth, fork);
      report.block_rows += batch.length(sequence) * (blocks - fork);
      report.separate_rows += batch.length(sequence) * blocks;
    }
  }
  for (int64_t i = 0; i < batch.sequences(); ++i) {
    report.block_rows += batch.length(i) * in_trunk[static_cast<size_t>(i)];
  }
}

}  // namespace vsr::lora
