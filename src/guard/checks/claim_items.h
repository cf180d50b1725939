// The values and names of claims and facts as items that belong to clauses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"
#include "guard/checks/value_check.h"

namespace vsr::guard {

// A value or a name of a statement.
struct Item {
  int quantity = -1;
  int name = -1;
  size_t begin = 0, end = 0;  // pieces
  uint16_t segment = 0;
};

// The first kMostItems in order: what checks do with them grows with their square.
constexpr size_t kMostItems = 48;
std::vector<Item> items_of(const Statement& statement);

// What checks of items have in common.
class ItemReader {
 public:
  ItemReader(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings)
      : view_(view), claim_(view.claim()), values_(values), findings_(findings), items_(items_of(claim_)) {}

 protected:
  // Whether an item of a fact and one of the claim are the same, or of one kind.
  bool same_item(const Statement& fact, const Item& there, const Item& here) const;
  bool same_kind(const Statement& fact, const Item& there, const Item& here) const;
  // Names, and values that a fact states.
  bool judged(const Item& item) const;
  void wrong(const Item& item, const FactUnit& unit);

  const ClaimView& view_;
  const Statement& claim_;
  const std::vector<ValueVerdict>& values_;
  std::vector<Finding>& findings_;
  std::vector<Item> items_;  // of the claim, in order

 private:
  // Whether a value was computed and another fact only happens to state it: "three dropped out" of 154 and 151 where a
  // stage is the third.
  bool by_chance(size_t number) const;
  bool names_agree(const Statement& fact, const Item& there, const Item& here) const;
};

}  // namespace vsr::guard
