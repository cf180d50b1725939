#include "guard/checks/time_derivation.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "guard/checks/agreement.h"
#include "guard/checks/special_derivations.h"
#include "guard/checks/word_constants.h"

namespace vsr::guard {
namespace {

using facts::Date;
using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr double kDay = 86400;
constexpr size_t kMostMoments = 40;
constexpr int32_t kAnyYear = 2001;  // no leap year
constexpr double kHalfMonthSlack = 0.06;

int64_t day_of(const Date& date) { return facts::day_number(date.year, date.month, date.day); }

// Whole months from one date to another, and whether nothing is left over.
double months_between(const Date& from, const Date& to) {
  const double months = (to.year - from.year) * 12.0 + (to.month - from.month);
  if (from.day == 0 || to.day == 0) return months;
  const Date reached = facts::add_months(from, static_cast<int64_t>(months));
  return months + static_cast<double>(day_of(to) - day_of(reached)) / 30.436875;
}

// A span of a claim's unit.
void spans(const Quantity& target, const Moment& a, const Moment& b, DerivationJudge& judge) {
  const bool months = target.unit.coarse;
  const bool years = months && target.unit.factor >= 12;
  const auto fits = [&](double base, float cost, bool rounded) {
    if (agrees_value(target, base, rounded)) judge.offer_moments(cost, {&a, &b});
  };
  if (a.minutes >= 0 && b.minutes >= 0 && target.unit.dimension == Dimension::kTime) {
    const double gap = (b.minutes - a.minutes) * 60;
    fits(std::fabs(gap), 0, false);
    fits(kDay - std::fabs(gap), 0.6F, false);
    return;
  }
  if (a.minutes >= 0 || b.minutes >= 0) return;
  if (a.date.year == 0 || b.date.year == 0) {  // of the same year as the other
    if (a.date.month == 0 || b.date.month == 0) return;
    if (a.date.year == b.date.year && a.source != b.source) return;  // both of any year: of one season
    Moment x = a, y = b;
    const int32_t year = a.date.year + b.date.year;
    x.date.year = y.date.year = year == 0 ? kAnyYear : year;
    return spans(target, x, y, judge);
  }
  if (a.date.month == 0 || b.date.month == 0) {
    if (months) fits(std::abs(a.date.year - b.date.year) * 12.0, 0, false);
    return;
  }
  const bool swap = a.date.year != b.date.year     ? a.date.year > b.date.year
                    : a.date.month != b.date.month ? a.date.month > b.date.month
                                                   : a.date.day > b.date.day;
  const Date from = swap ? b.date : a.date, to = swap ? a.date : b.date;
  if (from.day == 0 || to.day == 0) {
    if (months) {
      fits(months_between(from, to), 0, false);
      if (years) fits(std::floor(months_between(from, to) / 12) * 12, 0.3F, false);
      fits(months_between(from, to) + 1, 0.4F, false);  // both months counted
    }
    return;
  }
  const double days = static_cast<double>(day_of(to) - day_of(from));
  if (target.unit.dimension == Dimension::kTime) {
    fits(days * kDay, 0, false);
    fits((days + 1) * kDay, 0.3F, false);  // both days counted
    return;
  }
  if (!months) return;
  for (const double more : {0.0, 1.0}) {  // to the day, or to its end
    const Date end = facts::date_of(day_of(to) + static_cast<int64_t>(more));
    const double span = months_between(from, end);
    const float cost = more > 0 ? 0.1F : 0;
    if (std::fabs(span - std::round(span)) < 1e-9) fits(span, cost, false);
    const double halves = target.value * 2;  // "three and a half months"
    if (!years && halves == std::floor(halves) && target.value != std::floor(target.value) &&
        std::fabs(span - target.value) < kHalfMonthSlack)
      fits(target.value, 0.1F, false);
    if (target.hedge != facts::Hedge::kNone && target.hedge != facts::Hedge::kExact) fits(span, 0.3F, true);
    if (years && more == 0) {
      fits(std::floor(span / 12) * 12, 0.3F, false);    // ages
      fits((to.year - from.year) * 12.0, 0.4F, false);  // years of the calendar
    }
    if (!years && more == 0) fits(std::round(span), 0.5F, false);
  }
}

// A date that lies a span after or before another.
void dates(const Quantity& target, const Moment& moment, const Operand& span, DerivationJudge& judge) {
  const auto fits = [&](const Date& date, float cost) {
    Quantity derived;
    derived.kind = QuantityKind::kDate;
    derived.date = date;
    if (agrees(target, derived)) judge.offer_moments(cost, {&moment}, &span);
  };
  if (moment.minutes >= 0) {
    if (target.kind != QuantityKind::kClock || span.unit.dimension != Dimension::kTime) return;
    for (const double sign : {1.0, -1.0}) {
      const double minutes = std::fmod(moment.minutes + sign * span.base / 60 + 2880, 1440);
      if (std::fabs(minutes - target.value) < 1e-6) judge.offer_moments(0, {&moment}, &span);
    }
    return;
  }
  if (target.kind == QuantityKind::kClock || moment.date.year == 0) return;
  const bool months = span.unit.dimension == Dimension::kMonths;
  if (std::fabs(span.base) > 1e12) return;
  for (const int sign : {1, -1}) {
    const float cost = sign > 0 ? 0 : 0.3F;
    if (months) {
      const auto count = static_cast<int64_t>(std::llround(span.base)) * sign;
      if (std::llabs(count) > 120000) continue;
      if (moment.date.month == 0) {
        if (count % 12 == 0) fits({static_cast<int32_t>(moment.date.year + count / 12), 0, 0}, cost);
      } else if (moment.date.day == 0) {
        Date date = facts::add_months({moment.date.year, moment.date.month, 1}, count);
        date.day = 0;
        fits(date, cost);
      } else {
        const Date date = facts::add_months(moment.date, count);
        fits(date, cost);
        fits(facts::date_of(day_of(date) - 1), cost + 0.1F);
      }
    } else if (moment.date.whole()) {
      const double days = span.base / kDay;
      if (days < 1 || days > 100000 || days != std::floor(days)) continue;
      fits(facts::date_of(day_of(moment.date) + sign * static_cast<int64_t>(days)), cost);
      fits(facts::date_of(day_of(moment.date) + sign * static_cast<int64_t>(days) - 1), cost + 0.2F);
    }
  }
}

// "was 40 when", "aged 78", "at 40".
bool says_age(const Statement& claim, const Quantity& target) {
  static constexpr std::string_view kBefore[] = {"was", "is",  "aged", "at", "turned", "age",  "of",
                                                 "mit", "war", "ist",  "à",  "wurde",  "being"};
  return target.first_piece > 0 && std::find(std::begin(kBefore), std::end(kBefore),
                                             claim.pieces[target.first_piece - 1].lower) != std::end(kBefore);
}

}  // namespace

void derive_time(const ClaimView& view, const Quantity& target, const Operands& operands, DerivationJudge& judge) {
  const auto& moments = operands.moments;
  const size_t most = std::min(moments.size(), kMostMoments);
  const bool number = target.kind == QuantityKind::kNumber;
  if (number && (target.unit.dimension == Dimension::kTime || target.unit.dimension == Dimension::kMonths)) {
    for (size_t i = 0; i < most; ++i) {
      for (size_t j = i + 1; j < most; ++j) spans(target, moments[i], moments[j], judge);
    }
    if (target.unit.dimension == Dimension::kTime) {
      derive_zones(view, target, operands, judge);
      derive_opening(view, target, judge);
    }
  }
  const bool age =
      number && target.unit.dimension == Dimension::kNone && target.value < 130 && says_age(view.claim(), target);
  if (age || counts_years(view.claim(), target)) {
    Quantity years = target;
    years.kind = QuantityKind::kNumber;
    years.unit = {Dimension::kMonths, 12, 0, 0, true};
    for (size_t i = 0; i < most; ++i) {
      for (size_t j = i + 1; j < most; ++j) spans(years, moments[i], moments[j], judge);
    }
  }
  const bool date = target.kind == QuantityKind::kDate || target.kind == QuantityKind::kClock ||
                    target.kind == QuantityKind::kWeekday || target.kind == QuantityKind::kQuarter ||
                    (number && target.year);
  if (!date) return;
  for (size_t i = 0; i < most; ++i) {
    for (const Operand& span : operands.values) {
      if (span.unit.dimension != Dimension::kTime && span.unit.dimension != Dimension::kMonths) continue;
      if (span.source == Operand::kConstant) continue;
      dates(target, moments[i], span, judge);
    }
  }
}

}  // namespace vsr::guard
