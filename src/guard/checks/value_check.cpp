#include "guard/checks/value_check.h"

#include <algorithm>
#include <cmath>

#include "guard/checks/agreement.h"
#include "guard/checks/derivation.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr float kRestatedCoverage = 0.6F;  // of the claim's words by one sentence of the facts
constexpr float kSoftCoverage = 0.6F;

class Checker {
 public:
  Checker(const ClaimView& view, std::vector<Finding>& findings)
      : view_(view), findings_(findings), verdicts_(view.claim().quantities.size()) {}

  std::vector<ValueVerdict> check() {
    const auto& quantities = view_.claim().quantities;
    for (size_t i = 0; i < quantities.size(); ++i) state(i);
    // What has to be derived; a value that others derive from is one that the claim assumes.
    std::vector<size_t> open;
    for (size_t i = 0; i < quantities.size(); ++i) {
      if (verdicts_[i].state != ValueVerdict::kUnjudged || quantities[i].soft || !judged(quantities[i])) continue;
      if (auto found = derive(view_, i, restated(i))) {
        verdicts_[i] = {ValueVerdict::kDerived, found->units};
        for (const size_t premise : found->from_claim) {
          if (verdicts_[premise].state == ValueVerdict::kUnjudged && assumable(quantities[premise]))
            verdicts_[premise].state = ValueVerdict::kDerived;
        }
      } else {
        open.push_back(i);
      }
    }
    for (const size_t i : open) {
      if (verdicts_[i].state == ValueVerdict::kUnjudged) wrong(i);
    }
    for (size_t i = 0; i < quantities.size(); ++i) {
      if (verdicts_[i].state == ValueVerdict::kUnjudged && quantities[i].soft) soft(i);
    }
    return std::move(verdicts_);
  }

 private:
  void state(size_t i) {
    const Quantity& quantity = view_.claim().quantities[i];
    for (const NearUnit& near : view_.units()) {
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        if (!agrees(quantity, fact)) continue;
        verdicts_[i].state = ValueVerdict::kStated;
        verdicts_[i].units.push_back(near.unit);
        break;
      }
    }
    if (verdicts_[i].state != ValueVerdict::kUnjudged) return;
    for (const Quantity& asked : view_.question().quantities) {
      if (agrees(quantity, asked)) verdicts_[i].state = ValueVerdict::kAsked;
    }
    if (verdicts_[i].state == ValueVerdict::kUnjudged && quantity.kind == QuantityKind::kIdentifier) named(i);
  }

  // An identifier that the facts write as words: "A4", "H2O", "legacy_mode".
  void named(size_t i) {
    const Quantity& quantity = view_.claim().quantities[i];
    const std::string_view text =
        std::string_view(view_.claim().text).substr(quantity.begin, quantity.end - quantity.begin);
    for (const NearUnit& near : view_.units()) {
      if (view_.unit(near).statement.text.find(text) == std::string::npos) continue;
      verdicts_[i] = {ValueVerdict::kStated, {near.unit}};
      return;
    }
    if (view_.question().text.find(text) != std::string::npos) verdicts_[i].state = ValueVerdict::kAsked;
  }

  static bool judged(const Quantity& quantity) {
    return !(quantity.kind == QuantityKind::kOrdinal && quantity.value > 0 && quantity.words);
  }
  static bool assumable(const Quantity& quantity) {
    return quantity.kind == QuantityKind::kNumber && quantity.value <= 1000 && !quantity.year &&
           quantity.unit.dimension != Dimension::kMoney;
  }

  // Whether some fact with another value of this kind reads much like the claim.
  bool restated(size_t i) const {
    const Quantity& quantity = view_.claim().quantities[i];
    for (const NearUnit& near : view_.units()) {
      if (near.coverage < kRestatedCoverage) break;
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        if (comparable(quantity, fact) && !fact.soft) return true;
      }
    }
    return false;
  }

  // The nearest sentence that states a value of this kind, or else the nearest.
  const NearUnit* rival(const Quantity& quantity, float least) const {
    for (const NearUnit& near : view_.units()) {
      if (near.coverage < least) break;
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        if (comparable(quantity, fact)) return &near;
      }
    }
    return nullptr;
  }

  void wrong(size_t i) {
    const Quantity& quantity = view_.claim().quantities[i];
    verdicts_[i].state = ValueVerdict::kWrong;
    const NearUnit* near = rival(quantity, 0.01F);
    Flaw flaw = flaw_of(quantity);
    // The digits of a fact with another unit.
    for (const NearUnit& candidate : view_.units()) {
      if (!candidate.relevant) continue;
      for (const Quantity& fact : view_.unit(candidate).statement.quantities) {
        if (fact.kind == QuantityKind::kNumber && quantity.kind == QuantityKind::kNumber &&
            fact.value == quantity.value && quantity.unit.dimension != Dimension::kMoney &&
            quantity.unit.dimension != Dimension::kNone && fact.unit.dimension != Dimension::kNone) {
          flaw = Flaw::kUnit;
          near = &candidate;
        }
      }
    }
    findings_.push_back({quantity.begin, quantity.end, flaw, 1.0F, view_.fact_of(near ? near : view_.nearest())});
  }

  // "one", "the two", "first": wrong only where a fact says the same with another value.
  void soft(size_t i) {
    const Quantity& quantity = view_.claim().quantities[i];
    if (quantity.kind == QuantityKind::kOrdinal || quantity.unit.dimension == Dimension::kNone) return;
    const NearUnit* near = rival(quantity, kSoftCoverage);
    if (!near || derive(view_, i, false)) return;
    verdicts_[i].state = ValueVerdict::kWrong;
    findings_.push_back({quantity.begin, quantity.end, flaw_of(quantity), 1.0F, view_.fact_of(near)});
  }

  const ClaimView& view_;
  std::vector<Finding>& findings_;
  std::vector<ValueVerdict> verdicts_;
};

}  // namespace

Flaw flaw_of(const Quantity& quantity) {
  switch (quantity.kind) {
    case QuantityKind::kDate:
    case QuantityKind::kQuarter:
    case QuantityKind::kWeekday:
    case QuantityKind::kClock:
      return Flaw::kDate;
    case QuantityKind::kIdentifier:
      return Flaw::kIdentifier;
    case QuantityKind::kShare:
      return Flaw::kPercent;
    default:
      break;
  }
  switch (quantity.unit.dimension) {
    case Dimension::kMoney:
      return Flaw::kAmount;
    case Dimension::kPercent:
    case Dimension::kPoints:
      return Flaw::kPercent;
    default:
      return quantity.year ? Flaw::kDate : Flaw::kNumber;
  }
}

std::vector<ValueVerdict> check_values(const ClaimView& view, std::vector<Finding>& findings) {
  return Checker(view, findings).check();
}

}  // namespace vsr::guard
