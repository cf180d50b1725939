#include "guard/checks/derivation.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "guard/checks/agreement.h"
#include "guard/checks/operands.h"
#include "guard/checks/special_derivations.h"
#include "guard/checks/time_derivation.h"
#include "guard/checks/word_constants.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr size_t kMostTriples = 20;   // operands of sums of three
constexpr float kRest = 3.2F;         // worth of words that announce what is left
constexpr float kApart = 0.7F;        // three sentences
constexpr float kOwnMultiple = 1.5F;  // nobody adds a rate to the total that was made of it
constexpr float kRateOfClaim = 2.0F;  // of a unit that the rate is per

bool is_time(Dimension dimension) { return dimension == Dimension::kTime || dimension == Dimension::kMonths; }
double seconds_of(const Operand& operand) {
  return operand.base * (operand.unit.dimension == Dimension::kMonths ? kMonthSeconds : 1);
}

class Search {
 public:
  Search(const ClaimView& view, size_t quantity, const std::vector<Restated>& restated)
      : view_(view),
        target_(view.claim().quantities[quantity]),
        judge_(view, quantity, restated),
        operands_(operands_of(view, quantity)) {
    const uint32_t traits = view.claim().traits;
    if ((traits & kAdds) && !(traits & (kCompares | kConcludes | kNegates | kDoubtful))) difference_cost_ = 1.5F;
    if ((traits & kCompares) && !(traits & kAdds)) sum_cost_ = 0.6F;
    per_ = target_.per;
    if (per_.dimension == Dimension::kNone) per_ = period_of(view.claim(), view.claim().quantity_segments[quantity]);
    if (per_.dimension == Dimension::kNone) per_ = period_of(view.claim(), 0);
  }

  std::optional<Derivation> best() {
    const Dimension dimension = target_.unit.dimension;
    if (target_.kind == QuantityKind::kFactor || target_.kind == QuantityKind::kShare ||
        dimension == Dimension::kPercent || dimension == Dimension::kPoints) {
      ratios();
      percents();
      if (target_.kind == QuantityKind::kFactor) products();
    } else if (target_.kind == QuantityKind::kNumber) {
      if (!target_.year) {
        rates();
        sums();
        products();
        derive_from_claim(view_, target_, operands_, judge_);
        parts();
        quotients();
        combinations();
      }
    }
    if (target_.kind == QuantityKind::kOrdinal) derive_neighbour(view_, judge_);
    if (target_.kind == QuantityKind::kIdentifier) derive_score(view_, target_, judge_);
    derive_time(view_, target_, operands_, judge_);
    return judge_.take();
  }

 private:
  const std::vector<Operand>& values() const { return operands_.values; }

  // Whether a value counts or measures the same as the target.
  bool alike(const Operand& operand) const {
    if (operand.year) return false;
    if (target_.unit.dimension == Dimension::kMoney && operand.unit.currency != target_.unit.currency) return false;
    // Differences of temperatures are said in degrees.
    const auto degrees = [](Dimension d) { return d == Dimension::kAngle || d == Dimension::kTemperature; };
    if (degrees(operand.unit.dimension) && degrees(target_.unit.dimension)) return true;
    return operand.unit.dimension == target_.unit.dimension;
  }
  static bool same_kind(const Operand& a, const Operand& b) {
    return a.unit.dimension == b.unit.dimension && a.unit.currency == b.unit.currency && !a.year && !b.year &&
           !(a.count && b.count);
  }
  static bool bare(const Operand& operand) { return operand.unit.dimension == Dimension::kNone && !operand.year; }
  void offer(double base, bool rounded, float cost, std::initializer_list<const Operand*> used) {
    judge_.offer(base, rounded, cost, used);
  }

