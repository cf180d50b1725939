#include "facts/quantities/hedges.h"

#include <string_view>

namespace vsr::facts {
namespace {

struct Phrase {
  Hedge hedge;
  std::string_view words;  // the last ones before the value
};

// Longer ones first.
constexpr Phrase kBefore[] = {
    {Hedge::kAtLeast, "not less than"},
    {Hedge::kAtLeast, "no less than"},
    {Hedge::kAtLeast, "no fewer than"},
    {Hedge::kAtMost, "no more than"},
    {Hedge::kAtMost, "not more than"},
    {Hedge::kAtMost, "nicht mehr als"},
    {Hedge::kAtLeast, "nicht weniger als"},
    {Hedge::kAtMost, "pas plus de"},
    {Hedge::kAtLeast, "a minimum of"},
    {Hedge::kAtMost, "a maximum of"},
    {Hedge::kMore, "a little over"},
    {Hedge::kLess, "a little under"},
    {Hedge::kMore, "un peu plus de"},
    {Hedge::kLess, "un peu moins de"},
    {Hedge::kMore, "etwas mehr als"},
    {Hedge::kLess, "etwas weniger als"},
    {Hedge::kMore, "more than"},
    {Hedge::kLess, "less than"},
    {Hedge::kLess, "fewer than"},
    {Hedge::kMore, "greater than"},
    {Hedge::kMore, "just over"},
    {Hedge::kMore, "well over"},
    {Hedge::kMore, "slightly over"},
    {Hedge::kNearly, "just under"},
    {Hedge::kNearly, "just below"},
    {Hedge::kAtLeast, "at least"},
    {Hedge::kAtMost, "at most"},
    {Hedge::kAtMost, "up to"},
    {Hedge::kNearly, "close to"},
    {Hedge::kMore, "mehr als"},
    {Hedge::kLess, "weniger als"},
    {Hedge::kAtMost, "bis zu"},
    {Hedge::kMore, "plus de"},
    {Hedge::kLess, "moins de"},
    {Hedge::kMore, "plus d'"},
    {Hedge::kAtLeast, "au moins"},
    {Hedge::kAtMost, "au plus"},
    {Hedge::kMore, "un peu plus du"},
    {Hedge::kLess, "un peu moins du"},
    {Hedge::kMore, "plus du"},
    {Hedge::kLess, "moins du"},
    {Hedge::kMore, "upwards of"},
    {Hedge::kMore, "north of"},
    {Hedge::kNearly, "just short of"},
    {Hedge::kNearly, "not quite"},
    {Hedge::kNearly, "nicht ganz"},
    {Hedge::kNearly, "pas tout à fait"},
    {Hedge::kAbout, "de l'ordre de"},
    {Hedge::kAbout, "aux alentours de"},
    {Hedge::kNearly, "à peine"},
    {Hedge::kNearly, "près du"},
    {Hedge::kNearly, "près des"},
    {Hedge::kNearly, "près de"},
    {Hedge::kNearly, "près d'"},
    {Hedge::kAbout, "autour de"},
    {Hedge::kAtMost, "jusqu'à"},
    {Hedge::kAbout, "à peu près"},
    {Hedge::kAbout, "in the region of"},
    {Hedge::kMore, "above"},
    {Hedge::kMore, "in excess of"},
    {Hedge::kMore, "exceeding"},
    {Hedge::kAbout, "some"},
    {Hedge::kAbout, "about"},
    {Hedge::kAbout, "around"},
    {Hedge::kAbout, "roughly"},
    {Hedge::kAbout, "approximately"},
    {Hedge::kAbout, "approx"},
    {Hedge::kAbout, "approx."},
    {Hedge::kAbout, "circa"},
    {Hedge::kAbout, "ca"},
    {Hedge::kAbout, "ca."},
    {Hedge::kAbout, "c."},
    {Hedge::kAbout, "~"},
    {Hedge::kAbout, "≈"},
    {Hedge::kNearly, "nearly"},
    {Hedge::kNearly, "almost"},
    {Hedge::kNearly, "barely"},
    {Hedge::kNearly, "approaching"},
    {Hedge::kAbout, "practically"},
    {Hedge::kAbout, "virtually"},
    {Hedge::kAbout, "schätzungsweise"},
    {Hedge::kAbout, "annähernd"},
    {Hedge::kAbout, "approximativement"},
    {Hedge::kAbout, "pratiquement"},
    {Hedge::kMore, "over"},
    {Hedge::kLess, "under"},
    {Hedge::kLess, "below"},
    {Hedge::kExact, "exactly"},
    {Hedge::kExact, "precisely"},
    {Hedge::kMore, ">"},
    {Hedge::kLess, "<"},
    {Hedge::kAtLeast, "≥"},
    {Hedge::kAtMost, "≤"},
    {Hedge::kAbout, "rund"},
    {Hedge::kAbout, "etwa"},
    {Hedge::kAbout, "ungefähr"},
    {Hedge::kAbout, "zirka"},
    {Hedge::kAbout, "circa"},
    {Hedge::kNearly, "knapp"},
    {Hedge::kNearly, "fast"},
    {Hedge::kNearly, "beinahe"},
    {Hedge::kNearly, "nahezu"},
    {Hedge::kMore, "über"},
    {Hedge::kMore, "gut"},
    {Hedge::kLess, "unter"},
    {Hedge::kAtLeast, "mindestens"},
    {Hedge::kAtMost, "höchstens"},
    {Hedge::kAtMost, "maximal"},
    {Hedge::kAtLeast, "minimum"},
    {Hedge::kExact, "genau"},
    {Hedge::kExact, "exakt"},
    {Hedge::kAbout, "environ"},
    {Hedge::kNearly, "presque"},
    {Hedge::kAbout, "quelque"},
    {Hedge::kExact, "exactement"},
    {Hedge::kExact, "précisément"},
    {Hedge::kAbout, "vers"},
    {Hedge::kAbout, "gegen"},
    {Hedge::kMore, "past"},
};
constexpr Phrase kAfter[] = {
    {Hedge::kAbout, "or so"},       {Hedge::kAtLeast, "or more"}, {Hedge::kAtLeast, "or older"},
    {Hedge::kAtMost, "or less"},    {Hedge::kAtMost, "or fewer"}, {Hedge::kAbout, "environ"},
    {Hedge::kAtLeast, "oder mehr"}, {Hedge::kAtLeast, "ou plus"}, {Hedge::kAtLeast, "and over"},
    {Hedge::kAtLeast, "and above"}, {Hedge::kAtLeast, "+"}};

// Whether the words of a phrase end right before, or begin at, a piece.
bool matches(std::span<const Piece> pieces, size_t at, std::string_view words, bool before) {
  size_t total = 0;  // pieces of the phrase: its words and the signs in them
  std::string_view parts[6];
  for (size_t i = 0; i < words.size();) {
    size_t end = i;
    while (end < words.size() && words[end] != ' ' && words[end] != '\'' && words[end] != '.') ++end;
    if (end > i) parts[total++] = words.substr(i, end - i);
    if (end < words.size() && words[end] != ' ') parts[total++] = words.substr(end, 1);
    i = end + 1;
  }
  if (before ? at < total : at + total > pieces.size()) return false;
  const size_t first = before ? at - total : at;
  for (size_t i = 0; i < total; ++i) {
    if (!pieces[first + i].is(parts[i])) return false;
  }
  return true;
}

}  // namespace

Hedge hedge_before(std::span<const Piece> pieces, size_t at) {
  // An article or "a total of" may come between.
  size_t end = at;
  if (end > 0 &&
      (pieces[end - 1].is("the") || pieces[end - 1].is("a") || pieces[end - 1].is("an") || pieces[end - 1].is("le") ||
       pieces[end - 1].is("ein") || pieces[end - 1].is("eine") || pieces[end - 1].is("un"))) {
    --end;
  }
  for (const Phrase& phrase : kBefore) {
    if (!matches(pieces, end, phrase.words, true)) continue;
    // "add up to", "amounts up to": a sum, not a limit.
    if (phrase.words == "up to" && end > 2 && pieces[end - 3].lower.starts_with("add")) return Hedge::kNone;
    return phrase.hedge;
  }
  return Hedge::kNone;
}

Hedge hedge_after(std::span<const Piece> pieces, size_t at) {
  for (const Phrase& phrase : kAfter) {
    if (matches(pieces, at, phrase.words, false)) return phrase.hedge;
  }
  return Hedge::kNone;
}

}  // namespace vsr::facts
