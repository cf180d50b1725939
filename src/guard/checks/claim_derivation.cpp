#include "guard/checks/claim_derivation.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;

constexpr float kPoints = 0.8F, kInProportion = 0.5F, kElided = 0.3F;
constexpr size_t kMostWeights = 4;
constexpr double kMostWeight = 100;

bool bare(const Operand& operand) {
  return operand.unit.dimension == Dimension::kNone && !operand.year && !operand.count && !operand.frequency;
}

template <size_t N>
bool says(const Statement& statement, const std::string_view (&words)[N]) {
  return std::any_of(statement.pieces.begin(), statement.pieces.end(), [&](const facts::Piece& piece) {
    return std::find(std::begin(words), std::end(words), piece.lower) != std::end(words);
  });
}

class Search {
 public:
  Search(const facts::Quantity& target, const Operands& operands, DerivationJudge& judge)
      : target_(target), values_(operands.values), judge_(judge) {
    for (const Operand& operand : values_) {
      if (operand.source == Operand::kClaim && bare(operand)) counts_.push_back(&operand);
    }
  }

  // "For twelve, use 1.8 kg" of a recipe that serves six and takes 900 g.
  void proportions() {
    for (const Operand* n : counts_) {
      for (const Operand& m : values_) {
        if (!of_facts(m) || !bare(m) || m.base <= 1) continue;
        for (const Operand& a : values_) {
          if (a.source != m.source || a.per.dimension != Dimension::kNone || !alike(a)) continue;
          judge_.offer(a.base * n->base / m.base, true, -kInProportion, {&a, &m, n});
        }
      }
    }
  }

  // "three points for a win and one for a draw": two weights of the claim on two counts of one sentence.
  void points() {
    for (size_t i = 0; i + 1 < std::min(counts_.size(), kMostWeights); ++i) {
      const Operand &n = *counts_[i], &m = *counts_[i + 1];
      if (n.base > kMostWeight || m.base > kMostWeight) continue;
      for (const Operand& a : values_) {
        for (const Operand& b : values_) {
          if (a.source != b.source || !of_facts(a) || a.quantity >= b.quantity || !bare(a) || !bare(b)) continue;
          judge_.offer(n.base * a.base + m.base * b.base, false, -kPoints, {&a, &b, &n, &m});
        }
      }
    }
  }

  // "27 days of leave and 10 public holidays": days, too.
  void elided_sums() {
    for (const Operand& a : values_) {
      for (const Operand& b : values_) {
        if (a.source == b.source && of_facts(a) && b.quantity == a.quantity + 1 && alike(a) && bare(b) &&
            a.unit.factor == target_.unit.factor)
          judge_.offer(a.base + b.base * a.unit.factor, false, kElided, {&a, &b});
      }
    }
  }

 private:
  static bool of_facts(const Operand& operand) { return operand.source < Operand::kConstant; }
  bool alike(const Operand& operand) const {
    return operand.unit.dimension == target_.unit.dimension && operand.unit.currency == target_.unit.currency;
  }

  const facts::Quantity& target_;
  const std::vector<Operand>& values_;
  DerivationJudge& judge_;
  std::vector<const Operand*> counts_;  // of the claim
};

}  // namespace

bool says_rest(const Statement& statement) {
  static constexpr std::string_view kRest[] = {"rest",   "remaining", "remainder", "others", "other", "übrigen",
                                               "übrige", "restliche", "andere",    "autres", "reste", "restants"};
  return says(statement, kRest);
}

bool says_below(const Statement& statement) {
  static constexpr std::string_view kBelow[] = {"below", "above", "under", "over",   "unter",
                                                "über",  "sous",  "dessous", "dessus"};
  return says(statement, kBelow);
}

void derive_from_claim(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                       DerivationJudge& judge) {
  Search search(target, operands, judge);
  if (target.unit.dimension == Dimension::kNone) {
    search.points();
  } else {
    search.proportions();
  }
  if (target.unit.dimension == Dimension::kTime && (view.claim().traits & kAdds)) search.elided_sums();
}

}  // namespace vsr::guard