  void sums() {
    std::vector<const Operand*> alikes;
    for (const Operand& operand : values()) {
      if (alike(operand) && !(operand.count && judge_.restated())) alikes.push_back(&operand);
    }
    for (const Operand* operand : alikes) {
      if (operand->count) offer(operand->base, false, 0, {operand});
      if (operand->count) offer(operand->base + 1, false, 0.6F, {operand});
    }
    for (size_t i = 0; i < alikes.size(); ++i) {
      for (size_t j = i + 1; j < alikes.size(); ++j) {
        const Operand &a = *alikes[i], &b = *alikes[j];
        const float cost = a.count || b.count ? 1.0F : 0;
        // "three daughters and one son": neighbours of one sentence.
        const bool neighbours = a.source == b.source && a.source < Operand::kConstant && !a.count && !b.count &&
                                a.quantity + 1 == b.quantity && !judge_.restates(a.source);
        offer(a.base + b.base, false,
              cost + sum_cost_ + (own_multiple(a, b) ? kOwnMultiple : 0) +
                  (part_of(a, b) ? 2.0F
                   : neighbours  ? -0.4F
                                 : 0),
              {&a, &b});
        if (!a.count || !b.count)
          offer(std::fabs(a.base - b.base), false, cost + difference_cost_ - (leaves_rest(a, b) ? kRest : 0), {&a, &b});
      }
    }
    const size_t most = std::min(alikes.size(), kMostTriples);
    for (size_t i = 0; i < most; ++i) {
      for (size_t j = i + 1; j < most; ++j) {
        for (size_t k = j + 1; k < most; ++k) {
          const Operand &a = *alikes[i], &b = *alikes[j], &c = *alikes[k];
          if (a.count || b.count || c.count) continue;
          offer(a.base + b.base + c.base, false, 0.6F, {&a, &b, &c});
          // What is left of three values of three sentences is mostly chance.
          const bool apart = a.source != b.source && a.source != c.source && b.source != c.source;
          const float left = 0.9F + (apart ? kApart : 0);
          offer(std::fabs(a.base - b.base - c.base), false, left, {&a, &b, &c});
          offer(std::fabs(b.base - a.base - c.base), false, left, {&a, &b, &c});
          offer(std::fabs(c.base - b.base - a.base), false, left, {&a, &b, &c});
        }
      }
    }
    // All that one sentence lists, and all that the relevant ones do.
    double all = 0;
    size_t parts = 0;
    const Operand* first = nullptr;
    const Operand* last = nullptr;
    for (size_t i = 0; i < alikes.size();) {
      double sum = 0;
      size_t count = 0, j = i;
      for (; j < alikes.size() && alikes[j]->source == alikes[i]->source; ++j) {
        if (alikes[j]->count) continue;
        sum += alikes[j]->base;
        ++count;
      }
      if (count > 2) offer(sum, false, 0.2F, {alikes[i]});
      if (count > 1 && says_average()) offer(sum / static_cast<double>(count), true, 0.6F, {alikes[i]});
      if (alikes[i]->relevant && alikes[i]->source != Operand::kClaim && count > 0) {
        all += sum;
        parts += count;
        if (!first) first = alikes[i];
        last = alikes[i];
      }
      i = j;
    }
    if (parts > 3 && first) offer(all, false, 0.6F, {first, last});
    if (parts > 2 && first && says_average()) offer(all / static_cast<double>(parts), true, 0.9F, {first, last});
  }

  // "600 per minute" is "10 per second"; "an annual premium of 312" is "26 a month".
  void rates() {
    if (per_.dimension == Dimension::kNone) return;
    for (const Operand& operand : values()) {
      if (!alike(operand)) continue;
      if (operand.per.dimension == Dimension::kNone && per_.dimension == Dimension::kMonths && per_.factor < 12 &&
          !operand.count) {
        offer(operand.base / 12 * per_.factor, true, 0.4F, {&operand});  // of a year
      }
      if (operand.per.dimension == Dimension::kNone) continue;
      if (operand.per.dimension == per_.dimension)
        offer(operand.base / operand.per.factor * per_.factor, true, 0, {&operand});
    }
  }
  bool says_average() const {
    return std::any_of(view_.claim().pieces.begin(), view_.claim().pieces.end(), [](const facts::Piece& piece) {
      return piece.lower.starts_with("average") || piece.is("mean") || piece.lower.starts_with("durchschnitt") ||
             piece.is("mittel") || piece.lower.starts_with("moyen");
    });
  }

