#include "guard/checks/derivation_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "guard/checks/agreement.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

// Worth of one sentence's values, of several relevant ones', of words that say that something was computed, of each
// digit, which chance would have to hit, and what a claim that restates a fact must bring.
constexpr float kSameUnit = 1.2F, kSameAndRelevant = 2.0F, kRelevant = 1.2F, kCue = 1.0F, kDigit = 0.6F;
constexpr float kRestated = 2.2F, kRestatedWithCue = 1.2F;
constexpr float kEnough = 1.5F;
constexpr int kMostDigits = 5;

// Cues that a percentage's own words are not.
bool has_cue(const Statement& claim, const Quantity& target) {
  uint32_t traits = claim.traits;
  if (target.unit.dimension == Dimension::kPercent || target.kind == QuantityKind::kShare) {
    traits &= ~static_cast<uint32_t>(kShares);
    for (const auto& piece : claim.pieces) {
      if (piece.is("share") || piece.is("average") || piece.is("anteil") || piece.is("proportion") ||
          piece.is("moyenne") || piece.is("entspricht"))
        traits |= kShares;
    }
  }
  if (target.unit.dimension != Dimension::kTime && target.unit.dimension != Dimension::kMonths &&
      target.kind != QuantityKind::kDate && target.kind != QuantityKind::kClock) {
    traits &= ~static_cast<uint32_t>(kLasts);
  }
  return (traits & kCues) != 0;
}

}  // namespace

DerivationJudge::DerivationJudge(const ClaimView& view, size_t quantity, bool restated)
    : view_(view), target_(view.claim().quantities[quantity]) {
  const bool cue = has_cue(view.claim(), target_);
  if (cue) start_ += kCue;
  const bool value = target_.kind == QuantityKind::kNumber || target_.kind == QuantityKind::kFactor;
  const int digits = value ? significant_digits(target_) : target_.kind == QuantityKind::kShare ? 1 : 3;
  start_ += kDigit * static_cast<float>(std::min(digits, kMostDigits) - 1);
  if (restated) start_ -= cue ? kRestatedWithCue : kRestated;
}

bool DerivationJudge::plausible(double base, bool rounded) const { return agrees_value(target_, base, rounded); }

void DerivationJudge::keep(float cost, const std::vector<const Operand*>& used) {
  bool same = true, relevant = true;
  uint32_t source = Operand::kConstant;
  uint32_t fact = 0;
  std::vector<uint32_t> units;
  std::vector<size_t> from_claim;
  bool from_facts = false;
  for (const Operand* operand : used) {
    if (operand->source == Operand::kClaim) {
      from_claim.push_back(operand->quantity);
      continue;
    }
    if (operand->source == Operand::kConstant) continue;
    from_facts = true;
    relevant &= operand->relevant;
    if (source != Operand::kConstant && operand->source != source && operand->fact != fact) same = false;
    source = operand->source;
    fact = operand->fact;
    units.push_back(operand->source);
  }
  if (!from_facts) cost += 1.0F;  // the claim's own values alone
  score(cost, same, relevant && from_facts, std::move(units), std::move(from_claim));
}

void DerivationJudge::offer_moments(float cost, std::initializer_list<const Moment*> used, const Operand* span) {
  bool same = true, relevant = true;
  const Moment* first = nullptr;
  std::vector<uint32_t> units;
  std::vector<size_t> from_claim;
  for (const Moment* moment : used) {
    if (moment->source == Operand::kClaim) continue;
    relevant &= moment->relevant;
    if (first && first->source != moment->source && first->fact != moment->fact) same = false;
    first = moment;
    units.push_back(moment->source);
  }
  if (span && span->source == Operand::kClaim) from_claim.push_back(span->quantity);
  if (span && span->source < Operand::kConstant) {
    relevant &= span->relevant;
    if (first && first->source != span->source && first->fact != span->fact) same = false;
    units.push_back(span->source);
  }
  score(cost, same, relevant, std::move(units), std::move(from_claim));
}

void DerivationJudge::score(float cost, bool same, bool relevant, std::vector<uint32_t> units,
                            std::vector<size_t> from_claim) {
  const float worth = start_ - cost +
                      (same && relevant ? kSameAndRelevant
                       : same           ? kSameUnit
                       : relevant       ? kRelevant
                                        : 0);
  if (any_ && worth <= best_.plausibility) return;
  any_ = true;
  best_ = {worth, std::move(units), std::move(from_claim)};
}

std::optional<Derivation> DerivationJudge::take() {
  if (!any_ || best_.plausibility < kEnough) return std::nullopt;
  return std::move(best_);
}

}  // namespace vsr::guard
