#include "guard/checks/derivation_judge.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
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
constexpr float kSameUnit = 1.2F, kSameAndRelevant = 2.0F, kRelevant = 1.2F, kCue = 1.0F, kDigit = 0.6F, kEach = 2.0F;
constexpr float kRestated = 2.5F, kRestatedFrom = 0.7F, kCounted = 0.4F;
constexpr float kEnough = 1.35F, kEnoughForStrangers = 2.2F;  // values of sentences that share nothing with the claim
constexpr float kExactly = 0.4F, kCounting = 2.0F;
constexpr float kAltered = 1.2F, kAlteredDate = 3.0F;  // a fact's value looks like the claim's, mistyped
constexpr float kEstablished = 1.8F;                   // what an earlier claim derived
constexpr float kEstablishedShare = 2.4F;
constexpr int kMostDigits = 5;

// Cues that a percentage's own words are not.
bool has_cue(const Statement& claim, const Quantity& target) {
  uint32_t traits = claim.traits;
  if (traits & (kNegates | kDoubtful)) traits |= kCompares;  // "without the damaged ones"
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

// Whether two numbers of two digits or more differ by two that changed places.
bool altered_digits(double a, double b) {
  if (!(a >= 10 && a < 1e15) || !(b >= 10 && b < 1e15)) return false;
  const std::string x = std::to_string(std::llround(a)), y = std::to_string(std::llround(b));
  if (x.size() != y.size()) return false;
  std::string changed_x, changed_y;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i]) continue;
    changed_x += x[i];
    changed_y += y[i];
  }
  return changed_x.size() == 2 && changed_x[0] == changed_y[1] && changed_x[1] == changed_y[0];
}

}  // namespace

DerivationJudge::DerivationJudge(const ClaimView& view, size_t quantity, const std::vector<Restated>& restated)
    : view_(view),
      target_(view.claim().quantities[quantity]),
      restated_(restated),
      cue_(has_cue(view.claim(), target_)) {
  const size_t next = target_.last_piece;
  const auto& pieces = view.claim().pieces;
  if (!cue_ && restated.empty() && target_.unit.dimension == Dimension::kPercent && next < pieces.size()) {
    cue_ = pieces[next].is("of") || pieces[next].is("der") || pieces[next].is("des") || pieces[next].is("de") ||
           pieces[next].is("du");
  }
  cue_ |= target_.per.dimension != Dimension::kNone && restated.empty();
  for (size_t i = next; i < std::min(next + 2, pieces.size()); ++i) {  // "nine points ahead of", "drei Wochen vor"
    static constexpr std::string_view kFrom[] = {"than", "before", "after", "ahead", "behind", "vor",   "nach",
                                                 "als",  "hinter", "avant", "après", "que",    "devant"};
    cue_ |= std::find(std::begin(kFrom), std::end(kFrom), pieces[i].lower) != std::end(kFrom);
  }
  cue_ |= target_.first_piece > 0 && pieces[target_.first_piece - 1].is("by");
  const auto& others = view.claim().quantities;
  cue_ |= std::any_of(others.begin(), others.end(), [](const Quantity& other) {  // "a square kilometre"
    return other.soft && other.unit.dimension != Dimension::kNone;
  });
  exact_ = target_.unit.dimension == Dimension::kPercent && !target_.decimal && target_.hedge == facts::Hedge::kNone &&
           !restated.empty();
  if (cue_) start_ += kCue;
  const bool value = target_.kind == QuantityKind::kNumber || target_.kind == QuantityKind::kFactor;
  const int digits = value ? significant_digits(target_) : target_.kind == QuantityKind::kShare ? 1 : 3;
  if (looks_altered()) start_ -= target_.kind == QuantityKind::kDate ? kAlteredDate : kAltered;
  start_ += kDigit * static_cast<float>(std::min(digits, kMostDigits) - 1);
}

