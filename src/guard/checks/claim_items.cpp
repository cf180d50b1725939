#include "guard/checks/claim_items.h"

#include <algorithm>
#include <string>

#include "guard/checks/agreement.h"
#include "guard/checks/derivation.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {

using facts::Quantity;
using facts::QuantityKind;

namespace {

constexpr double kMostByChance = 100;
constexpr float kDerived = 2.5F;  // plausibility from which on a stated value counts as computed

bool parts_of_date(const Quantity& a, const Quantity& b) {
  const auto year = [](const Quantity& q) {
    return q.kind == QuantityKind::kDate ? q.date.year : q.year ? static_cast<int32_t>(q.value) : 0;
  };
  const auto month = [](const Quantity& q) { return q.kind == QuantityKind::kDate ? int{q.date.month} : 0; };
  return year(a) != 0 && year(a) == year(b) && (month(a) == 0 || month(b) == 0);
}

}  // namespace

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
  if (items.size() > kMostItems) items.resize(kMostItems);
  return items;
}

bool ItemReader::names_agree(const Statement& fact, const Item& there, const Item& here) const {
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

bool ItemReader::same_item(const Statement& fact, const Item& there, const Item& here) const {
  if (here.quantity >= 0 && there.quantity >= 0) {
    return agrees(claim_.quantities[static_cast<size_t>(here.quantity)],
                  fact.quantities[static_cast<size_t>(there.quantity)]);
  }
  return names_agree(fact, there, here);
}  // A whole date and its year say nothing against each other.

bool ItemReader::same_kind(const Statement& fact, const Item& there, const Item& here) const {
  if (here.quantity >= 0 && there.quantity >= 0 &&
      parts_of_date(claim_.quantities[static_cast<size_t>(here.quantity)],
                    fact.quantities[static_cast<size_t>(there.quantity)])) {
    return false;
  }
  if (here.quantity >= 0 && there.quantity >= 0) {
    return comparable(claim_.quantities[static_cast<size_t>(here.quantity)],
                      fact.quantities[static_cast<size_t>(there.quantity)]);
  }
  return here.name >= 0 && there.name >= 0;
}

bool ItemReader::judged(const Item& item) const {
  return item.quantity < 0 || values_[static_cast<size_t>(item.quantity)].state == ValueVerdict::kStated;
}

bool ItemReader::by_chance(size_t number) const {
  const facts::Quantity& quantity = claim_.quantities[number];
  const bool small = quantity.value <= kMostByChance && (quantity.unit.dimension == facts::Dimension::kNone ||
                                                         quantity.unit.dimension == facts::Dimension::kTime);
  if (quantity.kind != facts::QuantityKind::kNumber || !small || quantity.year) return false;
  const auto derived = derive(view_, number, {});
  return derived && derived->plausibility >= kDerived;
}

void ItemReader::wrong(const Item& item, const FactUnit& unit) {
  if (item.quantity >= 0 && by_chance(static_cast<size_t>(item.quantity))) return;
  // "Both together": what facts keep apart.
  const auto named = [](const Item& other) { return other.name >= 0; };
  if (item.name >= 0 && (claim_.traits & kAdds) && std::count_if(items_.begin(), items_.end(), named) > 1) return;
  const size_t begin = claim_.pieces[item.begin].begin, end = claim_.pieces[item.end - 1].end;
  const EventKind flaw =
      item.quantity >= 0 ? flaw_of(claim_.quantities[static_cast<size_t>(item.quantity)]) : EventKind::kName;
  findings_.push_back({begin, end, flaw, 1.0F, static_cast<int32_t>(unit.fact)});
}

}  // namespace vsr::guard
