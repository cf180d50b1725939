#include "guard/checks/binding_check.h"

#include <algorithm>
#include <string>

#include "guard/checks/agreement.h"
#include "guard/checks/claim_items.h"
#include "guard/checks/subject_check.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Quantity;
using facts::QuantityKind;

constexpr float kTelling = 0.55F;    // weight of words by which another clause is meant
constexpr float kOtherFact = 0.55F;  // share of a claim's clause that another fact holds

class Checker : private ItemReader {
 public:
  using ItemReader::ItemReader;
  void check() {
    // What compares or computes puts together what facts keep apart.
    const bool computed = std::any_of(values_.begin(), values_.end(),
                                      [](const ValueVerdict& value) { return value.state == ValueVerdict::kDerived; });
    if (computed) return;
    for (const NearUnit& near : view_.units()) {
      if (near.coverage <= 0 && !near.recent) continue;
      const FactUnit& unit = view_.unit(near);
      facts_items_ = items_of(unit.statement);
      crossed(near, unit);
      reversed(near, unit);
      exchanged(unit);
      misplaced(near, unit);
    }
    for (const Item& item : items_) foreign(item);
    roles();
    strangers();
  }

 private:
  // The clause of the facts in which an item of the claim is; -1: in none, or in several.
  int clause_of(const Statement& fact, const Item& here) const {
    int found = -1;
    for (const Item& there : facts_items_) {
      if (!same_item(fact, there, here)) continue;
      if (found >= 0 && found != there.segment) return -1;
      found = there.segment;
    }
    return found;
  }
  bool clause_has_other(const Statement& fact, int segment, const Item& here, const Item& nor) const {
    return std::any_of(facts_items_.begin(), facts_items_.end(), [&](const Item& there) {
      return there.segment == segment && same_kind(fact, there, here) && !same_item(fact, there, here) &&
             !same_item(fact, there, nor);
    });
  }
  bool claim_clause_has(const Statement& fact, int fact_segment, const Item& other, const Item& but_kind) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& here) {
      if (here.segment != other.segment || here.begin == other.begin || here.begin == but_kind.begin) return false;
      return std::any_of(facts_items_.begin(), facts_items_.end(), [&](const Item& there) {
        return there.segment == fact_segment && same_kind(fact, there, but_kind) && same_item(fact, there, here);
      });
    });
  }

  // Two items of one clause of the claim that are in two clauses of the fact, each beside another of the other's
  // kind.
  void crossed(const NearUnit& near, const FactUnit& unit) {
    const Statement& fact = unit.statement;
    for (size_t i = 0; i < items_.size(); ++i) {
      for (size_t j = i + 1; j < items_.size(); ++j) {
        const Item &a = items_[i], &b = items_[j];
        if (a.segment != b.segment || !judged(a) || !judged(b)) continue;
        const int of_a = clause_of(fact, a), of_b = clause_of(fact, b);
        if (of_a < 0 || of_b < 0 || of_a == of_b) continue;
        if (!clause_has_other(fact, of_a, b, a) || !clause_has_other(fact, of_b, a, b)) continue;
        if (claim_clause_has(fact, of_a, a, b) || claim_clause_has(fact, of_b, b, a)) continue;
        wrong(b.quantity >= 0 ? b : a, unit);
        (void)near;
        return;
      }
    }
  }  // Two clauses that have exchanged their words: "54 on placebo and 90 on lenotamab".
  void exchanged(const FactUnit& unit) {
    const Statement& fact = unit.statement;
    for (const Item& a : items_) {
      for (const Item& b : items_) {
        if (a.begin >= b.begin || a.segment == b.segment || !judged(a) || !judged(b)) continue;
        const int of_a = clause_of(fact, a), of_b = clause_of(fact, b);
        if (of_a < 0 || of_b < 0 || of_a == of_b) continue;
        if (exclusive(a, unit, of_b, of_a) < 0.3F || exclusive(b, unit, of_a, of_b) < 0.3F) continue;
        return wrong(a, unit);
      }
    }
  }
  // The weight of words of an item's clause, items apart, that one clause of a fact holds and another does not.
  float exclusive(const Item& here, const FactUnit& unit, int in, int not_in) const {
    float sum = 0;
    for (size_t i = 0; i < claim_.words.size(); ++i) {
      const ContentWord& word = claim_.words[i];
      if (word.segment != here.segment || in_item(word.piece)) continue;
      bool there = false, other = false;
      for (const ContentWord& theirs : unit.statement.words) {
        if (theirs.stem != view_.stem(i)) continue;
        there |= theirs.segment == in;
        other |= theirs.segment == not_in;
      }
      if (there && !other) sum += view_.weight(i);
    }
    return sum;
  }
  bool in_item(size_t piece) const {
    return std::any_of(items_.begin(), items_.end(),
                       [&](const Item& item) { return piece >= item.begin && piece < item.end; });
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
      for (const Item& there : facts_items_) {
        if (there.segment == own || !same_kind(fact, there, here) || same_item(fact, there, here)) continue;
        if (mentioned(fact, there, here.segment)) continue;
        if (exclusive(here, unit, own, there.segment) > 0.05F || exclusive(here, unit, there.segment, own) < kTelling)
          continue;
        wrong(here, unit);
        return;
      }
    }
  }
  // Whether a clause of the claim names an item of the fact.
  bool mentioned(const Statement& fact, const Item& there, uint16_t segment) const {
    return std::any_of(items_.begin(), items_.end(),
                       [&](const Item& here) { return here.segment == segment && same_item(fact, there, here); });
  }
  // The weight of the words of an item's clause, items apart, that a clause of the fact holds.
  float beside(const Item& here, const FactUnit& unit, int unit_segment) const {
    float shared = view_.shared(here.segment, unit, unit_segment, here.begin, here.end);
    for (const Item& other : items_) {
      if (other.segment != here.segment || other.begin == here.begin || other.name < 0) continue;
      shared -= view_.shared(here.segment, unit, unit_segment) -
                view_.shared(here.segment, unit, unit_segment, other.begin, other.end);
    }
    return shared;
  }
  // Whether an item is in another unit, too, that shares words with its clause.
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
    if (here.name >= 0) return foreign_name(here);
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
  }  // A value and a name of one clause that no fact states together, each beside another of the other's kind in its
     // own:
  // "left Singapore on 3 February" where another sentence puts Rotterdam beside that date.
  void strangers() {
    for (const Item& value : items_) {
      if (value.quantity < 0 || !judged(value)) continue;
      const auto& states = values_[static_cast<size_t>(value.quantity)].units;
      if (states.size() != 1) continue;
      const FactUnit& of_value = view_.index().units()[states[0]];
      for (const Item& name : items_) {
        if (name.name < 0 || name.segment != value.segment) continue;
        if (has_item(of_value.statement, name) || !has_other(of_value.statement, name)) continue;
        const FactUnit* of_name = nullptr;
        size_t count = 0;
        for (const NearUnit& near : view_.units()) {
          if (!has_item(view_.unit(near).statement, name)) continue;
          of_name = &view_.unit(near);
          ++count;
        }
        if (count != 1 || !has_other(of_name->statement, value)) continue;
        if (std::any_of(items_.begin(), items_.end(), [&](const Item& here) {
              return here.name >= 0 && here.begin != name.begin && has_item(of_value.statement, here);
            })) {
          continue;  // the name that belongs to the value is there, too
        }
        const bool measure =
            claim_.quantities[static_cast<size_t>(value.quantity)].unit.dimension != facts::Dimension::kNone;
        if (beside(value, of_value, ClaimView::kAll) < 0.3F) continue;
        if (!measure && beside(value, *of_name, ClaimView::kAll) > 0.05F) continue;
        return wrong(name, of_value);
      }
    }
  }
  bool has_item(const Statement& fact, const Item& here) const {
    const auto theirs = items_of(fact);
    return std::any_of(theirs.begin(), theirs.end(), [&](const Item& there) { return same_item(fact, there, here); });
  }
  bool has_other(const Statement& fact, const Item& here) const {
    const auto theirs = items_of(fact);
    return std::any_of(theirs.begin(), theirs.end(), [&](const Item& there) {
      return same_kind(fact, there, here) && !same_item(fact, there, here);
    });
  }  // The same of a name: "the applicant is Vexatron" where another sentence names the applicant.
  void foreign_name(const Item& here) {
    const NearUnit* best = nullptr;
    float most = 0;
    bool known = false;
    for (const NearUnit& near : view_.units()) {
      const FactUnit& unit = view_.unit(near);
      const float shared = beside(here, unit, ClaimView::kAll);
      if (has_item(unit.statement, here)) {
        if (shared > 0.05F) return;
        known = true;
      } else if (shared > most && has_other(unit.statement, here)) {
        most = shared;
        best = &near;
      }
    }
    // Another name of the claim may be the one that is meant there.
    if (!known || !best || items_.size() > 1) return;
    const float total = view_.total_weight(here.segment) - own_weight(here);
    if (most < kTelling || total <= 0 || most / total < kOtherFact) return;
    wrong(here, view_.unit(*best));
  }
  float own_weight(const Item& here) const {
    float sum = 0;
    for (size_t i = 0; i < claim_.words.size(); ++i) {
      if (claim_.words[i].piece >= here.begin && claim_.words[i].piece < here.end) sum += view_.weight(i);
    }
    return sum;
  }

  // The word before an item, articles and titles apart: "by", "from", "left".
  static std::string role_of(const Statement& statement, const Item& item) {
    size_t i = item.begin;
    while (i > 0) {
      const facts::Piece& piece = statement.pieces[--i];
      static constexpr std::string_view kSkipped[] = {"the", "a",   "an", "der", "die", "das", "dem", "den",  "le",
                                                      "la",  "les", "l",  "'",   "'s",  "mr",  "mrs", "frau", "herr"};
      if (std::find(std::begin(kSkipped), std::end(kSkipped), piece.lower) != std::end(kSkipped)) continue;
      return piece.kind == facts::Piece::kWord ? piece.lower : std::string();
    }
    return {};
  }

  // Two items that have changed places: "by X to Y" where the fact says "by Y to X".
  void roles() {
    for (const NearUnit& near : view_.units()) {
      if (near.coverage < 0.3F) break;
      const FactUnit& unit = view_.unit(near);
      const auto theirs = items_of(unit.statement);
      for (size_t i = 0; i < items_.size(); ++i) {
        for (size_t j = i + 1; j < items_.size(); ++j) {
          const Item *x = nullptr, *y = nullptr;
          for (const Item& there : theirs) {
            if (!x && same_item(unit.statement, there, items_[i])) x = &there;
            if (!y && same_item(unit.statement, there, items_[j])) y = &there;
          }
          if (!x || !y || x == y || !same_kind(unit.statement, *x, items_[j])) continue;
          const std::string here_x = role_of(claim_, items_[i]), here_y = role_of(claim_, items_[j]);
          const std::string there_x = role_of(unit.statement, *x), there_y = role_of(unit.statement, *y);
          if (here_x.empty() || here_y.empty() || here_x == here_y || here_x != there_y || here_y != there_x) continue;
          return wrong(items_[i], unit);
        }
      }
    }
  }

  std::vector<Item> facts_items_;
};

}  // namespace

void check_bindings(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings) {
  Checker(view, values, findings).check();
  check_subjects(view, values, findings);
}

}  // namespace vsr::guard
