#include "guard/checks/subject_check.h"

#include <algorithm>

#include "guard/checks/agreement.h"
#include "guard/checks/claim_items.h"

namespace vsr::guard {
namespace {

using facts::Quantity;
using facts::QuantityKind;

constexpr float kTelling = 0.55F;  // weight of words by which another clause is meant

class Checker : private ItemReader {
 public:
  using ItemReader::ItemReader;

  void check() {
    for (const Item& item : items_) other_count(item);
    for (const Item& item : items_) other_subject(item);
  }

 private:
  // A value that facts state of other things, where a fact states another of what the claim counts.
  void other_count(const Item& here) {
    if (here.quantity < 0 || !judged(here)) return;
    const Quantity& quantity = claim_.quantities[static_cast<size_t>(here.quantity)];
    if (quantity.kind != QuantityKind::kNumber || quantity.year) return;
    const auto mine = claim_.counted(quantity);
    if (mine.empty()) return;
    const auto meet = [&](const std::vector<uint64_t>& theirs) {
      return std::any_of(mine.begin(), mine.end(),
                         [&](uint64_t stem) { return std::find(theirs.begin(), theirs.end(), stem) != theirs.end(); });
    };
    const FactUnit* other = nullptr;
    for (const NearUnit& near : view_.units()) {
      const FactUnit& unit = view_.unit(near);
      for (const Quantity& fact : unit.statement.quantities) {
        const auto theirs = unit.statement.counted(fact);
        if (agrees(quantity, fact)) {
          if (theirs.empty() || meet(theirs)) return;
          // Its noun may be elsewhere in the sentence: "the objects, of which 2,760 are on display".
          if (view_.shared(here.segment, unit, ClaimView::kAll, here.begin, here.end) > 0.05F &&
              !other_of_noun(unit, mine, quantity))
            return;
        } else if (!other && !theirs.empty() && meet(theirs) && comparable(quantity, fact) && !fact.soft) {
          other = &unit;
        }
      }
    }
    if (other) wrong(here, *other);
  }  // A value said of what another clause or sentence is about: "the oral exam counts for 70 percent" where the

  static bool other_of_noun(const FactUnit& unit, const std::vector<uint64_t>& mine, const Quantity& quantity) {
    for (const Quantity& fact : unit.statement.quantities) {
      if (agrees(quantity, fact) || !comparable(quantity, fact)) continue;
      const auto theirs = unit.statement.counted(fact);
      if (std::any_of(mine.begin(), mine.end(),
                      [&](uint64_t stem) { return std::find(theirs.begin(), theirs.end(), stem) != theirs.end(); }))
        return true;
    }
    return false;
  }

  // written one
  // does. The words before a value say what it is of.
  void other_subject(const Item& here) {
    if (here.quantity < 0 || !judged(here)) return;
    const Quantity& quantity = claim_.quantities[static_cast<size_t>(here.quantity)];
    if (quantity.kind != QuantityKind::kNumber || quantity.year) return;
    const FactUnit* of_value = nullptr;
    const Quantity* stated = nullptr;
    for (const NearUnit& near : view_.units()) {
      for (const Quantity& fact : view_.unit(near).statement.quantities) {
        if (!agrees(quantity, fact)) continue;
        if (of_value) return;  // stated twice
        of_value = &view_.unit(near);
        stated = &fact;
      }
    }
    if (!of_value) return;
    const auto own = leading(of_value->statement, *stated);
    for (const NearUnit& near : view_.units()) {
      const FactUnit& unit = view_.unit(near);
      for (const Quantity& fact : unit.statement.quantities) {
        if (&fact == stated || fact.soft || !comparable(quantity, fact) || agrees(quantity, fact) ||
            fact.unit.dimension != quantity.unit.dimension)
          continue;
        const auto other = leading(unit.statement, fact);
        float of_other = 0, of_own = 0, common = 0;
        for (size_t i = 0; i < claim_.words.size(); ++i) {
          if (claim_.words[i].segment != here.segment) continue;
          const bool mine = std::find(own.begin(), own.end(), view_.stem(i)) != own.end();
          const bool theirs = std::find(other.begin(), other.end(), view_.stem(i)) != other.end();
          const bool before = claim_.words[i].piece < here.begin;
          if (theirs && !mine && before && !holds(of_value->statement, view_.stem(i), &unit == of_value))
            of_other += view_.weight(i);
          if (mine && !theirs) of_own += view_.weight(i);
          if (mine && theirs) common += view_.weight(i);
        }
        const bool elided = &unit == of_value;
        if (elided && fact.first_piece < stated->first_piece) continue;  // what it says first is said of all
        if (of_other < kTelling || (of_own > 0.05F && !(elided && only_verb(own, other, here)))) continue;
        if (!elided && common < 0.15F) continue;
        return wrong(here, unit);
      }
    }
  }

  // The words of a value's clause before it, or of all clauses before it where it has none of its own.
  static std::vector<uint64_t> leading(const Statement& fact, const Quantity& value) {
    std::vector<uint64_t> stems;
    const uint16_t segment = fact.segment_of(value.first_piece);
    for (const ContentWord& word : fact.words) {
      if (word.piece < value.first_piece && word.segment == segment) stems.push_back(word.stem);
    }
    if (segment > 0 && fact.segments[segment].begin < fact.pieces.size() && stems.size() < 2) {
      for (const ContentWord& word : fact.words) {
        if (word.piece < value.first_piece && word.segment + 1 == segment &&
            !fact.pieces[fact.segments[segment].begin].is(","))
          stems.push_back(word.stem);
      }
    }
    return stems;
  }

  static bool holds(const Statement& fact, uint64_t stem, bool same) {
    return !same && std::any_of(fact.words.begin(), fact.words.end(),
                                [&](const ContentWord& word) { return word.stem == stem; });
  }

  // Whether all that the claim shares with the value's own clause is one word, its verb, which the other clause leaves
  // out.
  bool only_verb(const std::vector<uint64_t>& own, const std::vector<uint64_t>& other, const Item& here) const {
    size_t shared = 0;
    bool right_before = false;
    for (size_t i = 0; i < claim_.words.size(); ++i) {
      if (claim_.words[i].segment != here.segment || std::find(own.begin(), own.end(), view_.stem(i)) == own.end())
        continue;
      if (std::find(other.begin(), other.end(), view_.stem(i)) != other.end()) continue;
      ++shared;
      right_before |= claim_.words[i].piece + 2 >= here.begin && claim_.words[i].piece < here.begin;
    }
    return shared == 1 && right_before && own.size() > 1;
  }
};

}  // namespace

void check_subjects(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings) {
  // What compares or computes puts together what facts keep apart.
  if (std::any_of(values.begin(), values.end(),
                  [](const ValueVerdict& value) { return value.state == ValueVerdict::kDerived; }))
    return;
  Checker(view, values, findings).check();
}

}  // namespace vsr::guard
