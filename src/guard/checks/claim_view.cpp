#include "guard/checks/claim_view.h"

#include <algorithm>
#include <unordered_map>

#include "guard/checks/agreement.h"
#include "guard/checks/stems.h"

namespace vsr::guard {
namespace {

constexpr float kTelling = 0.3F;
constexpr float kCompound = 0.7F;  // a word that only shares a part with one of the facts

}  // namespace

ClaimView::ClaimView(const FactIndex& index, const Statement& claim, const Statement& question,
                     std::span<const uint32_t> recent, std::span<const facts::Quantity> established)
    : index_(index), claim_(claim), question_(question), established_(established) {
  std::unordered_map<uint32_t, float> found;
  std::unordered_map<uint32_t, bool> telling;
  float total = 0;
  std::vector<uint64_t> seen;
  for (const ContentWord& word : claim.words) {
    uint64_t stem = word.stem;
    float weight = index.weight(stem);
    if (index.units_with(stem).empty()) {
      if (const uint64_t part = index.compound_of(light_stem(claim.pieces[word.piece].lower)); part != 0) {
        stem = part;
        weight = index.weight(part) * kCompound;
      }
    }
    stems_.push_back(stem);
    weights_.push_back(weight);
    if (std::find(seen.begin(), seen.end(), stem) != seen.end()) continue;
    seen.push_back(stem);
    total += weight;
    for (const uint32_t unit : index.units_with(stem)) {
      found[unit] += weight;
      telling[unit] |= weight >= kTelling;
    }
  }
  const bool all = index.units().size() <= kMostUnits;
  if (all) {
    for (uint32_t unit = 0; unit < index.units().size(); ++unit) found.try_emplace(unit, 0.0F);
  }
  for (const uint32_t unit : recent) found.try_emplace(unit, 0.0F);
  for (const auto& [unit, weight] : found) {
    const bool is_recent = std::find(recent.begin(), recent.end(), unit) != recent.end();
    units_.push_back({unit, total > 0 ? weight / total : 0, telling[unit] || is_recent, is_recent});
  }  // A sentence that alone states one of the claim's values is what the claim is about, too.
  for (const facts::Quantity& quantity : claim.quantities) {
    if (quantity.soft || quantity.kind == facts::QuantityKind::kOrdinal) continue;
    NearUnit* only = nullptr;
    size_t count = 0;
    for (NearUnit& near : units_) {
      const auto& theirs = index.units()[near.unit].statement.quantities;
      if (std::none_of(theirs.begin(), theirs.end(),
                       [&](const facts::Quantity& fact) { return agrees(quantity, fact); }))
        continue;
      only = &near;
      ++count;
    }
    if (count == 1) only->relevant = true;
  }
  follow_on();
  std::sort(units_.begin(), units_.end(), [](const NearUnit& a, const NearUnit& b) {
    return a.coverage != b.coverage ? a.coverage > b.coverage : a.recent != b.recent ? a.recent : a.unit < b.unit;
  });
  if (units_.size() > kMostUnits) units_.resize(kMostUnits);
}

// "The year before it was 1,600 tonnes from the same area" is about what the sentence before it is about.
void ClaimView::follow_on() {
  std::vector<uint32_t> relevant;
  for (const NearUnit& near : units_) {
    if (near.relevant) relevant.push_back(near.unit);
  }
  for (NearUnit& near : units_) {
    if (near.relevant || near.unit == 0 || !index_.units()[near.unit].goes_on) continue;
    near.relevant = std::find(relevant.begin(), relevant.end(), near.unit - 1) != relevant.end();
  }
}

const NearUnit* ClaimView::nearest() const {
  return units_.empty() || (units_[0].coverage <= 0 && !units_[0].recent) ? nullptr : &units_[0];
}

int32_t ClaimView::fact_of(const NearUnit* near) const {
  return near == nullptr ? -1 : static_cast<int32_t>(unit(*near).fact);
}

float ClaimView::shared(int claim_segment, const FactUnit& unit, int unit_segment, size_t but_begin,
                        size_t but_end) const {
  float sum = 0;
  for (size_t i = 0; i < claim_.words.size(); ++i) {
    const ContentWord& word = claim_.words[i];
    if (claim_segment >= 0 && word.segment != claim_segment) continue;
    if (word.piece >= but_begin && word.piece < but_end) continue;
    for (const ContentWord& other : unit.statement.words) {
      if (other.stem != stems_[i] || (unit_segment >= 0 && other.segment != unit_segment)) continue;
      sum += weights_[i];
      break;
    }
  }
  return sum;
}

float ClaimView::total_weight(int claim_segment) const {
  float sum = 0;
  for (size_t i = 0; i < claim_.words.size(); ++i) {
    if (claim_segment < 0 || claim_.words[i].segment == claim_segment) sum += weights_[i];
  }
  return sum;
}

}  // namespace vsr::guard
