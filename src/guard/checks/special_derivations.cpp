#include "guard/checks/special_derivations.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "guard/checks/agreement.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

bool says(const ClaimView& view, std::initializer_list<std::string_view> words) {
  return std::any_of(view.claim().pieces.begin(), view.claim().pieces.end(), [&](const facts::Piece& piece) {
    return std::find(words.begin(), words.end(), piece.lower) != words.end();
  });
}

constexpr float kBonus = 1.2F, kBonusOfSizes = 0.6F;

}  // namespace

void derive_dimension(const Quantity& target, const Operand& a, const Operand& b, DerivationJudge& judge) {
  // That it comes out in another dimension is hardly chance.
  const bool size = target.unit.dimension == Dimension::kArea || target.unit.dimension == Dimension::kVolume;
  const auto offer = [&](double base, float cost) {
    judge.offer(base, true, cost - (size ? kBonusOfSizes : kBonus), {&a, &b});
  };
  const auto both = [&](Dimension x, Dimension y, const Operand*& first, const Operand*& second) {
    if (a.unit.dimension == x && b.unit.dimension == y) {
      first = &a;
      second = &b;
      return true;
    }
    if (a.unit.dimension == y && b.unit.dimension == x) {
      first = &b;
      second = &a;
      return true;
    }
    return false;
  };
  const Operand *x = nullptr, *y = nullptr;
  switch (target.unit.dimension) {
    case Dimension::kArea:
      if (both(Dimension::kLength, Dimension::kLength, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kVolume:
      if (both(Dimension::kArea, Dimension::kLength, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kSpeed:
      if (both(Dimension::kLength, Dimension::kTime, x, y)) offer(x->base / y->base, 0);
      break;
    case Dimension::kLength:
      if (both(Dimension::kSpeed, Dimension::kTime, x, y)) offer(a.base * b.base, 0);
      if (both(Dimension::kArea, Dimension::kLength, x, y)) offer(x->base / y->base, 0.3F);
      break;
    case Dimension::kTime:
      if (both(Dimension::kLength, Dimension::kSpeed, x, y)) offer(x->base / y->base, 0);
      if (both(Dimension::kEnergy, Dimension::kPower, x, y)) offer(x->base / y->base, 0);
      if (both(Dimension::kData, Dimension::kDataRate, x, y)) offer(x->base / y->base, 0);
      break;
    case Dimension::kEnergy:
      if (both(Dimension::kPower, Dimension::kTime, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kPower:
      if (both(Dimension::kVoltage, Dimension::kCurrent, x, y)) offer(a.base * b.base, 0);
      if (both(Dimension::kEnergy, Dimension::kTime, x, y)) offer(x->base / y->base, 0);
      break;
    default:
      break;
  }
}

void derive_neighbour(const ClaimView& view, DerivationJudge& judge) {
  const bool next =
      says(view, {"next", "following", "coming", "nächste", "nächsten", "kommende", "prochain", "prochaine"});
  const bool last = says(view, {"last", "previous", "vorige", "letzte", "vorherige", "précédent", "précédente"});
  if (!next && !last) return;
  for (const NearUnit& near : view.units()) {
    const FactUnit& unit = view.unit(near);
    for (const Quantity& fact : unit.statement.quantities) {
      if (fact.kind != QuantityKind::kOrdinal) continue;
      const Operand operand{.base = fact.value, .source = near.unit, .fact = unit.fact, .relevant = near.relevant};
      if (next) judge.offer(fact.value + 1, false, 0, {&operand});
      if (last) judge.offer(fact.value - 1, false, 0, {&operand});
    }
  }
}

void derive_score(const ClaimView& view, const Quantity& target, DerivationJudge& judge) {
  if (!says(view, {"half", "halbzeit", "hälfte", "mi-temps", "période", "period", "drittel", "mi"})) return;
  const auto score = [](const Quantity& quantity, double& a, double& b) {
    const size_t sign = quantity.key.find_first_of(":-");
    if (quantity.kind != QuantityKind::kIdentifier || sign == std::string::npos || quantity.key.size() > 7)
      return false;
    const std::string_view key = quantity.key;
    const auto number = [](std::string_view digits, double& value) {
      value = 0;
      for (const char c : digits) {
        if (c < '0' || c > '9') return false;
        value = value * 10 + (c - '0');
      }
      return !digits.empty();
    };
    return number(key.substr(0, sign), a) && number(key.substr(sign + 1), b);
  };
  struct Found {
    uint32_t unit;
    double a, b;
  };
  double a = 0, b = 0;
  if (!score(target, a, b)) return;
  std::vector<Found> found;
  for (const NearUnit& near : view.units()) {
    for (const Quantity& fact : view.unit(near).statement.quantities) {
      double x = 0, y = 0;
      if (found.size() < 16 && score(fact, x, y)) found.push_back({near.unit, x, y});
    }
  }
  for (const Found& whole : found) {
    for (const Found& part : found) {
      if (whole.a - part.a == a && whole.b - part.b == b) judge.accept({whole.unit, part.unit});
    }
  }
}

}  // namespace vsr::guard

namespace vsr::guard {
namespace {

constexpr double kDay = 86400;
constexpr double kWidestZone = 14 * 3600;
constexpr size_t kMostClocks = 12;

bool sentence_says(const Statement& statement, std::initializer_list<std::string_view> words) {
  return std::any_of(statement.pieces.begin(), statement.pieces.end(), [&](const facts::Piece& piece) {
    return std::find(words.begin(), words.end(), piece.lower) != words.end();
  });
}

// The days of a week that a sentence names by their first and last; 0: none.
double days_of(const Statement& statement) {
  for (size_t i = 0; i + 1 < statement.quantities.size(); ++i) {
    const Quantity &first = statement.quantities[i], &last = statement.quantities[i + 1];
    if (first.kind == QuantityKind::kWeekday && last.kind == QuantityKind::kWeekday && first.range_begin)
      return std::fmod(last.value - first.value + 7, 7) + 1;
  }
  return sentence_says(statement, {"daily", "täglich", "quotidiennement"}) ? 7 : 0;
}

}  // namespace

void derive_zones(const ClaimView& view, const Quantity& target, const Operands& operands, DerivationJudge& judge) {
  for (const Operand& offset : operands.values) {
    if (offset.source >= Operand::kConstant || offset.unit.dimension != Dimension::kTime || offset.base <= 0 ||
        offset.base > kWidestZone ||
        !sentence_says(view.index().units()[offset.source].statement,
                       {"ahead", "behind", "voraus", "zurück", "avance", "retard", "zeitverschiebung", "décalage"}))
      continue;
    size_t clocks = 0;
    for (size_t i = 0; i < operands.moments.size() && clocks < kMostClocks; ++i) {
      const Moment& a = operands.moments[i];
      if (a.minutes < 0) continue;
      ++clocks;
      for (size_t j = i + 1; j < operands.moments.size(); ++j) {
        const Moment& b = operands.moments[j];
        if (b.minutes < 0 || a.source != b.source) continue;
        const double gap = std::fmod((b.minutes - a.minutes) * 60 + kDay, kDay);
        for (const double sign : {1.0, -1.0}) {
          if (agrees_value(target, gap + sign * offset.base, false)) judge.offer_moments(0, {&a, &b}, &offset);
        }
      }
    }
  }
}

void derive_opening(const ClaimView& view, const Quantity& target, DerivationJudge& judge) {
  if (!sentence_says(view.claim(), {"week", "weekly", "woche", "wöchentlich", "semaine", "hebdomadaire"})) return;
  for (const NearUnit& near : view.units()) {
    const Statement& fact = view.unit(near).statement;
    const double days = days_of(fact);
    if (days == 0) continue;
    double seconds = 0;
    size_t clocks = 0;
    double from = 0;
    for (const Quantity& quantity : fact.quantities) {
      if (quantity.kind != QuantityKind::kClock) continue;
      if (clocks++ % 2 == 0) {
        from = quantity.value;
      } else if (quantity.value > from) {
        seconds += (quantity.value - from) * 60;
      }
    }
    if (clocks == 2 && agrees_value(target, days * seconds, false)) judge.accept({near.unit});
  }
}

}  // namespace vsr::guard

namespace vsr::guard {
namespace {

constexpr float kPoints = 0.8F, kInProportion = 0.5F, kElided = 0.3F;
constexpr size_t kMostWeights = 4;
constexpr double kMostWeight = 100;

bool bare(const Operand& operand) {
  return operand.unit.dimension == Dimension::kNone && !operand.year && !operand.count && !operand.frequency;
}

template <size_t N>
bool contains_one(const Statement& statement, const std::string_view (&words)[N]) {
  return std::any_of(statement.pieces.begin(), statement.pieces.end(), [&](const facts::Piece& piece) {
    return std::find(std::begin(words), std::end(words), piece.lower) != std::end(words);
  });
}

class ClaimSearch {
 public:
  ClaimSearch(const facts::Quantity& target, const Operands& operands, DerivationJudge& judge)
      : target_(target), values_(operands.values), judge_(judge) {
    for (const Operand& operand : values_) {
      if (operand.source == Operand::kClaim && bare(operand)) counts_.push_back(&operand);
    }
  }

  // "For twelve, use 1.8 kg" of a recipe that serves six and takes 900 g.
  void proportions() {
    for (const Operand* n : counts_) {
      for (const Operand& m : values_) {
        if (!of_facts(m) || !bare(m) || m.base <= 1) continue;
        for (const Operand& a : values_) {
          if (a.source != m.source || a.per.dimension != Dimension::kNone || !alike(a)) continue;
          judge_.offer(a.base * n->base / m.base, true, -kInProportion, {&a, &m, n});
        }
      }
    }
  }

  // "three points for a win and one for a draw": two weights of the claim on two counts of one sentence.
  void points() {
    for (size_t i = 0; i + 1 < std::min(counts_.size(), kMostWeights); ++i) {
      const Operand &n = *counts_[i], &m = *counts_[i + 1];
      if (n.base > kMostWeight || m.base > kMostWeight) continue;
      for (const Operand& a : values_) {
        for (const Operand& b : values_) {
          if (a.source != b.source || !of_facts(a) || a.quantity >= b.quantity || !bare(a) || !bare(b)) continue;
          judge_.offer(n.base * a.base + m.base * b.base, false, -kPoints, {&a, &b, &n, &m});
        }
      }
    }
  }

  // "27 days of leave and 10 public holidays": days, too.
  void elided_sums() {
    for (const Operand& a : values_) {
      for (const Operand& b : values_) {
        if (a.source == b.source && of_facts(a) && b.quantity == a.quantity + 1 && alike(a) && bare(b) &&
            a.unit.factor == target_.unit.factor)
          judge_.offer(a.base + b.base * a.unit.factor, false, kElided, {&a, &b});
      }
    }
  }

 private:
  static bool of_facts(const Operand& operand) { return operand.source < Operand::kConstant; }
  bool alike(const Operand& operand) const {
    return operand.unit.dimension == target_.unit.dimension && operand.unit.currency == target_.unit.currency;
  }

  const facts::Quantity& target_;
  const std::vector<Operand>& values_;
  DerivationJudge& judge_;
  std::vector<const Operand*> counts_;  // of the claim
};

}  // namespace

bool says_rest(const Statement& statement) {
  static constexpr std::string_view kRest[] = {"rest",   "remaining", "remainder", "others", "other", "übrigen",
                                               "übrige", "restliche", "andere",    "autres", "reste", "restants"};
  return contains_one(statement, kRest);
}

bool says_below(const Statement& statement) {
  static constexpr std::string_view kBelow[] = {"below", "above", "under",   "over",  "unter",
                                                "über",  "sous",  "dessous", "dessus"};
  return contains_one(statement, kBelow);
}

void derive_from_claim(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                       DerivationJudge& judge) {
  ClaimSearch search(target, operands, judge);
  if (target.unit.dimension == Dimension::kNone) {
    search.points();
  } else {
    search.proportions();
  }
  if (target.unit.dimension == Dimension::kTime && (view.claim().traits & kAdds)) search.elided_sums();
}

}  // namespace vsr::guard
