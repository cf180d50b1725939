#include "facts/quantities/date_reader.h"

#include <algorithm>
#include <string_view>

#include "facts/quantities/number_words.h"

namespace vsr::facts {
namespace {

// -1: no short run of digits.
int small_number(const Piece& piece) {
  if (piece.kind != Piece::kDigits || piece.lower.size() > 4) return -1;
  int value = 0;
  for (const char c : piece.lower) value = value * 10 + (c - '0');
  return value;
}

bool is_year(const Piece& piece) {
  const int value = piece.lower.size() == 4 ? small_number(piece) : -1;
  return value >= 1000 && value < 2200;
}

class Reader {
 public:
  Reader(std::span<const Piece> pieces, size_t at) : pieces_(pieces), at_(at) {}

  std::optional<Quantity> date() {
    const Piece& first = pieces_[at_];
    if (first.kind == Piece::kDigits) {
      if (numeric()) return found_;
      return day_month() ? std::optional(found_) : std::nullopt;
    }
    if (first.kind != Piece::kWord) return std::nullopt;
    if (quarter() || month_first() || ordinal_day()) return found_;
    return std::nullopt;
  }

  std::optional<Quantity> clock() {
    const Piece& first = pieces_[at_];
    if (first.kind == Piece::kWord) {
      if (first.is("noon") || first.is("midday") || first.is("midi")) return minutes(720, at_ + 1);
      if (first.is("midnight") || first.is("mitternacht") || first.is("minuit")) return minutes(0, at_ + 1);
      return spoken_clock();
    }
    const int hour = small_number(first);
    if (hour < 0 || hour > 24 || first.lower.size() > 2) return std::nullopt;
    size_t i = at_ + 1;
    int minute = 0;
    bool certain = false;
    if (touches(i, ":") && digits(i + 1, 2) && touches(i + 2, ":") && digits(i + 3, 2)) {  // 2:15:30
      found_.kind = QuantityKind::kNumber;
      found_.value = hour * 3600.0 + small_number(pieces_[i + 1]) * 60.0 + small_number(pieces_[i + 3]);
      found_.unit = {Dimension::kTime, 1};
      found_.last_piece = i + 4;
      return found_;
    }
    if (touches(i, ":") && digits(i + 1, 2) && !touches(i + 2, ":")) {
      minute = small_number(pieces_[i + 1]);
      i += 2;
      certain = true;
    } else if (touches(i, ".") && digits(i + 1, 2) && (half_day(i + 2) > 0 || is(i + 2, "uhr"))) {
      minute = small_number(pieces_[i + 1]);
      i += 2;
    } else if (is(i, "h")) {  // "9 h 30", "18h"
      ++i;
      if (i < pieces_.size() && pieces_[i].kind == Piece::kDigits && pieces_[i].lower.size() == 2 &&
          !pieces_[i].wide_space) {
        minute = small_number(pieces_[i]);
        ++i;
        if (is(i, "min")) return std::nullopt;
      } else if (i < pieces_.size() && is(i, "/")) {
        return std::nullopt;
      } else {
        found_.unit = {Dimension::kTime, 3600};  // it may last so long
      }
      certain = true;
    }
    if (minute > 59) return std::nullopt;
    int total = hour * 60 + minute;
    if (is(i, "uhr")) {
      ++i;
      certain = true;
      if (i < pieces_.size() && pieces_[i].space && digits_of(i) > 0 && pieces_[i].lower.size() == 2 && minute == 0) {
        total += small_number(pieces_[i]);
        ++i;
      }
    }
    if (const size_t used = half_day(i); used > 0) {
      const bool evening = pieces_[i].lower[0] == 'p';
      if (hour > 12) return std::nullopt;
      total = (hour % 12 + (evening ? 12 : 0)) * 60 + minute;
      i += used;
      certain = true;
    }
    return certain ? minutes(total, i) : std::nullopt;
  }

