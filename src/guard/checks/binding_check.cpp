#include "guard/checks/binding_check.h"

#include <algorithm>
#include <string>

#include "guard/checks/agreement.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Quantity;
using facts::QuantityKind;

constexpr float kTelling = 0.55F;    // weight of words by which another clause is meant
constexpr float kOtherFact = 0.55F;  // share of a claim's clause that another fact holds

// A value or a name of a statement.
struct Item {
  int quantity = -1;
  int name = -1;
  size_t begin = 0, end = 0;  // pieces
  uint16_t segment = 0;
};

std::vector<Item> items_of(const Statement& statement) {
  std::vector<Item> items;
  for (size_t i = 0; i < statement.quantities.size(); ++i) {
    const Quantity& quantity = statement.quantities[i];
    if (quantity.soft || quantity.kind == QuantityKind::kOrdinal) continue;
    items.push_back(
        {static_cast<int>(i), -1, quantity.first_piece, quantity.last_piece, statement.quantity_segments[i]});
  }
  for (size_t i = 0; i < statement.names.size(); ++i) {
    const NameRun& run = statement.names[i];
    if (run.end == run.begin + 1 && (statement.german || statement.pieces[run.begin].starts)) continue;
    items.push_back({-1, static_cast<int>(i), run.begin, run.end, run.segment});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.begin < b.begin; });
  return items;
}

class Checker {
 public:
  Checker(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings)
      : view_(view), claim_(view.claim()), values_(values), findings_(findings), items_(items_of(claim_)) {}

  void check() {
    for (const NearUnit& near : view_.units()) {
      if (near.coverage <= 0 && !near.recent) continue;
      const FactUnit& unit = view_.unit(near);
      facts_items_ = items_of(unit.statement);
      crossed(near, unit);
      reversed(near, unit);
      misplaced(near, unit);
    }
    for (size_t i = 0; i < items_.size(); ++i) foreign(items_[i]);
  }

 private:
  bool names_agree(const Statement& fact, const Item& there, const Item& here) const {
    if (there.name < 0 || here.name < 0) return false;
    // Any word of the run that is no title: "Lindqvist" is "Tomas Lindqvist".
    for (size_t i = here.begin; i < here.end; ++i) {
      const std::string& word = claim_.pieces[i].lower;
      if (word.size() < 3 || (word_traits(word) & (kTitle | kKnownName))) continue;
      for (size_t k = there.begin; k < there.end; ++k) {
        if (fact.pieces[k].lower == word) return true;
      }
    }
    return false;
  }
  bool same_item(const Statement& fact, const Item& there, const Item& here) const {
    if (here.quantity >= 0 && there.quantity >= 0) {
      return agrees(claim_.quantities[static_cast<size_t>(here.quantity)],
                    fact.quantities[static_cast<size_t>(there.quantity)]);
    }
    return names_agree(fact, there, here);
  }
  bool same_kind(const Statement& fact, const Item& there, const Item& here) const {
    if (here.quantity >= 0 && there.quantity >= 0) {
      return comparable(claim_.quantities[static_cast<size_t>(here.quantity)],
                        fact.quantities[static_cast<size_t>(there.quantity)]);
    }
    return here.name >= 0 && there.name >= 0;
  }
  bool judged(const Item& item) const {
    return item.quantity < 0 || values_[static_cast<size_t>(item.quantity)].state == ValueVerdict::kStated;
  }

