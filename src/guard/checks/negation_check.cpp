#include "guard/checks/negation_check.h"

#include <algorithm>
#include <string>

#include "facts/word_groups.h"
#include "guard/checks/agreement.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

constexpr float kCoverage = 0.6F;   // of the claim's clause that a fact must hold
constexpr float kWithModal = 0.4F;  // where both speak of the same axis, such as what is allowed
constexpr float kLeast = 0.9F;      // weight of what is shared

class Checker {
 public:
  Checker(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings)
      : view_(view), claim_(view.claim()), values_(values), findings_(findings) {}

  void check() {
    for (uint16_t segment = 0; segment < claim_.segments.size(); ++segment) {
      if (clause(segment)) return;
    }
  }

 private:
  // The fact's clause that shares most with the claim's; of equals, the one that shares its first telling word.
  int best_clause(const FactUnit& unit, uint16_t segment) const {
    int best = 0;
    float most = -1;
    for (size_t k = 0; k < unit.statement.segments.size(); ++k) {
      float shared =
          view_.shared(segment, unit, static_cast<int>(k)) - 0.7F * shared_names(unit, segment, static_cast<int>(k));
      for (const auto& quantity : claim_.quantities) {
        if (claim_.segment_of(quantity.first_piece) != segment) continue;
        for (size_t i = 0; i < unit.statement.quantities.size(); ++i) {
          if (unit.statement.quantity_segments[i] == k && agrees(quantity, unit.statement.quantities[i]))
            shared += 0.8F;
        }
      }
      if (shared > most + 0.05F) {
        most = shared;
        best = static_cast<int>(k);
      } else if (shared > most - 0.05F && shares_first(unit, segment, static_cast<uint16_t>(k)) &&
                 !shares_first(unit, segment, static_cast<uint16_t>(best))) {
        best = static_cast<int>(k);
      }
    }
    return best;
  }  // The negated clause of a fact that alone holds words which the claim asserts; -1: none.
  int denied_clause(const FactUnit& unit, uint16_t segment) const {
    const Statement& fact = unit.statement;
    for (size_t k = 0; k < fact.segments.size(); ++k) {
      if (!fact.segments[k].negated || other_value(fact, k, segment)) continue;
      for (size_t i = 0; i < claim_.words.size(); ++i) {
        if (claim_.words[i].segment != segment) continue;
        if (claim_.pieces[claim_.words[i].piece].capital && !claim_.german) continue;
        bool here = false, elsewhere = false;
        for (const ContentWord& word : fact.words) {
          if (word.stem == view_.stem(i)) (word.segment == k ? here : elsewhere) = true;
        }
        if (here && !elsewhere) return static_cast<int>(k);
      }
    }
    return -1;
  }
  // Whether a clause of a fact has a value of a kind of which the claim's clause has another.
  bool other_value(const Statement& fact, size_t k, uint16_t segment) const {
    for (size_t i = 0; i < fact.quantities.size(); ++i) {
      if (fact.quantity_segments[i] != k || fact.quantities[i].soft) continue;
      bool kind = false, same = false;
      for (size_t j = 0; j < claim_.quantities.size(); ++j) {
        if (claim_.quantity_segments[j] != segment) continue;
        kind |= comparable(claim_.quantities[j], fact.quantities[i]);
        same |= agrees(claim_.quantities[j], fact.quantities[i]);
      }
      if (kind && !same) return true;
    }
    return false;
  }

  // Names say whom a claim is about, and little of what it says.
  float shared_names(const FactUnit& unit, uint16_t segment, int k) const {
    if (claim_.german) return 0;
    float sum = 0;
    for (const NameRun& run : claim_.names) {
      if (run.segment != segment) continue;
      sum += view_.shared(segment, unit, k) - view_.shared(segment, unit, k, run.begin, run.end);
    }
    return sum;
  }
  bool shares_first(const FactUnit& unit, uint16_t segment, uint16_t k) const {
    for (size_t i = 0; i < claim_.words.size(); ++i) {
      if (claim_.words[i].segment != segment) continue;
      return std::any_of(unit.statement.words.begin(), unit.statement.words.end(),
                         [&](const ContentWord& word) { return word.segment == k && word.stem == view_.stem(i); });
    }
    return false;
  }  // A word of the claim's clause that excludes one of the fact's: "plaintiff" and "defendant"; 0 pieces: none.
     // English.
  size_t excluded_word(const Segment& here, const Statement& fact) const {
    for (size_t i = here.begin; i < here.end; ++i) {
      const auto& piece = claim_.pieces[i];
      if (piece.kind != facts::Piece::kWord || claim_.in_quantity[i] || piece.lower.size() < 4 || is_order(piece))
        continue;
      const auto mine = facts::members_of(facts::word_stem(piece.lower));
      if (mine.empty()) continue;
      bool excluded = false, same = false;
      for (const auto& other : fact.pieces) {
        if (other.kind != facts::Piece::kWord) continue;
        if (other.lower == piece.lower) same = true;
        for (const auto& theirs : facts::members_of(facts::word_stem(other.lower))) {
          for (const auto& member : mine) {
            if (member.group != theirs.group) continue;
            (member.member == theirs.member ? same : excluded) = true;
          }
        }
      }
      if (excluded && !same) return i;
    }
    return claim_.pieces.size();
  }

  static bool is_order(const facts::Piece& piece) {
    static constexpr std::string_view kOrders[] = {"before", "after", "vor", "nach", "avant", "après"};
    return std::find(std::begin(kOrders), std::end(kOrders), piece.lower) != std::end(kOrders);
  }