 private:
  bool is(size_t i, std::string_view text) const { return i < pieces_.size() && pieces_[i].is(text); }
  bool touches(size_t i, std::string_view text) const { return is(i, text) && !pieces_[i].space; }
  bool digits(size_t i, size_t size) const {
    return i < pieces_.size() && !pieces_[i].space && pieces_[i].kind == Piece::kDigits &&
           pieces_[i].lower.size() == size;
  }
  int digits_of(size_t i) const {
    return i < pieces_.size() ? small_number(pieces_[i]) : -1;
  }  // "half past seven", "quarter to eight", "halb acht", "Viertel nach acht", "sept heures et demie" is a span.
  std::optional<Quantity> spoken_clock() {
    const size_t begin = is(at_, "a") && is(at_ + 1, "quarter") ? at_ + 1 : at_;
    const Piece& first = pieces_[begin];
    int minutes_off = 0;
    size_t i = begin + 1;
    if (first.is("halb")) {
      minutes_off = -30;
    } else if (first.is("half") && is(i, "past")) {
      minutes_off = 30;
      ++i;
    } else if (first.is("quarter") && (is(i, "past") || is(i, "to"))) {
      minutes_off = is(i, "past") ? 15 : -15;
      ++i;
    } else if (first.is("viertel") && (is(i, "nach") || is(i, "vor"))) {
      minutes_off = is(i, "nach") ? 15 : -15;
      ++i;
    } else {
      return hour_in_words();
    }
    if (i >= pieces_.size()) return std::nullopt;
    int hour = small_number(pieces_[i]);
    if (const auto word = number_word(pieces_[i].lower); word && word->kind == NumberWord::kUnit)
      hour = static_cast<int>(word->value);
    if (hour < 1 || hour > 12) return std::nullopt;
    int total = (hour % 12) * 60 + minutes_off;
    if (total < 0) total += 720;
    ++i;
    if (is(i, "uhr")) ++i;
    found_.other = total + 720;
    return minutes(total, i);
  }  // "acht Uhr fünf", "eight o'clock".
  std::optional<Quantity> hour_in_words() {
    const auto hour = number_word(pieces_[at_].lower);
    if (auto before = minutes_to_hour()) return before;
    if (!hour || hour->kind != NumberWord::kUnit || hour->value > 24) return std::nullopt;
    size_t i = at_ + 1;
    int total = static_cast<int>(hour->value) * 60;
    if (is(i, "uhr")) {
      ++i;
      const auto minute = i < pieces_.size() ? number_word(pieces_[i].lower) : std::nullopt;
      if (minute && minute->kind == NumberWord::kUnit && minute->value < 60) {
        total += static_cast<int>(minute->value);
        ++i;
      }
    } else if (is(i, "o") && is(i + 1, "'") && is(i + 2, "clock")) {
      i += 3;
    } else {
      return std::nullopt;
    }
    if (total < 720) found_.other = total + 720;
    return minutes(total, i);
  }

  // "at twenty to eleven", "ten past six in the morning"; not "ten to twelve people".
  std::optional<Quantity> minutes_to_hour() {
    const auto value = [&](size_t i) {
      const auto word = i < pieces_.size() ? number_word(pieces_[i].lower) : std::nullopt;
      return word && (word->kind == NumberWord::kUnit || word->kind == NumberWord::kTens)
                 ? static_cast<int>(word->value)
                 : 0;
    };
    const int minute = value(at_), hour = value(at_ + 2);
    const bool before = is(at_ + 1, "to");
    if (minute < 5 || minute > 29 || hour < 1 || hour > 12 || !(before || is(at_ + 1, "past"))) return std::nullopt;
    if (!(at_ > 0 && is(at_ - 1, "at")) && !(is(at_ + 3, "in") && is(at_ + 4, "the"))) return std::nullopt;
    int total = (hour % 12) * 60 + (before ? -minute : minute);
    if (total < 0) total += 720;
    found_.other = total + 720;
    return minutes(total, at_ + 3);
  }

  // Pieces of "am", "p.m."; 0: none.
  size_t half_day(size_t i) const {
    if (is(i, "am") || is(i, "pm")) return 1;
    if ((is(i, "a") || is(i, "p")) && touches(i + 1, ".") && touches(i + 2, "m")) return touches(i + 3, ".") ? 4 : 3;
    return 0;
  }
  std::optional<Quantity> minutes(int total, size_t end) {
    found_.kind = QuantityKind::kClock;
    found_.value = total;
    found_.last_piece = end;
    return found_;
  }

  bool set(int year, int month, int day, size_t end) {
    if (month < 0 || month > 12 || day < 0 || day > 31) return false;
    if (month > 0 && day > days_in_month(year == 0 ? 2000 : year, month)) return false;
    found_.kind = QuantityKind::kDate;
    found_.date = {year, static_cast<int8_t>(month), static_cast<int8_t>(day)};
    found_.last_piece = end;
    return true;
  }