  // "five nights are 480": 480 and 96 make 576 of nothing.
  static bool own_multiple(const Operand& a, const Operand& b) {
    if (a.established == b.established || a.base <= 0 || b.base <= 0) return false;
    const double times = a.established ? a.base / b.base : b.base / a.base;
    return times > 1.5 && std::fabs(times - std::round(times)) < 1e-9;
  }

  // "15 claims, 3 of them independent": nobody adds a part to its whole.
  bool part_of(const Operand& a, const Operand& b) const {
    if (a.source != b.source || a.source >= Operand::kConstant || a.count || b.count) return false;
    const Statement& fact = view_.index().units()[a.source].statement;
    if (a.quantity >= fact.quantities.size() || b.quantity >= fact.quantities.size()) return false;
    const Quantity &first = fact.quantities[std::min(a.quantity, b.quantity)],
                   &second = fact.quantities[std::max(a.quantity, b.quantity)];
    for (size_t i = first.last_piece; i < std::min(second.last_piece + 2, fact.pieces.size()); ++i) {
      static constexpr std::string_view kParts[] = {"which", "them",     "whom",      "dont",
                                                    "davon", "darunter", "including", "hiervon"};
      if (i >= second.first_piece && i < second.last_piece) continue;
      if (std::find(std::begin(kParts), std::end(kParts), fact.pieces[i].lower) != std::end(kParts)) return true;
    }
    return false;
  }

  // How often `rate` is counted over `other`: months of a rent, square metres of a price, things of a weight.
  static double times(const Operand& rate, const Operand& other) {
    if (bare(other)) return other.base;
    if (rate.per.dimension == other.unit.dimension) return other.base / rate.per.factor;
    if (is_time(rate.per.dimension) && is_time(other.unit.dimension)) {
      return seconds_of(other) / (rate.per.factor * (rate.per.dimension == Dimension::kMonths ? kMonthSeconds : 1));
    }
    if (rate.per.dimension == Dimension::kNone && other.unit.dimension == Dimension::kMonths &&
        rate.unit.dimension != Dimension::kMonths && !is_time(rate.unit.dimension)) {
      return other.base;  // so much a month, as the claim's reader knows
    }
    return std::nan("");
  }

  void products() {
    const bool any = target_.unit.dimension != Dimension::kNone;
    for (const Operand& a : values()) {
      if (a.year) continue;
      for (const Operand& b : values()) {
        if (&a == &b || b.year || ((a.count || b.count) && !(view_.claim().traits & (kShares | kAdds)))) continue;
        if (alike(a) && (any ? true : !(bare(b) && &b < &a))) {
          const double count = times(a, b);
          if (std::isfinite(count) && count != 1) {
            const bool months = is_time(a.per.dimension) != is_time(b.unit.dimension) ||
                                (a.per.dimension != b.unit.dimension && is_time(b.unit.dimension));
            judge_.offer_product(a.base * count, months && !bare(b),
                                 b.source == Operand::kClaim && !bare(b) && !is_time(b.unit.dimension) &&
                                         b.unit.dimension == a.per.dimension
                                     ? -kRateOfClaim
                                 : b.established && b.unit.dimension == a.per.dimension ? -0.6F
                                 : b.source == Operand::kConstant                       ? 0.2F
                                 : b.frequency && b.per.dimension == per_.dimension && b.per.factor == per_.factor
                                     ? -1.3F
                                     : 0,
                                 {&a, &b});
          }
        }
        if (&b < &a) continue;
        derive_dimension(target_, a, b, judge_);
      }
    }
  }

