// Days of the Gregorian calendar.
#pragma once

#include <cstdint>

namespace vsr::facts {

// Parts that are not said are 0.
struct Date {
  int32_t year = 0;
  int8_t month = 0, day = 0;
  bool whole() const { return year != 0 && month != 0 && day != 0; }
  friend bool operator==(const Date&, const Date&) = default;
};

constexpr bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
constexpr int days_in_month(int64_t year, int month) {
  constexpr int8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Days since 1 January 1970; the inverse below. After Howard Hinnant's "chrono-compatible low-level date algorithms".
constexpr int64_t day_number(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t of_era = year - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}
constexpr Date date_of(int64_t days) {
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t of_era = days - era * 146097;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted = (5 * of_year + 2) / 153;
  const int day = static_cast<int>(of_year - (153 * shifted + 2) / 5 + 1);
  const int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  return {static_cast<int32_t>(year_of_era + era * 400 + (month <= 2)), static_cast<int8_t>(month),
          static_cast<int8_t>(day)};
}
// 1: Monday .. 7: Sunday.
constexpr int weekday_number(int64_t days) { return static_cast<int>(((days + 3) % 7 + 7) % 7) + 1; }

// The same day some months later; the month's last where it is shorter.
constexpr Date add_months(const Date& date, int64_t months) {
  const int64_t total = static_cast<int64_t>(date.year) * 12 + (date.month - 1) + months;
  const int64_t year = total >= 0 ? total / 12 : (total - 11) / 12;
  const int month = static_cast<int>(total - year * 12) + 1;
  const int last = days_in_month(year, month);
  return {static_cast<int32_t>(year), static_cast<int8_t>(month),
          static_cast<int8_t>(date.day > last ? last : date.day)};
}

}  // namespace vsr::facts
