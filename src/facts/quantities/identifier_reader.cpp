#include "facts/quantities/identifier_reader.h"

#include <algorithm>
#include <string>

#include "facts/quantities/number_words.h"

namespace vsr::facts {
namespace {

constexpr size_t kMostPieces = 48;

bool joins(const Piece& piece) {
  return piece.is("-") || piece.is("_") || piece.is(".") || piece.is("/") || piece.is(":") || piece.is("@") ||
         piece.is("#") || piece.is("+") || piece.is("&") || piece.is("=") || piece.is("?") || piece.is("~") ||
         piece.is("%");
}

struct Run {
  size_t end = 0;  // piece
  size_t letters = 0, digits = 0, words = 0, numbers = 0;
  bool at = false, underscore = false, slashes = false, hash = false, dash = false;
  size_t dots = 0, colons = 0;
};

// Pieces that nothing separates, without the punctuation at their end.
Run run_at(std::span<const Piece> pieces, size_t at) {
  Run run;
  size_t i = at;
  for (; i < pieces.size() && i < at + kMostPieces && (i == at || !pieces[i].space); ++i) {
    if (pieces[i].kind == Piece::kSign && !joins(pieces[i])) break;
  }
  while (i > at && pieces[i - 1].kind == Piece::kSign) --i;
  run.end = i;
  for (size_t k = at; k < i; ++k) {
    const Piece& piece = pieces[k];
    if (piece.kind == Piece::kWord) {
      ++run.words;
      run.letters += piece.end - piece.begin;
    } else if (piece.kind == Piece::kDigits) {
      ++run.numbers;
      run.digits += piece.lower.size();
    } else {
      run.at |= piece.is("@");
      run.underscore |= piece.is("_");
      run.slashes |= piece.is("/");
      run.hash |= piece.is("#");
      run.dash |= piece.is("-");
      run.dots += piece.is(".");
      run.colons += piece.is(":");
    }
  }
  return run;
}

Quantity identifier(std::span<const Piece> pieces, size_t at, size_t end, bool digits_only = false) {
  Quantity found;
  found.kind = QuantityKind::kIdentifier;
  for (size_t i = at; i < end; ++i) {
    if (pieces[i].is("#") || (digits_only && pieces[i].kind != Piece::kDigits)) continue;
    found.key += pieces[i].lower;
  }
  found.last_piece = end;
  return found;
}

bool is_digits(std::span<const Piece> pieces, size_t i) {
  return i < pieces.size() && pieces[i].kind == Piece::kDigits;
}

// Groups of digits after a "+" or that begin with zero: 0800 123 456, +49 30 1234567.
size_t phone_end(std::span<const Piece> pieces, size_t at) {
  size_t i = at, groups = 0, digits = 0;
  const bool plus = pieces[at].is("+");
  if (plus) ++i;
  if (!is_digits(pieces, i) || (plus && pieces[i].space)) return 0;
  if (!plus && (pieces[i].lower[0] != '0' || pieces[i].lower.size() < 2)) return 0;
  size_t end = i;
  while (i < pieces.size()) {
    if (is_digits(pieces, i)) {
      ++groups;
      digits += pieces[i].lower.size();
      end = ++i;
    } else if ((pieces[i].is("-") || pieces[i].is("/") || pieces[i].is("(") || pieces[i].is(")")) &&
               is_digits(pieces, i + 1)) {
      ++i;
    } else {
      break;
    }
    if (i < pieces.size() && pieces[i].wide_space) break;
  }
  return groups >= 2 && digits >= 6 ? end : 0;
}

// DE89 3704 0044 0532 0130 00
size_t iban_end(std::span<const Piece> pieces, size_t at) {
  if (pieces[at].kind != Piece::kWord || !pieces[at].upper || pieces[at].lower.size() != 2 ||
      !is_digits(pieces, at + 1) || pieces[at + 1].space || pieces[at + 1].lower.size() < 2) {
    return 0;
  }
  size_t i = at + 2, groups = 0;
  while (is_digits(pieces, i) && pieces[i].space && !pieces[i].wide_space && pieces[i].lower.size() <= 4) {
    ++groups;
    ++i;
  }
  return groups >= 3 ? i : 0;
}

// Whether a run is a value with a unit or an ordinary word with a number: "85kg", "24-month", "mid-2024", "1990s".
bool is_value(std::span<const Piece> pieces, size_t at, const Run& run) {
  const Piece& first = pieces[at];
  if (first.kind == Piece::kDigits) {
    size_t i = at + 1;
    while (i < run.end && (pieces[i].kind == Piece::kDigits || pieces[i].is(".") || pieces[i].is(":"))) ++i;
    if (i < run.end && pieces[i].kind == Piece::kSign && pieces[i].is("/")) return true;  // a ratio, a rate
    const bool dash = i < run.end && pieces[i].is("-");
    if (dash) ++i;
    if (i >= run.end) return false;
    const Piece& word = pieces[i];
    if (word.kind != Piece::kWord) return false;
    if (dash) return !word.upper && word.end - word.begin > 1;  // "24-month", "20-fold"; not "12-B"
    if (unit_at(pieces, i) || word.is("st") || word.is("nd") || word.is("rd") || word.is("th") || word.is("er") ||
        word.is("e") || word.is("ème") || word.is("k") || word.is("m") || word.is("bn") || word.is("x") ||
        word.is("am") || word.is("pm") || word.is("h") || word.is("s") || word.is("fach") || word.is("mal")) {
      // "12B" is no value; of one letter only small ones are units, but for amperes, volts, watts and millions.
      return !(word.capital && word.lower.size() == 1 && !word.is("m") && !word.is("v") && !word.is("w") &&
               !word.is("k"));
    }
    return number_word(word.lower).has_value();
  }
  if (first.kind != Piece::kWord || !run.dash || run.words != 1) return false;
  // "mid-2024", "Anfang-2024"
  return !first.upper && run.numbers == 1 && pieces[run.end - 1].lower.size() == 4 && run.end == at + 3 &&
         first.lower.size() >= 3 &&
         (first.lower == "mid" || first.lower == "pre" || first.lower == "post" || first.lower == "late" ||
          first.lower == "early" || first.lower == "non");
}

// "cache.ttl": small words of two letters or more that dots join; "z.B." and "end.Next" are none.
bool dotted_key(std::span<const Piece> pieces, size_t at, const Run& run) {
  if (run.words < 2 || run.dots + 1 != run.words || run.numbers > 0 || run.end != at + 2 * run.words - 1) return false;
  for (size_t i = at; i < run.end; i += 2) {
    if (pieces[i].kind != Piece::kWord || pieces[i].capital || pieces[i].lower.size() < 2) return false;
  }
  return true;
}

}  // namespace

std::optional<Quantity> identifier_at(std::string_view text, std::span<const Piece> pieces, size_t at) {
  const Piece& first = pieces[at];
  if (first.is("+") || first.kind == Piece::kDigits) {
    if (const size_t end = phone_end(pieces, at); end > 0) return identifier(pieces, at, end, true);
  }
  if (const size_t end = iban_end(pieces, at); end > 0) return identifier(pieces, at, end);
  if (first.kind == Piece::kSign && !first.is("#")) return std::nullopt;
  const Run run = run_at(pieces, at);
  if (run.end <= at + 1 && !(first.kind == Piece::kDigits && first.lower.size() >= 7) &&
      !(first.kind == Piece::kDigits && first.lower.size() >= 2 && first.lower[0] == '0')) {
    return std::nullopt;
  }
  if (run.at && run.dots > 0 && run.words >= 2) return identifier(pieces, at, run.end);
  if (first.kind == Piece::kWord && (first.is("http") || first.is("https") || first.is("www")) && run.dots > 0) {
    return identifier(pieces, at, run.end);
  }
  if (run.words >= 2 && run.dots > 0 && run.numbers == 0 && !run.at) {  // a host: "example.org/terms"
    static constexpr std::string_view kEnds[] = {"com", "org", "net", "de", "fr",   "io",  "eu",     "gov",
                                                 "edu", "uk",  "ch",  "at", "info", "dev", "example"};
    size_t last = at;
    while (last < run.end && !pieces[last].is("/")) ++last;
    if (last > at + 2 && std::find(std::begin(kEnds), std::end(kEnds), pieces[last - 1].lower) != std::end(kEnds) &&
        pieces[last - 2].is(".")) {
      return identifier(pieces, at, run.end);
    }
  }
  if (dotted_key(pieces, at, run)) return identifier(pieces, at, run.end);
  if (run.underscore && run.words > 0) return identifier(pieces, at, run.end);
  if (first.is("#")) {
    if (run.digits == 0 || run.end != at + 2) return std::nullopt;
    return identifier(pieces, at, run.end);
  }
  if (first.kind == Piece::kDigits && run.words == 0) {
    if (run.end == at + 1) {  // a long run of digits, or one that begins with zero
      const Piece* next = run.end < pieces.size() ? &pieces[run.end] : nullptr;
      if (next && !next->space && (next->is(",") || next->is("'")) && is_digits(pieces, run.end + 1) &&
          !pieces[run.end + 1].space)
        return std::nullopt;
      if (first.lower.size() == 2 && next && unit_at(pieces, run.end)) return std::nullopt;  // "1 min 05 s"
      return identifier(pieces, at, run.end);
    }
    if (run.dots >= 2 && run.numbers == run.dots + 1 && !run.dash && !run.slashes && run.colons == 0) {  // 5.2.0
      bool thousands = true;
      for (size_t i = at + 2; i < run.end; i += 2) thousands &= pieces[i].lower.size() == 3;
      if (!thousands) return identifier(pieces, at, run.end);
      return std::nullopt;
    }
    // 24/7, 2024-0087, 3-1, 2:1
    if (run.numbers == 2 && run.end == at + 3 && run.dots == 0) {
      const std::string &a = first.lower, &b = pieces[at + 2].lower;
      const bool zero = (a.size() > 1 && a[0] == '0') || (b.size() > 1 && b[0] == '0');
      const bool falls = a.size() > b.size() || (a.size() == b.size() && a >= b);
      if (run.colons == 1 && (b.size() != 2 || a.size() > 2)) return identifier(pieces, at, run.end);
      if (run.dash && (zero || falls)) {
        if (a.size() == 4 && b.size() == 2 && !zero) return std::nullopt;  // 2012-13
        return identifier(pieces, at, run.end);
      }
      if (run.slashes && a == "24" && b == "7") return identifier(pieces, at, run.end);
    }
    if (run.numbers >= 3 && run.dash && !run.colons) return identifier(pieces, at, run.end);
    return std::nullopt;
  }
  if (run.digits == 0 || run.words == 0 || run.colons > 0) return std::nullopt;
  if (is_value(pieces, at, run)) return std::nullopt;
  if (first.kind == Piece::kWord && currency_at(pieces, at) && first.upper) return std::nullopt;  // EUR1,350
  if (first.is("q") && run.numbers == 1 && run.words == 1 && run.end == at + 2 && run.digits == 1) return std::nullopt;
  // "3.5x", "12/kg" and prose that a slash joins.
  if (run.slashes && !run.dash && first.kind == Piece::kWord && run.words > 1) return std::nullopt;
  (void)text;
  return identifier(pieces, at, run.end);
}

}  // namespace vsr::facts