  // "75 percent of the budget", "25 percent more".
  void parts() {
    for (const Operand& share : values()) {
      if (share.unit.dimension != Dimension::kPercent) continue;
      for (const Operand& whole : values()) {
        if (!alike(whole) || whole.count) continue;
        offer(whole.base * share.base, true, 0, {&share, &whole});
        offer(whole.base * (1 - share.base), true, 0.3F, {&share, &whole});
        offer(whole.base * (1 + share.base), true, 0.3F, {&share, &whole});
        if (share.base > 0) offer(whole.base / share.base, true, 0.3F, {&share, &whole});
        if (share.base > 0) offer(whole.base / (1 + share.base), true, 0.4F, {&share, &whole});
        if (share.base > 0 && share.base < 1) offer(whole.base / (1 - share.base), true, 0.4F, {&share, &whole});
      }
    }
  }

  void quotients() {
    for (const Operand& whole : values()) {
      if (whole.year || whole.count) continue;
      for (const Operand& part : values()) {
        if (&part == &whole || part.year || part.base == 0 || (part.count && !(view_.claim().traits & kShares)))
          continue;
        if (alike(whole) && bare(part) && part.base != 1)
          offer(whole.base / part.base, true, bare(whole) ? 0.5F : 0.1F, {&whole, &part});
        if (target_.unit.dimension == Dimension::kNone && same_kind(whole, part) && !bare(whole))
          offer(whole.base / part.base, true, 0.3F, {&whole, &part});
        // How long an amount lasts at a rate.
        if (is_time(target_.unit.dimension) && bare(whole) && part.frequency && is_time(part.per.dimension) &&
            (part.per.dimension == target_.unit.dimension))
          offer(whole.base / part.base * part.per.factor, true, 0.2F, {&whole, &part});
        if (is_time(target_.unit.dimension) && same_kind(whole, part) && !bare(whole) &&
            !is_time(whole.unit.dimension)) {
          const facts::Unit per = is_time(part.per.dimension) ? part.per : facts::Unit{Dimension::kMonths, 1};
          if (per.dimension == target_.unit.dimension)
            offer(whole.base / part.base * per.factor, true, 0.2F, {&whole, &part});
        }
        if (!alike(whole)) continue;
        // A rate: money per month or square metre, whether or not the claim says so.
        const bool per_time = is_time(per_.dimension);
        if (is_time(part.unit.dimension) && (!is_time(whole.unit.dimension) || per_time)) {
          const facts::Unit per = per_.dimension != Dimension::kNone ? per_ : facts::Unit{Dimension::kMonths, 1};
          const double per_seconds = per.factor * (per.dimension == Dimension::kMonths ? kMonthSeconds : 1);
          if (is_time(per.dimension))
            offer(whole.base / (seconds_of(part) / per_seconds), true, per_time && part.established ? -0.3F : 0.3F,
                  {&whole, &part});
        } else if (part.unit.dimension != whole.unit.dimension && part.unit.dimension != Dimension::kNone &&
                   part.unit.dimension != Dimension::kPercent &&
                   (per_.dimension == part.unit.dimension || (view_.claim().traits & kShares) ||
                    claim_has(part.unit.dimension))) {
          const double unit = per_.dimension == part.unit.dimension ? per_.factor : part.unit.factor;
          offer(whole.base / (part.base / unit), true, 0.4F, {&whole, &part});
        }
      }
    }
  }

  bool claim_has(Dimension dimension) const {
    const auto& quantities = view_.claim().quantities;
    return std::any_of(quantities.begin(), quantities.end(),
                       [&](const Quantity& other) { return &other != &target_ && other.unit.dimension == dimension; });
  }