  // The clause of the facts in which an item of the claim stands; -1: in none, or in several.
  int clause_of(const Statement& fact, const Item& here) const {
    int found = -1;
    for (const Item& there : facts_items_) {
      if (!same_item(fact, there, here)) continue;
      if (found >= 0 && found != there.segment) return -1;
      found = there.segment;
    }
    return found;
  }
  bool clause_has_other(const Statement& fact, int segment, const Item& here) const {
    return std::any_of(facts_items_.begin(), facts_items_.end(), [&](const Item& there) {
      return there.segment == segment && same_kind(fact, there, here) && !same_item(fact, there, here);
    });
  }
  bool claim_clause_has(const Statement& fact, int fact_segment, uint16_t segment, const Item& but_kind) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& here) {
      if (here.segment != segment) return false;
      return std::any_of(facts_items_.begin(), facts_items_.end(), [&](const Item& there) {
        return there.segment == fact_segment && same_kind(fact, there, but_kind) && same_item(fact, there, here);
      });
    });
  }

  // Two items of one clause of the claim that stand in two clauses of the fact, each beside another of the other's
  // kind.
  void crossed(const NearUnit& near, const FactUnit& unit) {
    const Statement& fact = unit.statement;
    for (size_t i = 0; i < items_.size(); ++i) {
      for (size_t j = i + 1; j < items_.size(); ++j) {
        const Item &a = items_[i], &b = items_[j];
        if (a.segment != b.segment || !judged(a) || !judged(b)) continue;
        const int of_a = clause_of(fact, a), of_b = clause_of(fact, b);
        if (of_a < 0 || of_b < 0 || of_a == of_b) continue;
        if (!clause_has_other(fact, of_a, b) || !clause_has_other(fact, of_b, a)) continue;
        if (claim_clause_has(fact, of_a, a.segment, b) || claim_clause_has(fact, of_b, a.segment, a)) continue;
        wrong(b.quantity >= 0 ? b : a, unit);
        (void)near;
        return;
      }
    }
  }

  // "from 310 ms to 840 ms" where the fact says from 840 to 310.
  void reversed(const NearUnit&, const FactUnit& unit) {
    const Statement& fact = unit.statement;
    for (size_t i = 0; i + 1 < claim_.quantities.size(); ++i) {
      if (!claim_.quantities[i].range_begin) continue;
      for (size_t k = 0; k + 1 < fact.quantities.size(); ++k) {
        const Quantity &x = claim_.quantities[i], &y = claim_.quantities[i + 1];
        if (!fact.quantities[k].range_begin || agrees(x, y)) continue;
        if (agrees(x, fact.quantities[k + 1]) && agrees(y, fact.quantities[k]) && !agrees(x, fact.quantities[k])) {
          findings_.push_back({x.begin, y.end, flaw_of(x), 1.0F, static_cast<int32_t>(unit.fact)});
          return;
        }
      }
    }
  }

  // An item beside words that the fact puts beside another of its kind.
  void misplaced(const NearUnit& near, const FactUnit& unit) {
    const Statement& fact = unit.statement;
    if (fact.segments.size() < 2) return;
    for (const Item& here : items_) {
      if (!judged(here)) continue;
      const int own = clause_of(fact, here);
      if (own < 0) continue;
      if (elsewhere(near, here)) continue;
      const float beside_own = view_.shared(here.segment, unit, own, here.begin, here.end);
      if (beside_own > 0.05F) continue;
      for (const Item& there : facts_items_) {
        if (there.segment == own || !same_kind(fact, there, here) || same_item(fact, there, here)) continue;
        if (mentioned(fact, there)) continue;
        if (view_.shared(here.segment, unit, there.segment, here.begin, here.end) < kTelling) continue;
        wrong(here, unit);
        return;
      }
    }
  }
  // Whether a claim names an item of the fact anywhere.
  bool mentioned(const Statement& fact, const Item& there) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& here) { return same_item(fact, there, here); });
  }
  // Whether an item stands in another unit, too, that shares words with its clause.
  bool elsewhere(const NearUnit& near, const Item& here) const {
    for (const NearUnit& other : view_.units()) {
      if (other.unit == near.unit) continue;
      const FactUnit& unit = view_.unit(other);
      for (const Item& there : items_of(unit.statement)) {
        if (same_item(unit.statement, there, here) &&
            view_.shared(here.segment, unit, ClaimView::kAll, here.begin, here.end) > 0.05F)
          return true;
      }
    }
    return false;
  }

  // A value whose own facts share nothing with its clause, while another fact that does has another value of its kind.
  void foreign(const Item& here) {
    if (here.quantity < 0 || !judged(here)) return;
    const Quantity& quantity = claim_.quantities[static_cast<size_t>(here.quantity)];
    if (quantity.kind == QuantityKind::kIdentifier && quantity.key.size() < 3) return;
    const NearUnit* best = nullptr;
    float most = 0;
    for (const NearUnit& near : view_.units()) {
      const FactUnit& unit = view_.unit(near);
      const bool states = std::any_of(unit.statement.quantities.begin(), unit.statement.quantities.end(),
                                      [&](const Quantity& fact) { return agrees(quantity, fact); });
      const float shared = view_.shared(here.segment, unit, ClaimView::kAll, here.begin, here.end);
      const float all = view_.shared(ClaimView::kAll, unit, ClaimView::kAll, here.begin, here.end);
      if (states && (shared > 0.05F || all > 0.05F || near.recent)) return;
      if (states) continue;
      const bool other =
          std::any_of(unit.statement.quantities.begin(), unit.statement.quantities.end(), [&](const Quantity& fact) {
            return comparable(quantity, fact) && !fact.soft && fact.unit.dimension == quantity.unit.dimension;
          });
      if (other && shared > most) {
        most = shared;
        best = &near;
      }
    }
    const float total = view_.total_weight(here.segment);
    if (best == nullptr || total <= 0 || most < kTelling || most / total < kOtherFact) return;
    wrong(here, view_.unit(*best));
  }

  void wrong(const Item& item, const FactUnit& unit) {
    const size_t begin = claim_.pieces[item.begin].begin, end = claim_.pieces[item.end - 1].end;
    const Flaw flaw = item.quantity >= 0 ? flaw_of(claim_.quantities[static_cast<size_t>(item.quantity)]) : Flaw::kName;
    findings_.push_back({begin, end, flaw, 1.0F, static_cast<int32_t>(unit.fact)});
  }

  const ClaimView& view_;
  const Statement& claim_;
  const std::vector<ValueVerdict>& values_;
  std::vector<Finding>& findings_;
  std::vector<Item> items_;
  std::vector<Item> facts_items_;
};

}  // namespace

void check_bindings(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings) {
  Checker(view, values, findings).check();
}

}  // namespace vsr::guard
