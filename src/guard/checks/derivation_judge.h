// How plausible it is that a claim's value was computed so.
#pragma once

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "guard/checks/operands.h"

namespace vsr::guard {

struct Derivation {
  float plausibility = 0;
  std::vector<uint32_t> units;     // whose values it takes
  std::vector<size_t> from_claim;  // values of the claim that it takes, too
};

// A unit that states another value of the target's kind, and how.
struct Restated {
  uint32_t unit = 0;
  bool wording = false;  // reads much like the claim; else it only counts the same things
};

class DerivationJudge {
 public:
  DerivationJudge(const ClaimView& view, size_t quantity, const std::vector<Restated>& restated);

  // A value that operands give, in base units. `rounded`: a quotient, which may be rounded. `cost`: of the way.
  void offer(double base, bool rounded, float cost, std::initializer_list<const Operand*> used) {
    if (plausible(base, rounded)) keep(cost - exactly(base, rounded), {used.begin(), used.end()});
  }
  // The same for a product: a sentence that says "each" or "per" means it.
  void offer_product(double base, bool rounded, float cost, std::initializer_list<const Operand*> used) {
    if (plausible(base, rounded)) keep(cost - each(used), {used.begin(), used.end()});
  }
  // What follows without doubt.
  void accept(std::vector<uint32_t> units) { score(-10, true, true, std::move(units), {}); }
  bool restated() const { return !restated_.empty(); }
  // Whether a unit reads so much like the claim.
  bool restates(uint32_t unit) const;
  // What moments give agrees with the claim.
  void offer_moments(float cost, std::initializer_list<const Moment*> used, const Operand* span = nullptr);
  std::optional<Derivation> take();

 private:
  bool looks_altered() const;
  bool plausible(double base, bool rounded) const;
  float exactly(double base, bool rounded) const;
  float each(std::initializer_list<const Operand*> used) const;
  void keep(float cost, const std::vector<const Operand*>& used);
  void score(float cost, bool same, bool relevant, std::vector<uint32_t> units, std::vector<size_t> from_claim);

  const ClaimView& view_;
  const facts::Quantity& target_;
  const std::vector<Restated>& restated_;
  bool cue_ = false;
  bool exact_ = false;  // a percentage that a fact states otherwise
  float start_ = 0;     // what the claim's wording and the value itself are worth
  Derivation best_;
  bool any_ = false;
};

}  // namespace vsr::guard