  void ratios() {
    const bool percent = target_.unit.dimension == Dimension::kPercent;
    const double scale = percent ? 100 : 1;
    const bool factor = target_.kind == QuantityKind::kFactor;
    for (const Operand& a : values()) {
      for (const Operand& b : values()) {
        // "145 cubic metres, at most 1,160": a unit that one sentence says once.
        const bool elided = factor && a.source == b.source && bare(a) != bare(b) && !a.count && !b.count && !a.year &&
                            !b.year && b.base != 0;
        if (elided) offer(a.base / b.base, true, 0.1F, {&a, &b});
        if (&a == &b || b.base == 0 || !same_kind(a, b) || target_.unit.dimension == Dimension::kPoints) continue;
        if (a.unit.dimension == Dimension::kPercent && percent) continue;
        const float cost = a.count || b.count ? 0.5F : 0;
        if (factor) {
          offer(a.base / b.base, true, cost - 0.6F, {&a, &b});
          continue;
        }
        offer(a.base / b.base * scale, true, cost + (a.base > b.base ? 0.6F : 0), {&a, &b});
        // "Half of them": a share says a change only where words do.
        const bool changes = percent || bare(a) || (view_.claim().traits & (kCompares | kNegates | kDoubtful)) ||
                             says_below(view_.claim());
        if (changes) offer(std::fabs(a.base - b.base) / b.base * scale, true, cost, {&a, &b});
        if (target_.kind == QuantityKind::kShare) continue;
        // One part of what two or three parts make.
        offer(a.base / (a.base + b.base) * scale, true, cost + 0.4F, {&a, &b});
      }
    }
  }

  void percents() {
    // "1.8 times as likely" is 80 percent more.
    for (const Operand& a : values()) {
      if (a.frequency && a.per.dimension == Dimension::kNone && a.base > 0 &&
          target_.unit.dimension == Dimension::kPercent)
        offer(std::fabs(a.base - 1) * 100, true, 0, {&a});
      if (target_.kind == QuantityKind::kFactor && a.unit.dimension == Dimension::kPercent)
        offer(1 + a.base, true, 0, {&a});
    }
    if (target_.kind == QuantityKind::kFactor) return;
    const double scale = target_.kind == QuantityKind::kShare ? 1 : 100;
    for (size_t i = 0; i < values().size(); ++i) {
      const Operand& a = values()[i];
      if (a.unit.dimension != Dimension::kPercent && a.unit.dimension != Dimension::kPoints) continue;
      const double one = a.unit.dimension == Dimension::kPoints ? a.base / 100 : a.base;
      if (target_.unit.dimension != Dimension::kPoints) offer((1 - one) * scale, false, complement_cost(a), {&a});
      for (size_t j = i + 1; j + 1 < values().size() && target_.unit.dimension == Dimension::kPercent; ++j) {
        const Operand &b = values()[j], &c = values()[j + 1];
        if (b.unit.dimension == Dimension::kPercent && c.unit.dimension == Dimension::kPercent)
          offer(a.base * b.base * c.base * scale, true, 0.4F, {&a, &b, &c});
      }
      for (size_t j = i + 1; j < values().size(); ++j) {
        const Operand& b = values()[j];
        if (b.unit.dimension != Dimension::kPercent && b.unit.dimension != Dimension::kPoints) continue;
        const double other = b.unit.dimension == Dimension::kPoints ? b.base / 100 : b.base;
        offer(std::fabs(one - other) * scale, false, 0.1F, {&a, &b});
        offer((one + other) * scale, false, 0.1F, {&a, &b});
        if (target_.unit.dimension == Dimension::kPercent) {
          offer(one * other * scale, false, 0.5F, {&a, &b});
          offer((1 - one - other) * scale, false, 0.5F, {&a, &b});
          if (other > 0) offer(std::fabs(one - other) / other * scale, true, 0.5F, {&a, &b});
        }
      }
    }
  }

