#include "guard/checks/agreement.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Hedge;
using facts::Quantity;
using facts::QuantityKind;

constexpr double kTiny = 1e-9;
constexpr double kMonthSlack = 0.017;  // of months counted in days
constexpr double kHedgeSlack = 0.07;   // what "about" may hide
constexpr double kConverted = 0.015;   // what rounding a conversion to tens and hundreds may hide

bool same(double a, double b) { return std::fabs(a - b) <= kTiny * std::max({1.0, std::fabs(a), std::fabs(b)}); }

// What one more in the last digit that is not zero is worth: of 690 ten.
double round_step(double value, double step) {
  double round = step;
  const double size = std::fabs(value);
  while (size > 0 && round * 10 <= size && same(std::fmod(size + round * 1e-6, round * 10), round * 1e-6)) round *= 10;
  return round;
}

bool is_whole(double value) { return same(value, std::round(value)); }

// 1: a bound below, -1: above, 0: none.
int bound(Hedge hedge) {
  if (hedge == Hedge::kMore || hedge == Hedge::kAtLeast) return 1;
  return hedge == Hedge::kLess || hedge == Hedge::kAtMost ? -1 : 0;
}

// `fact` in the claim's own unit.
bool within(const Quantity& claim, double fact, bool rounded, bool converted, Hedge fact_hedge) {
  const double value = claim.value;
  if (same(value, fact)) {
    const bool strict = claim.hedge == Hedge::kMore || claim.hedge == Hedge::kLess;
    return !strict || (fact_hedge != Hedge::kNone && fact_hedge != Hedge::kExact);
  }
  const double size = std::fabs(value);
  // Two bounds of one direction say the same only where they nearly meet: "below 25", "below 35".
  if (bound(claim.hedge) != 0 && bound(claim.hedge) == bound(fact_hedge) && std::fabs(fact - value) > 0.1 * size)
    return false;
  const double half = claim.step / 2 * (1 + 1e-6);
  const double round = round_step(value, claim.step) / 2 * (1 + 1e-6);
  const double difference = fact - value;
  switch (claim.hedge) {
    case Hedge::kAbout:
      return std::fabs(difference) <= std::max(half, std::min(round, kHedgeSlack * size));
    case Hedge::kNearly:
      return difference < 0 && -difference <= std::max(half, 0.1 * size);
    case Hedge::kMore:
      return difference > 0 && difference <= 0.5 * size;
    case Hedge::kLess:
      return difference < 0 && -difference <= 0.34 * size;
    case Hedge::kAtLeast:  // mostly a bound that a fact states, too
      return difference > 0 && difference <= 0.1 * size;
    case Hedge::kAtMost:
      return difference < 0 && -difference <= 0.1 * size;
    case Hedge::kNone:
    case Hedge::kExact:
      break;
  }
  if (claim.decimal || (claim.scaled && !is_whole(fact / claim.step))) return std::fabs(difference) <= half;
  if (converted && claim.hedge != Hedge::kExact && std::fabs(difference) <= std::min(round, kConverted * size))
    return true;
  return (rounded || converted || !is_whole(fact)) && std::fabs(difference) <= half;
}

bool dates_agree(const facts::Date& claim, const facts::Date& fact) {
  bool shared = false;
  if (claim.year != 0 && fact.year != 0) {
    if (claim.year != fact.year) return false;
    shared = true;
  }
  if (claim.month != 0 && fact.month != 0) {
    if (claim.month != fact.month) return false;
    shared = true;
  }
  if (claim.day != 0) {
    if (fact.day != claim.day) return false;
    shared = true;
  }
  if (claim.month != 0 && fact.month == 0) return false;
  return shared;
}

std::string bare_key(const std::string& key) {
  std::string bare;
  for (const char c : key) {
    if (c != '-' && c != '/' && c != ' ' && c != '_') bare += c;
  }
  for (const char* prefix : {"https:", "http:", "www."}) {
    if (bare.starts_with(prefix)) bare.erase(0, std::string(prefix).size());
  }
  return bare;
}