  // 2024-12-29, 29.12.2024, 12/29/2024.
  bool numeric() {
    const size_t i = at_;
    if (i + 4 >= pieces_.size() || pieces_[i + 2].kind != Piece::kDigits || pieces_[i + 4].kind != Piece::kDigits)
      return short_date();
    const std::string& sign = pieces_[i + 1].lower;
    if ((sign != "-" && sign != "." && sign != "/") || pieces_[i + 1].space || !is(i + 3, sign) || pieces_[i + 3].space)
      return short_date();
    if (sign != "." && (pieces_[i + 2].space || pieces_[i + 4].space)) return false;
    const int a = small_number(pieces_[i]), b = small_number(pieces_[i + 2]), c = small_number(pieces_[i + 4]);
    if (a < 0 || b < 0 || c < 0) return false;
    if (touches(i + 5, ".") && i + 6 < pieces_.size() && pieces_[i + 6].kind == Piece::kDigits && !pieces_[i + 6].space)
      return false;
    if (is_year(pieces_[i]) && pieces_[i + 2].lower.size() <= 2 && pieces_[i + 4].lower.size() <= 2) {
      return b > 0 && c > 0 && set(a, b, c, i + 5);
    }
    const bool four = is_year(pieces_[i + 4]);
    if (!four && (pieces_[i + 4].lower.size() != 2 || sign == "-" || pieces_[i].lower.size() > 2 ||
                  pieces_[i + 2].lower.size() != 2))
      return false;
    const int year = four ? c : c + (c < 70 ? 2000 : 1900);
    if (a == 0 || b == 0 || pieces_[i].lower.size() > 2 || pieces_[i + 2].lower.size() > 2) return false;
    const bool day_first = set(year, b, a, i + 5);
    if (sign == ".") return day_first;
    const Date one = found_.date;
    if (!set(year, a, b, i + 5)) {
      if (!day_first) return false;
      found_.date = one;
      found_.last_piece = i + 5;
      return true;
    }
    if (day_first) found_.other_date = one;
    return true;
  }

  // "29.12." without a year.
  bool short_date() {
    const size_t i = at_;
    if (i + 3 >= pieces_.size() || !touches(i + 1, ".") || pieces_[i + 2].kind != Piece::kDigits ||
        pieces_[i + 2].space || !touches(i + 3, ".")) {
      return false;
    }
    if (pieces_[i].lower.size() > 2 || pieces_[i + 2].lower.size() != 2) return false;
    if (i + 4 < pieces_.size() && !pieces_[i + 4].space && pieces_[i + 4].kind != Piece::kSign) return false;
    const int day = small_number(pieces_[i]), month = small_number(pieces_[i + 2]);
    return day > 0 && month > 0 && set(0, month, day, i + 4);
  }

  // The month at a piece, and where it ends with its full stop.
  int month_at(size_t i, size_t& end) const {
    if (i >= pieces_.size() || pieces_[i].kind != Piece::kWord) return 0;
    const int month = month_of(pieces_[i].lower);
    end = i + 1;
    if (month > 0 && pieces_[i].lower.size() <= 5 && touches(i + 1, ".") && i + 2 < pieces_.size() &&
        pieces_[i + 2].space && pieces_[i + 2].kind == Piece::kDigits) {
      end = i + 2;
    }
    return month;
  }
  // A year that follows, with its comma or "of"; sets `end` after it.
  int year_at(size_t i, size_t& end) const {
    size_t at = i;
    if (touches(at, ",") || is(at, "of") || is(at, "de") || is(at, "/")) ++at;
    if (at >= pieces_.size() || !is_year(pieces_[at])) return 0;
    const bool ends = at + 1 >= pieces_.size() || pieces_[at + 1].space || pieces_[at + 1].kind == Piece::kSign;
    if (!ends || (touches(at + 1, ",") && at + 2 < pieces_.size() && !pieces_[at + 2].space &&
                  pieces_[at + 2].kind == Piece::kDigits))
      return 0;
    end = at + 1;
    return small_number(pieces_[at]);
  }

  // "29 December 2024", "29th of December", "29. Dezember", "1er mai", "1.-3. Mai" by its end.
  bool day_month() {
    const int day = small_number(pieces_[at_]);
    if (day < 1 || day > 31 || pieces_[at_].lower.size() > 2) return false;
    size_t i = at_ + 1;
    if (touches(i, ".")) ++i;
    if (i < pieces_.size() && !pieces_[i].space &&
        (is(i, "st") || is(i, "nd") || is(i, "rd") || is(i, "th") || is(i, "er"))) {
      ++i;
    }
    return month_and_year(day, i);
  }
  bool month_and_year(int day, size_t i) {
    if (is(i, "of") || is(i, "de")) ++i;
    if (touches(i, "-")) ++i;
    size_t end = 0;
    const int month = month_at(i, end);
    if (month == 0 || pieces_[i].wide_space) return false;
    size_t after = end;
    const int year = year_at(end, after);
    return set(year, month, day, year > 0 ? after : end);
  }