  // "16 were young, the others adults": the sentence of the smaller one announces what is left of the larger.
  bool leaves_rest(const Operand& a, const Operand& b) const {
    const Operand& part = a.base < b.base ? a : b;
    const Operand& whole = a.base < b.base ? b : a;
    return part.source < Operand::kConstant && whole.source < Operand::kConstant && part.relevant && !part.count &&
           !whole.count && part.source != whole.source && says_rest(view_.index().units()[part.source].statement);
  }

  // What is left of a hundred needs words that say so where the claim restates the percentage.
  float complement_cost(const Operand& operand) const {
    if (!judge_.restates(operand.source)) return 0.1F;
    return says_rest(view_.index().units()[operand.source].statement) ? -0.4F : 2.0F;
  }

  // n of one and m of another; what n of one leave of another.
  void combinations() {
    if (target_.unit.dimension == Dimension::kNone) return;
    std::vector<const Operand*> alikes;
    std::vector<const Operand*> counts;
    for (const Operand& operand : values()) {
      if (alike(operand) && alikes.size() < 16) alikes.push_back(&operand);
      if ((operand.source == Operand::kClaim || operand.relevant) && !operand.count &&
          (bare(operand) || operand.unit.dimension == Dimension::kMonths ||
           (operand.source == Operand::kClaim && operand.unit.dimension == Dimension::kTime)) &&
          counts.size() < 12) {
        counts.push_back(&operand);
      }
    }
    const Operand year{.base = 12, .unit = {Dimension::kMonths, 1}, .source = Operand::kConstant, .relevant = true};
    counts.push_back(&year);  // So many of the claim's things at a rate for some time.
    for (const Operand* a : alikes) {
      for (const Operand* n : counts) {
        if (n->source != Operand::kClaim || !bare(*n) || n == a) continue;
        const bool each =
            a->source < Operand::kConstant && (view_.index().units()[a->source].statement.traits & kShares) != 0;
        for (const Operand& span : values()) {
          if (!is_time(span.unit.dimension) || &span == n || !(is_time(a->per.dimension) || each)) continue;
          const double count = is_time(a->per.dimension) ? times(*a, span) : seconds_of(span) / 86400;
          if (std::isfinite(count))
            offer(a->base * n->base * count, false, span.established ? -0.8F : 0.3F, {a, n, &span});
        }
      }
    }
    for (const Operand* a : alikes) {
      for (const Operand* b : alikes) {
        if (a == b || a->source == Operand::kClaim || b->source == Operand::kClaim) continue;
        for (const Operand* n : counts) {
          if (n == a || n == b) continue;  // "five day tickets" are five.
          const bool days = n->source == Operand::kClaim && n->unit.dimension == Dimension::kTime &&
                            b->per.dimension == Dimension::kNone;
          const double count = days ? n->base / 86400 : times(*b, *n);
          if (!std::isfinite(count) || count == 1) continue;
          offer(std::fabs(a->base - count * b->base), false, 0.8F, {a, b, n});
          if (n->source != Operand::kConstant) offer(a->base + count * b->base, false, 0.7F, {a, b, n});
        }
        for (const Operand* n : counts) {
          if (n->source != Operand::kClaim || !bare(*n)) continue;
          for (const Operand* m : counts) {
            if (m->source != Operand::kClaim || m == n || !bare(*m)) continue;
            offer(n->base * a->base + m->base * b->base, false, 0.5F, {a, b, n, m});
          }
        }
      }
    }
  }

  const ClaimView& view_;
  const Quantity& target_;
  DerivationJudge judge_;
  Operands operands_;
  facts::Unit per_ = {};                      // what the claim says the value is per
  float sum_cost_ = 0, difference_cost_ = 0;  // where the claim's words speak of the other
};

}  // namespace

std::optional<Derivation> derive(const ClaimView& view, size_t quantity, const std::vector<Restated>& restated) {
  return Search(view, quantity, restated).best();
}

}  // namespace vsr::guard
