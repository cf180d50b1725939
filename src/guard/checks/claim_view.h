// A claim beside the facts that it may be about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "facts/quantities/quantity.h"
#include "guard/checks/fact_index.h"

namespace vsr::guard {

struct NearUnit {
  uint32_t unit = 0;
  float coverage = 0;     // share of the claim's words, by weight, that the unit holds
  bool relevant = false;  // holds a telling one, or the claim before was about it
  bool recent = false;
};

class ClaimView {
 public:
  // Of more facts than this, only those that share most words with the claim.
  static constexpr size_t kMostUnits = 64;

  // `recent`: units that the claims before were about; `established`: what they derived. All outlive this.
  ClaimView(const FactIndex& index, const Statement& claim, const Statement& question, std::span<const uint32_t> recent,
            std::span<const facts::Quantity> established);

  const FactIndex& index() const { return index_; }
  const Statement& claim() const { return claim_; }
  const Statement& question() const { return question_; }
  std::span<const facts::Quantity> established() const { return established_; }
  std::span<const NearUnit> units() const { return units_; }
  const FactUnit& unit(const NearUnit& near) const { return index_.units()[near.unit]; }
  // The unit that shares most with the claim; null: none shares anything.
  const NearUnit* nearest() const;
  int32_t fact_of(const NearUnit* near) const;

  // The weight of the words of a claim's segment (or of all) that a unit's segment (or all of it) holds; words that are
  // parts of the pieces [but_begin, but_end) do not count.
  static constexpr int kAll = -1;
  float shared(int claim_segment, const FactUnit& unit, int unit_segment, size_t but_begin = 0,
               size_t but_end = 0) const;
  // The stem under which the facts know a word of the claim.
  uint64_t stem(size_t word) const { return stems_[word]; }
  float total_weight(int claim_segment) const;
  float weight(size_t word) const { return weights_[word]; }

 private:
  void follow_on();

  const FactIndex& index_;
  const Statement& claim_;
  const Statement& question_;
  std::span<const facts::Quantity> established_;
  std::vector<uint64_t> stems_;
  std::vector<float> weights_;
  std::vector<NearUnit> units_;
};

}  // namespace vsr::guard
