// How plausible it is that a claim's value was computed so.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "guard/checks/operands.h"

namespace vsr::guard {

struct Derivation {
  float plausibility = 0;
  std::vector<uint32_t> units;     // whose values it takes
  std::vector<size_t> from_claim;  // values of the claim that it takes, too
};

class DerivationJudge {
 public:
  DerivationJudge(const ClaimView& view, size_t quantity, bool restated);

  // A value that operands give, in base units. `rounded`: a quotient, which may be rounded. `cost`: of the way.
  void offer(double base, bool rounded, float cost, std::initializer_list<const Operand*> used) {
    if (plausible(base, rounded)) keep(cost, {used.begin(), used.end()});
  }
  // What moments give agrees with the claim.
  void offer_moments(float cost, std::initializer_list<const Moment*> used, const Operand* span = nullptr);
  std::optional<Derivation> take();

 private:
  bool plausible(double base, bool rounded) const;
  void keep(float cost, const std::vector<const Operand*>& used);
  void score(float cost, bool same, bool relevant, std::vector<uint32_t> units, std::vector<size_t> from_claim);

  const ClaimView& view_;
  const facts::Quantity& target_;
  float start_ = 0;  // what the claim's wording and the value itself are worth
  Derivation best_;
  bool any_ = false;
};

}  // namespace vsr::guard