bool keys_agree(const std::string& claim, const std::string& fact) {
  if (claim == fact) return true;
  const std::string a = bare_key(claim), b = bare_key(fact);
  if (a == b) return true;
  // "v5.2.0" and "5.2.0", "5.2" of "5.2.0", "0087" of "INV-2024-0087".
  if (a == "v" + b || b == "v" + a) return true;
  if (fact.size() > claim.size() && claim.size() >= 3) {
    if (fact.starts_with(claim) && fact[claim.size()] == '.') return true;
    const char before = fact[fact.size() - claim.size() - 1];
    if (fact.ends_with(claim) && (before == '-' || before == '/' || before == '#')) return true;
  }
  return false;
}

// A number's digits as they would be in an identifier.
bool number_is_key(const Quantity& number, const std::string& key) {
  if (number.kind != QuantityKind::kNumber && number.kind != QuantityKind::kOrdinal) return false;
  std::string digits;
  if (!is_whole(number.value)) {
    const long long tenths = std::llround(number.value * 10);
    if (!same(static_cast<double>(tenths), number.value * 10)) return false;
    digits = std::to_string(tenths / 10) + "." + std::to_string(std::llabs(tenths % 10));
  } else if (std::fabs(number.value) < 1e15) {
    digits = std::to_string(std::llround(number.value));
  } else {
    return false;
  }
  if (keys_agree(digits, key)) return true;
  std::string parts = key;  // the number of "p99", of "A 12"
  parts.erase(std::remove_if(parts.begin(), parts.end(), [](char c) { return c < '0' || c > '9'; }), parts.end());
  return number.kind == QuantityKind::kOrdinal && parts == digits;
}

bool is_number(const Quantity& quantity) { return quantity.kind == QuantityKind::kNumber; }

double as_percent(const Quantity& quantity) {
  return quantity.kind == QuantityKind::kShare ? quantity.value * 100 : quantity.value * quantity.unit.factor;
}
bool is_percent(const Quantity& quantity) {
  return quantity.kind == QuantityKind::kShare ||
         (is_number(quantity) && quantity.unit.dimension == Dimension::kPercent);
}

bool percents_agree(const Quantity& claim, const Quantity& fact) {
  Quantity in_percent = claim;
  if (claim.kind == QuantityKind::kShare) {
    in_percent.value = claim.value * 100;
    in_percent.step = 1;
    in_percent.decimal = true;
    if (claim.hedge == Hedge::kAbout) return std::fabs(as_percent(fact) - in_percent.value) <= 5;
    if (claim.hedge == Hedge::kMore || claim.hedge == Hedge::kAtLeast) return as_percent(fact) > in_percent.value;
    if (claim.hedge == Hedge::kLess || claim.hedge == Hedge::kAtMost) return as_percent(fact) < in_percent.value;
  }
  return within(in_percent, as_percent(fact) / claim.unit.factor, fact.kind == QuantityKind::kShare, false, fact.hedge);
}

bool readings_agree(const Quantity& claim, const Quantity& fact) {
  const bool months = claim.unit.coarse != fact.unit.coarse;
  if (months) {
    const double a = claim.value * claim.unit.factor * (claim.unit.coarse ? kMonthSeconds : 1);
    const double b = fact.value * fact.unit.factor * (fact.unit.coarse ? kMonthSeconds : 1);
    return std::fabs(a - b) <= kMonthSlack * std::max(std::fabs(a), std::fabs(b));
  }
  const double in_unit = (fact.base() - claim.unit.offset) / claim.unit.factor;
  const bool converted = claim.unit.factor != fact.unit.factor || claim.unit.offset != fact.unit.offset;
  // A power of ten moves the point and rounds nothing.
  const double ratio = std::log10(fact.unit.factor / claim.unit.factor);
  const bool shifted = claim.unit.offset == fact.unit.offset && std::fabs(ratio - std::round(ratio)) < 1e-12;
  return within(claim, in_unit, converted, converted && !shifted, fact.hedge);
}

}  // namespace

