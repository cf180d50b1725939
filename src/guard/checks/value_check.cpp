#include "guard/checks/value_check.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "guard/checks/agreement.h"
#include "guard/checks/derivation.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr float kRestatedCoverage = 0.6F;  // of the claim's words by one sentence of the facts
constexpr size_t kMostDerived = 48;        // values of a claim for which a derivation is sought
constexpr float kSameDigits = 0.5F;
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
    size_t searched = 0;
    for (size_t i = 0; i < quantities.size(); ++i) {
      if (verdicts_[i].state != ValueVerdict::kUnjudged || quantities[i].soft || !judged(quantities[i])) continue;
      if (++searched > kMostDerived || other_unit(quantities[i])) {
        open.push_back(i);
        continue;
      }
      if (auto found = is_label(quantities[i]) ? std::nullopt : derive(view_, i, restated(i))) {
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
    for (const Quantity& known : view_.established()) {
      if (agrees(quantity, known)) verdicts_[i].state = ValueVerdict::kStated;
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

  // The units with another value of this kind that read much like the claim.
  std::vector<Restated> restated(size_t i) const {
    const Quantity& quantity = view_.claim().quantities[i];
    std::vector<Restated> units;
    for (const NearUnit& near : view_.units()) {
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        if (!comparable(quantity, fact) || fact.soft) continue;
        if (near.coverage < kRestatedCoverage && !counts_same(quantity, view_.unit(near).statement, fact)) continue;
        if (of_another_time(view_.unit(near).statement, quantity)) continue;
        units.push_back({near.unit, near.coverage >= kRestatedCoverage});
        break;
      }
    }
    return units;
  }  // Whether a sentence speaks of a year that the claim does not name.
  bool of_another_time(const Statement& unit, const Quantity& target) const {
    if (target.kind == QuantityKind::kDate || target.year) return false;
    const auto is_year = [](const Quantity& q) { return q.year; };
    const auto is_date = [](const Quantity& q) { return q.year || q.kind == QuantityKind::kDate; };
    return unit.segments.size() < 3 && std::any_of(unit.quantities.begin(), unit.quantities.end(), is_year) &&
           std::none_of(view_.claim().quantities.begin(), view_.claim().quantities.end(), is_date);
  }  // The digits of a sentence that reads like the claim, with another unit.
  bool other_unit(const Quantity& quantity) const {
    if (quantity.kind != QuantityKind::kNumber || quantity.unit.dimension == Dimension::kNone) return false;
    for (const NearUnit& near : view_.units()) {
      if (near.coverage < kSameDigits) break;
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        const bool other = fact.unit.dimension != quantity.unit.dimension || fact.unit.factor != quantity.unit.factor ||
                           fact.unit.currency != quantity.unit.currency;
        if (fact.kind == QuantityKind::kNumber && fact.value == quantity.value &&
            fact.unit.dimension != Dimension::kNone && other)
          return true;
      }
    }
    return false;
  }

  // "Coach 21": a number after a word after which the facts have another one names and counts nothing.
  bool is_label(const Quantity& quantity) const {
    if (quantity.kind != QuantityKind::kNumber || quantity.unit.dimension != Dimension::kNone || quantity.words ||
        quantity.first_piece == 0)
      return false;
    const auto& word = view_.claim().pieces[quantity.first_piece - 1];
    if (word.kind != facts::Piece::kWord || word.lower.size() < 2 || !word.capital || word.starts) return false;
    for (const NearUnit& near : view_.units()) {
      const Statement& unit = view_.unit(near).statement;
      for (const Quantity& fact : unit.quantities) {
        if (fact.first_piece > 0 && fact.kind == quantity.kind && unit.pieces[fact.first_piece - 1].lower == word.lower)
          return true;
      }
    }
    return false;
  }

  // "18 claims" and "15 claims".
  bool counts_same(const Quantity& quantity, const Statement& unit, const Quantity& fact) const {
    const auto mine = view_.claim().counted(quantity), theirs = unit.counted(fact);
    return std::any_of(mine.begin(), mine.end(),
                       [&](uint64_t stem) { return std::find(theirs.begin(), theirs.end(), stem) != theirs.end(); });
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
    EventKind flaw = flaw_of(quantity);
    // The digits of a fact with another unit.
    for (const NearUnit& candidate : view_.units()) {
      if (!candidate.relevant) continue;
      for (const Quantity& fact : view_.unit(candidate).statement.quantities) {
        if (fact.kind == QuantityKind::kNumber && quantity.kind == QuantityKind::kNumber &&
            fact.value == quantity.value && quantity.unit.dimension != Dimension::kMoney &&
            quantity.unit.dimension != Dimension::kNone && fact.unit.dimension != Dimension::kNone) {
          flaw = EventKind::kUnit;
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
    if (!near || derive(view_, i, {})) return;
    verdicts_[i].state = ValueVerdict::kWrong;
    findings_.push_back({quantity.begin, quantity.end, flaw_of(quantity), 1.0F, view_.fact_of(near)});
  }

  const ClaimView& view_;
  std::vector<Finding>& findings_;
  std::vector<ValueVerdict> verdicts_;
};

}  // namespace

EventKind flaw_of(const Quantity& quantity) {
  switch (quantity.kind) {
    case QuantityKind::kDate:
    case QuantityKind::kQuarter:
    case QuantityKind::kWeekday:
    case QuantityKind::kClock:
      return EventKind::kDate;
    case QuantityKind::kIdentifier:
      return EventKind::kIdentifier;
    case QuantityKind::kShare:
      return EventKind::kPercent;
    default:
      break;
  }
  switch (quantity.unit.dimension) {
    case Dimension::kMoney:
      return EventKind::kAmount;
    case Dimension::kPercent:
    case Dimension::kPoints:
      return EventKind::kPercent;
    default:
      return quantity.year ? EventKind::kDate : EventKind::kNumber;
  }
}

std::vector<ValueVerdict> check_values(const ClaimView& view, std::vector<Finding>& findings) {
  return Checker(view, findings).check();
}

}  // namespace vsr::guard