// Whether a fact of the kind has nearly the same digits, or date: more likely it was altered than another was computed.
bool DerivationJudge::looks_altered() const {
  for (const NearUnit& near : view_.units()) {
    for (const Quantity& fact : view_.unit(near).statement.quantities) {
      if (!comparable(target_, fact) || fact.kind != target_.kind) continue;
      if (target_.kind == QuantityKind::kDate) {
        if (!target_.date.whole() || !fact.date.whole()) continue;
        const int same = (target_.date.year == fact.date.year) + (target_.date.month == fact.date.month) +
                         (target_.date.day == fact.date.day);
        if (same == 2) return true;
      } else if (target_.kind == QuantityKind::kNumber && !target_.words && !fact.words &&
                 fact.unit.factor == target_.unit.factor) {
        if (altered_digits(target_.value / target_.step, fact.value / target_.step)) return true;
      }
    }
  }
  return false;
}

bool DerivationJudge::plausible(double base, bool rounded) const {
  return agrees_value(target_, base, rounded) && (!exact_ || std::fabs(base - target_.value) < 0.005);
}

bool DerivationJudge::restates(uint32_t unit) const {
  return std::any_of(restated_.begin(), restated_.end(), [&](const Restated& other) { return other.unit == unit; });
}

// A quotient that chance would have to round.
float DerivationJudge::exactly(double base, bool rounded) const {
  const double value = target_.value * target_.unit.factor;
  return rounded && restated_.empty() && significant_digits(target_) > 1 &&
                 std::fabs(base - value) <= 1e-9 * std::fabs(value)
             ? kExactly
             : 0;
}

float DerivationJudge::each(std::initializer_list<const Operand*> used) const {
  uint32_t source = Operand::kConstant;
  for (const Operand* operand : used) {
    if (operand->source >= Operand::kConstant || (source != Operand::kConstant && source != operand->source)) return 0;
    source = operand->source;
  }
  return source < Operand::kConstant && (view_.index().units()[source].statement.traits & kShares) ? kEach : 0;
}

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
    if (operand->source == Operand::kConstant) {
      if (operand->established) {
        // A share of a share is rarely said.
        cost += operand->unit.dimension == Dimension::kPercent ? kEstablishedShare : kEstablished;
        from_facts = true;  // by way of an earlier claim
      }
      continue;
    }
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
  // A date that a stated period leads to looks like the date it is counted from.
  if (span && span->source < Operand::kConstant && span->relevant && target_.date.whole() &&
      span->unit.dimension == Dimension::kTime && restated_.empty())
    cost -= kCounting;
  if (span && span->source < Operand::kConstant) {
    relevant &= span->relevant;
    if (first && first->source != span->source && first->fact != span->fact) same = false;
    units.push_back(span->source);
  }
  score(cost, same, relevant, std::move(units), std::move(from_claim));
}

void DerivationJudge::score(float cost, bool same, bool relevant, std::vector<uint32_t> units,
                            std::vector<size_t> from_claim) {
  float worth = start_ - cost + (same && relevant ? kSameAndRelevant : same ? kSameUnit : relevant ? kRelevant : 0);
  if (!restated_.empty()) {
    const bool from_it = std::any_of(units.begin(), units.end(), [&](uint32_t unit) { return restates(unit); });
    const bool wording =
        std::any_of(restated_.begin(), restated_.end(), [](const Restated& other) { return other.wording; });
    const bool others = std::any_of(units.begin(), units.end(), [&](uint32_t unit) { return !restates(unit); });
    if (from_it && others && wording && !cue_) worth -= kRestatedFrom;
    worth -= !from_it ? (wording ? kRestated : kCounted) : cue_ ? 0 : kRestatedFrom;
  }
  if (!same && !relevant && worth < kEnoughForStrangers) return;
  if (any_ && worth <= best_.plausibility) return;
  any_ = true;
  best_ = {worth, std::move(units), std::move(from_claim)};
}

std::optional<Derivation> DerivationJudge::take() {
  if (!any_ || best_.plausibility < kEnough) return std::nullopt;
  return std::move(best_);
}

}  // namespace vsr::guard