bool comparable(const Quantity& claim, const Quantity& fact) {
  if (is_percent(claim) && is_percent(fact)) return true;
  if (is_number(claim) && is_number(fact)) {
    const Dimension a = claim.unit.dimension, b = fact.unit.dimension;
    if (a == Dimension::kMoney && b == Dimension::kMoney) return true;  // another currency is a contradiction, too
    const auto is_time = [](Dimension d) { return d == Dimension::kTime || d == Dimension::kMonths; };
    if (claim.year != fact.year && a == Dimension::kNone && b == Dimension::kNone) return false;
    return a == b || (is_time(a) && is_time(b));
  }
  const auto is_date = [](const Quantity& q) {
    return q.kind == QuantityKind::kDate || (q.kind == QuantityKind::kNumber && q.year);
  };
  if (is_date(claim) && is_date(fact)) return true;
  return claim.kind == fact.kind;
}

bool agrees_value(const Quantity& claim, double base, bool rounded) {
  if (!std::isfinite(base)) return false;
  if (claim.kind == QuantityKind::kShare) {
    Quantity percent;
    percent.value = base * 100;
    percent.unit = {Dimension::kPercent, 1};
    return percents_agree(claim, percent);
  }
  return within(claim, base / claim.unit.factor, rounded, false, Hedge::kNone);
}