  // "December 29, 2024", "May 2024", "in May".
  bool month_first() {
    size_t end = 0;
    const int month = month_at(at_, end);
    if (month == 0) return false;
    const bool word = pieces_[at_].is("may") || pieces_[at_].is("march") || pieces_[at_].is("mar") ||
                      pieces_[at_].is("mars") || pieces_[at_].is("sept") || pieces_[at_].is("dec") ||
                      pieces_[at_].is("jan") || pieces_[at_].is("juin");
    const bool english = pieces_[at_].capital;
    size_t after = end;
    if (const int day = digits_of(end);
        day >= 1 && day <= 31 && pieces_[end].lower.size() <= 2 && pieces_[end].space && english) {
      after = end + 1;
      if (after < pieces_.size() && !pieces_[after].space &&
          (is(after, "st") || is(after, "nd") || is(after, "rd") || is(after, "th")))
        ++after;
      const bool number =
          touches(after, "%") || touches(after, ":") ||
          (touches(after, ".") && digits(after + 1, pieces_[std::min(after + 1, pieces_.size() - 1)].lower.size()));
      if (!number) {
        size_t last = after;
        const int year = year_at(after, last);
        return set(year, month, day, year > 0 ? last : after);
      }
    }
    if (const int year = year_at(end, after); year > 0) return set(year, month, 0, after);
    if (word && !(english && at_ > 0 && before_month())) return false;
    if (!english && pieces_[at_].lower.size() < 4) return false;
    return set(0, month, 0, end);
  }
  bool before_month() const {
    static constexpr std::string_view kBefore[] = {"in",     "since",  "until", "by",   "of",   "from", "to",   "late",
                                                   "early",  "mid",    "im",    "ab",   "bis",  "seit", "ende", "mitte",
                                                   "anfang", "during", "each",  "last", "next", "and",  "every"};
    return std::find(std::begin(kBefore), std::end(kBefore), pieces_[at_ - 1].lower) != std::end(kBefore);
  }

  // "first of May", "zweiter Mai".
  bool ordinal_day() {
    const auto word = number_word(pieces_[at_].lower);
    if (!word || word->kind != NumberWord::kOrdinal) return false;
    return month_and_year(static_cast<int>(word->value), at_ + 1);
  }

  // "Q3 2024", "third quarter of 2024", "2. Quartal 2024", "troisième trimestre 2024".
  bool quarter() {
    int number = 0;
    size_t i = at_ + 1;
    if (pieces_[at_].is("q") && i < pieces_.size() && !pieces_[i].space && pieces_[i].lower.size() == 1) {
      number = digits_of(i);
      ++i;
    } else {
      const auto word = number_word(pieces_[at_].lower);
      const bool third = pieces_[at_].is("third") || pieces_[at_].is("second");
      if (!third && (!word || word->kind != NumberWord::kOrdinal)) return false;
      if (!is(i, "quarter") && !is(i, "quartal") && !is(i, "trimestre")) return false;
      number = third ? (pieces_[at_].is("third") ? 3 : 2) : static_cast<int>(word->value);
      ++i;
    }
    return finish_quarter(number, i);
  }
  bool finish_quarter(int number, size_t i) {
    if (number < 1 || number > 4) return false;
    size_t end = i;
    const int year = year_at(i, end);
    found_.kind = QuantityKind::kQuarter;
    found_.value = number;
    found_.date.year = year;
    found_.last_piece = year > 0 ? end : i;
    return true;
  }

 public:
  // "2. Quartal", "3e trimestre", "3rd quarter".
  std::optional<Quantity> numbered_quarter() {
    const int number = small_number(pieces_[at_]);
    size_t i = at_ + 1;
    if (i >= pieces_.size() || pieces_[i].space) return std::nullopt;
    ++i;
    if (!is(i, "quarter") && !is(i, "quartal") && !is(i, "trimestre")) return std::nullopt;
    return finish_quarter(number, i + 1) ? std::optional(found_) : std::nullopt;
  }

 private:
  std::span<const Piece> pieces_;
  size_t at_;
  Quantity found_;
};

}  // namespace

std::optional<Quantity> date_at(std::span<const Piece> pieces, size_t at) {
  if (pieces[at].kind == Piece::kDigits) {
    if (auto quarter = Reader(pieces, at).numbered_quarter()) return quarter;
  }
  return Reader(pieces, at).date();
}

std::optional<Quantity> clock_at(std::span<const Piece> pieces, size_t at) { return Reader(pieces, at).clock(); }

}  // namespace vsr::facts
