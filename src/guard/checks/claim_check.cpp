#include "guard/checks/claim_check.h"

#include <algorithm>

#include "guard/checks/binding_check.h"
#include "guard/checks/claim_view.h"
#include "guard/checks/name_check.h"
#include "guard/checks/negation_check.h"
#include "guard/checks/value_check.h"

namespace vsr::guard {
namespace {

constexpr size_t kMostUnits = 4;     // that a claim is about
constexpr float kAbout = 0.25F;      // coverage from which on it is about a unit
constexpr float kSupported = 0.85F;  // coverage from which on words alone support it

void put_in_order(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.begin < b.begin; });
  std::vector<Finding> kept;
  for (const Finding& finding : findings) {
    if (kept.empty() || finding.begin >= kept.back().end) kept.push_back(finding);
  }
  findings = std::move(kept);
}

}  // namespace

ClaimVerdict check_claim(const FactIndex& index, std::string_view text, const Statement& question,
                         std::span<const uint32_t> recent) {
  ClaimVerdict result;
  const Statement claim = read_statement(text, index.style());
  const ClaimView view(index, claim, question, recent);
  const auto values = check_values(view, result.findings);
  check_names(view, result.findings);
  check_bindings(view, values, result.findings);
  if (result.findings.empty()) check_negations(view, values, result.findings);
  put_in_order(result.findings);

  const auto about = [&](uint32_t unit) {
    if (result.units.size() < kMostUnits &&
        std::find(result.units.begin(), result.units.end(), unit) == result.units.end())
      result.units.push_back(unit);
  };
  bool stated = false, all = true;
  for (const ValueVerdict& value : values) {
    const bool known = value.state == ValueVerdict::kStated || value.state == ValueVerdict::kDerived;
    stated |= known;
    all &= known;
    if (value.units.size() <= 2) {
      for (const uint32_t unit : value.units) about(unit);
    }
  }
  for (const NearUnit& near : view.units()) {
    if (near.coverage >= kAbout) about(near.unit);
  }
  if (!result.findings.empty()) {
    result.verdict = Verdict::kContradicted;
  } else if ((stated && all) || (view.nearest() && view.nearest()->coverage >= kSupported)) {
    result.verdict = Verdict::kSupported;
  }
  const bool nothing_said = claim.words.empty() && claim.quantities.empty();
  result.settled = result.verdict != Verdict::kUnknown || nothing_said;
  return result;
}

}  // namespace vsr::guard