  // The weight of the clause's values that a unit states.
  float stated_values(const FactUnit& unit, uint16_t segment) const {
    float sum = 0;
    const auto number = static_cast<uint32_t>(&unit - view_.index().units().data());
    for (size_t i = 0; i < values_.size(); ++i) {
      if (claim_.quantity_segments[i] == segment &&
          std::find(values_[i].units.begin(), values_[i].units.end(), number) != values_[i].units.end())
        sum += 0.6F;
    }
    return sum;
  }

  // Whether values of the clause differ from those of the fact: then it says another thing anyway.
  bool values_differ(const FactUnit& unit, uint16_t segment) const {
    for (size_t i = 0; i < claim_.quantities.size(); ++i) {
      const auto& quantity = claim_.quantities[i];
      if (quantity.soft || claim_.quantity_segments[i] != segment) continue;
      if (values_[i].state == ValueVerdict::kDerived) return true;
      if (std::find(values_[i].units.begin(), values_[i].units.end(), &unit - view_.index().units().data()) ==
          values_[i].units.end())
        return true;
    }
    return false;
  }

  // An axis on which the claim's clause and the fact's are on opposite sides (-1), on the same (1), or none (0).
  int axis_of(const Segment& here, const Statement& fact, const Segment& there, size_t& piece) const {
    int result = 0;
    for (size_t i = here.begin; i < here.end; ++i) {
      const Polarity mine = polarity_of(claim_.pieces[i].lower);
      if (mine.axis == 0 || claim_.in_quantity[i]) continue;
      bool both = false, opposite = false;
      for (size_t k = there.begin; k < there.end; ++k) {
        if (fact.in_quantity[k]) continue;
        const Polarity other = polarity_of(fact.pieces[k].lower);
        if (other.axis != mine.axis) continue;
        if (other.side != mine.side && is_order(claim_.pieces[i]) && !same_next(i, fact, k)) continue;
        (other.side == mine.side ? both : opposite) = true;
      }
      if (both) result = std::max(result, 1);
      if (opposite && !both) {
        piece = i;
        return -1;
      }
    }
    return result;
  }
  // "After the broth has simmered" does not contradict "before the fish goes in".
  bool same_next(size_t i, const Statement& fact, size_t k) const {
    const auto next = [](const Statement& statement, size_t piece) {
      const auto word = std::find_if(statement.words.begin(), statement.words.end(),
                                     [&](const ContentWord& other) { return other.piece > piece; });
      return word == statement.words.end() ? uint64_t{0} : word->stem;
    };
    return next(claim_, i) == next(fact, k);
  }
  bool english() const { return claim_.style == facts::NumberStyle::kPoint; }

  bool clause(uint16_t number) {
    const Segment& here = claim_.segments[number];
    const float words = view_.total_weight(number);
    if (words <= 0) return false;
    for (const NearUnit& near : view_.units()) {
      if (near.coverage <= 0) break;
      const FactUnit& unit = view_.unit(near);
      const float values = stated_values(unit, number);
      const float shared_words = view_.shared(number, unit, ClaimView::kAll);
      int k = best_clause(unit, number);
      if (const int denied = denied_clause(unit, number); denied >= 0 && !here.negated) k = denied;
      const Segment& there = unit.statement.segments[static_cast<size_t>(k)];
      size_t piece = here.begin;
      const int axis =
          axis_of(here, unit.statement, there, piece);  // The opposite word takes the place of the fact's own.
      const float replaced = axis < 0 ? 0.8F : 0;
      const float shared = shared_words + values + replaced;
      const float total = words + values;
      const float needed = axis != 0 ? kWithModal : kCoverage;
      if (shared < kLeast || shared / total < needed || view_.shared(number, unit, k) <= 0.1F) continue;
      if (values_differ(unit, number)) continue;
      if (here.doubtful != there.doubtful && axis == 0 && here.negated != there.negated) continue;
      const bool flipped = (here.negated != there.negated) != (axis < 0);
      if (!flipped && english() && axis >= 0 && !here.doubtful && !there.doubtful) {
        const size_t word = excluded_word(here, unit.statement);
        if (word < claim_.pieces.size() && (shared + 0.5F) / total >= 0.8F && shared_words > 0.5F) {
          report(here, there, word, unit);
          return true;
        }
      }
      if (!flipped) return false;  // the nearest fact agrees
      if (axis < 0 && here.negated == there.negated && shared / total < kCoverage) continue;
      if (axis == 0 && claim_.segments.size() > 1 && shared / total < 0.75F) continue;
      report(here, there, axis < 0 ? piece : here.end, unit);
      return true;
    }
    return false;
  }

  void report(const Segment& here, const Segment&, size_t piece, const FactUnit& unit) {
    size_t begin = here.begin, end = here.end;
    if (piece < here.end) {
      begin = piece;
      end = piece + 1;
    } else {
      for (size_t i = here.begin; i < here.end; ++i) {
        if (word_traits(claim_.pieces[i].lower) & kNegates) {
          begin = i;
          end = i + 1;
          break;
        }
      }
    }
    if (begin >= end) return;
    findings_.push_back({claim_.pieces[begin].begin, claim_.pieces[end - 1].end, EventKind::kNegation, 1.0F,
                         static_cast<int32_t>(unit.fact)});
  }

  const ClaimView& view_;
  const Statement& claim_;
  const std::vector<ValueVerdict>& values_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_negations(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings) {
  Checker(view, values, findings).check();
}

}  // namespace vsr::guard