bool agrees(const Quantity& claim, const Quantity& fact) {
  if (claim.kind == QuantityKind::kIdentifier || fact.kind == QuantityKind::kIdentifier) {
    if (claim.kind == fact.kind) return keys_agree(claim.key, fact.key);
    return claim.kind == QuantityKind::kIdentifier ? number_is_key(fact, claim.key) : number_is_key(claim, fact.key);
  }
  const auto date_of = [](const Quantity& q) {
    return q.kind == QuantityKind::kDate ? q.date : facts::Date{static_cast<int32_t>(q.value), 0, 0};
  };
  const bool claim_date = claim.kind == QuantityKind::kDate || (is_number(claim) && claim.year);
  const bool fact_date = fact.kind == QuantityKind::kDate || (is_number(fact) && fact.year);
  if (claim.century && fact_date) {
    const double year = fact.kind == QuantityKind::kDate ? fact.date.year : fact.value;
    return fact.century ? year == claim.value : year >= claim.value && year <= claim.value + 100;
  }
  if (fact.century && claim_date) return false;
  if (claim_date && fact_date && (claim.kind == QuantityKind::kDate || fact.kind == QuantityKind::kDate)) {
    if (claim.decade)
      return fact.kind == QuantityKind::kDate && fact.date.year / 10 == static_cast<int>(claim.value) / 10;
    if (dates_agree(date_of(claim), date_of(fact))) return true;
    if (claim.other_date != facts::Date{} && dates_agree(claim.other_date, date_of(fact))) return true;
    return fact.other_date != facts::Date{} && dates_agree(date_of(claim), fact.other_date);
  }
  if (claim.decade && fact.year) return static_cast<int>(fact.value) / 10 == static_cast<int>(claim.value) / 10;
  if (is_percent(claim) && is_percent(fact)) return percents_agree(claim, fact);
  switch (claim.kind) {
    case QuantityKind::kWeekday:
      if (fact.kind == QuantityKind::kDate && fact.date.whole()) {
        return facts::weekday_number(facts::day_number(fact.date.year, fact.date.month, fact.date.day)) ==
               static_cast<int>(claim.value);
      }
      return fact.kind == claim.kind && fact.value == claim.value;
    case QuantityKind::kQuarter:
      if (fact.kind == QuantityKind::kDate) {
        return fact.date.month > 0 && (fact.date.month - 1) / 3 + 1 == static_cast<int>(claim.value) &&
               (claim.date.year == 0 || claim.date.year == fact.date.year);
      }
      return fact.kind == claim.kind && fact.value == claim.value &&
             (claim.date.year == 0 || fact.date.year == 0 || claim.date.year == fact.date.year);
    case QuantityKind::kClock:
      if (is_number(fact) && fact.unit.dimension == Dimension::kTime) {  // "03:20:31" reads as a span
        return same(claim.value * 60, fact.base()) ||
               (fact.unit.factor == 1 && fact.base() >= 3600 && std::floor(fact.base() / 60) == claim.value);
      }
      return fact.kind == claim.kind &&
             (fact.value == claim.value || fact.value == claim.other || fact.other == claim.value);
    case QuantityKind::kFactor:
      return (fact.kind == claim.kind || (is_number(fact) && fact.unit.dimension == Dimension::kNone)) &&
             within(claim, fact.value, false, false, fact.hedge);
    case QuantityKind::kOrdinal:
      return (fact.kind == claim.kind || (is_number(fact) && fact.unit.dimension == Dimension::kNone)) &&
             same(claim.value, fact.value);
    case QuantityKind::kShare:
    case QuantityKind::kDate:
    case QuantityKind::kIdentifier:
      return false;
    case QuantityKind::kNumber:
      break;
  }
  if (fact.kind == QuantityKind::kClock && claim.unit.dimension == Dimension::kTime &&
      fact.unit.dimension == Dimension::kTime) {
    return same(claim.base(), fact.value * 60);
  }
  if (fact.kind == QuantityKind::kOrdinal || fact.kind == QuantityKind::kFactor)
    return claim.unit.dimension == Dimension::kNone && same(claim.value, fact.value);
  if (!is_number(fact)) return false;
  const Dimension a = claim.unit.dimension, b = fact.unit.dimension;
  const auto is_time = [](Dimension d) { return d == Dimension::kTime || d == Dimension::kMonths; };
  const auto read = [&](const Quantity& c, const Quantity& f) {
    if (c.unit.dimension == Dimension::kMoney && f.unit.dimension == Dimension::kMoney &&
        c.unit.currency != f.unit.currency)
      return false;
    if (c.unit.dimension != f.unit.dimension && !(is_time(c.unit.dimension) && is_time(f.unit.dimension))) return false;
    if (readings_agree(c, f)) return true;
    // The same digits with another unit are no other reading: 1,360 kilograms and 1,360 tonnes.
    if (same(c.value, f.value) && c.unit.factor != f.unit.factor) return false;
    if (!std::isnan(c.other)) {
      Quantity other = c;
      other.value = c.other;
      if (other.step > std::fabs(other.value)) other.step = std::fabs(other.value) / 100;
      if (same(other.base(), f.base())) return true;
    }
    return !std::isnan(f.other) && same(c.base(), f.other * f.unit.factor + f.unit.offset);
  };
  if (read(claim, fact)) {
    // "five percent" and "five points", "5 km/h" and "5 km" differ above; rates only where both say one.
    const bool rates = claim.per.dimension == fact.per.dimension && claim.per.dimension != Dimension::kNone;
    return !rates || same(claim.per.factor, fact.per.factor);
  }
  if (claim.per.dimension == fact.per.dimension && claim.per.dimension != Dimension::kNone &&
      claim.per.factor != fact.per.factor) {
    Quantity same_rate = fact;  // "1,350 a month" is "16,200 a year"
    same_rate.value = fact.value / fact.per.factor * claim.per.factor;
    if (read(claim, same_rate)) return true;
  }
  if (claim.second_unit.dimension != Dimension::kNone || fact.second_unit.dimension != Dimension::kNone) {
    Quantity c = claim, f = fact;
    if (c.second_unit.dimension == b) c.unit = c.second_unit;
    if (f.second_unit.dimension == a) f.unit = f.second_unit;
    if (read(c, f)) return true;
  }
  // A unit that one of the two leaves out.
  return a == Dimension::kNone && b != Dimension::kPercent && b != Dimension::kMoney && !claim.words &&
         same(claim.value, fact.value);
}

int significant_digits(const Quantity& claim) {
  const double steps = std::fabs(claim.value) / (claim.step > 0 ? claim.step : 1);
  if (steps < 1) return 1;
  const double round = round_step(claim.value, claim.step) / claim.step;
  return 1 + static_cast<int>(std::floor(std::log10(steps / round + 1e-9)));
}

}  // namespace vsr::guard
