#include "guard/checks/name_check.h"

#include <algorithm>
#include <string>

#include "guard/checks/spelling.h"
#include "guard/checks/stems.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Piece;

constexpr size_t kMostNames = 20000;  // of a fact set that spellings are compared with

class Checker {
 public:
  Checker(const ClaimView& view, std::vector<Finding>& findings)
      : view_(view), claim_(view.claim()), findings_(findings) {}

  void check() {
    for (const NameRun& run : claim_.names) {
      for (size_t i = run.begin; i < run.end; ++i) {
        if (claim_.pieces[i].kind == Piece::kWord) word(run, i);
      }
    }
  }

 private:
  const KnownWord* known(const std::string& lower) const {
    const auto& vocabulary = view_.index().vocabulary();
    const auto found = vocabulary.find(lower);
    return found == vocabulary.end() ? nullptr : &found->second;
  }
  bool asked(const std::string& lower) const {
    return std::any_of(view_.question().pieces.begin(), view_.question().pieces.end(),
                       [&](const Piece& piece) { return piece.lower == lower; });
  }
  bool known_or_common(const Piece& piece) const {
    return known(piece.lower) || asked(piece.lower) || (word_traits(piece.lower) & (kKnownName | kTitle)) != 0;
  }

  void word(const NameRun& run, size_t at) {
    const Piece& piece = claim_.pieces[at];
    if (piece.lower.size() < 3 || known(piece.lower) || asked(piece.lower)) return;
    if (known_or_common(piece)) {  // "French" may be anybody's name
      if (run.end - run.begin < 2 || claim_.german || (word_traits(piece.lower) & kTitle)) return;
      if (const std::string spelled = company(run, at); !spelled.empty() && at > run.begin) wrong(at, spelled);
      return;
    }
    if (at + 1 < claim_.pieces.size() && claim_.pieces[at + 1].is("'") && known(piece.lower + "s")) return;
    // A word of the claim's prose that only begins a sentence, or a German noun, may be anything.
    const bool prose = (piece.starts && at == run.begin) || claim_.german;
    if (std::string spelled = company(run, at); !spelled.empty()) return wrong(at, spelled);
    const std::string near = nearest_name(piece.lower);
    if (!near.empty() && (!prose || likely_name(run, at, near))) return wrong(at, near);
    if (prose && !titled(at)) return;
    if (derived(piece.lower) || piece.upper || piece.mixed) return;
    if (unknown_name(run, at)) wrong(at, {});
  }

  // The name that the facts put beside this one's neighbour: "Solène" where the claim says "Solange Barthélemy".
  std::string company(const NameRun& run, size_t at) const {
    for (const int side : {-1, 1}) {
      const size_t other = neighbour(run, at, side);
      if (other == at) continue;
      const std::string& beside = claim_.pieces[other].lower;
      const KnownWord* neighbour_known = known(beside);
      if (!neighbour_known || !neighbour_known->capital || (word_traits(beside) & (kKnownName | kTitle))) continue;
      std::string found;
      bool always = true;
      for (const uint32_t number : view_.index().units_with(stem_hash(light_stem(beside)))) {
        const Statement& fact = view_.index().units()[number].statement;
        for (const NameRun& there : fact.names) {
          for (size_t k = there.begin; k < there.end; ++k) {
            if (fact.pieces[k].lower != beside) continue;
            const size_t next = step(fact, there, k, -side);
            if (next == k || (word_traits(fact.pieces[next].lower) & kTitle)) {
              always = false;
            } else {
              found = fact.pieces[next].lower;
            }
          }
        }
      }
      if (found.empty() || !always) continue;
      // German nouns come before names: "Eigentümer Gröner"; there the spelling must be like it, or both short names.
      if (claim_.german && side > 0 && !alike_in_form(claim_.pieces[at].lower, found)) continue;
      if (!claim_.german && side > 0 && claim_.pieces[at].starts && !alike_in_form(claim_.pieces[at].lower, found))
        continue;
      if (inflection(claim_.pieces[at].lower, found)) continue;
      return found;
    }
    return {};
  }
  static bool alike_in_form(const std::string& a, const std::string& b) {
    return a[0] == b[0] || edit_distance(a, b, 3) <= 3;
  }

  size_t neighbour(const NameRun& run, size_t at, int side) const { return step(claim_, run, at, side); }
  static size_t step(const Statement& statement, const NameRun& run, size_t at, int side) {
    size_t next = at;
    while (side < 0 ? next > run.begin : next + 1 < run.end) {
      next = side < 0 ? next - 1 : next + 1;
      if (statement.pieces[next].kind == Piece::kWord) return next;
    }
    return at;
  }

  std::string nearest_name(const std::string& lower) const {
    const auto& names = view_.index().name_words();
    if (names.size() > kMostNames) return {};
    for (const std::string& name : names) {
      if (near_miss(lower, name)) return name;
    }
    return {};
  }

  // Among words that are capitalised anyway: one that is in a run of names, as the facts' word does.
  bool likely_name(const NameRun& run, size_t at, const std::string& name) const {
    const KnownWord* there = known(name);
    if (!there || there->small) return false;
    if (titled(at)) return true;
    for (const int side : {-1, 1}) {
      const size_t other = neighbour(run, at, side);
      if (other != at && known(claim_.pieces[other].lower)) return true;
    }
    return edit_distance(claim_.pieces[at].lower, name, 1) <= 1 && name.size() >= (claim_.german ? 6 : 5) &&
           name_in_facts(name);
  }
  // Whether the facts use the word as part of a longer name or after a title.
  bool name_in_facts(const std::string& name) const {
    for (const uint32_t number : view_.index().units_with(stem_hash(light_stem(name)))) {
      const Statement& fact = view_.index().units()[number].statement;
      for (const NameRun& run : fact.names) {
        for (size_t k = run.begin; k < run.end; ++k) {
          if (fact.pieces[k].lower == name && (run.end > run.begin + 1 || !fact.german)) return true;
        }
      }
    }
    return false;
  }
  bool titled(size_t at) const {
    size_t before = at;
    while (before > 0 && (claim_.pieces[before - 1].is(".") || claim_.pieces[before - 1].kind == Piece::kWord)) {
      --before;
      if (claim_.pieces[before].kind != Piece::kWord) continue;
      const uint32_t traits = word_traits(claim_.pieces[before].lower);
      if (traits & kTitle) return true;
      if (!claim_.pieces[before].capital) return false;
      if (at - before > 3) return false;
    }
    return false;
  }

  // Words that are made of known ones: "Norwegians", "Lindenstraße's", compounds.
  bool derived(const std::string& lower) const {
    const std::string stem = light_stem(lower);
    if (!view_.index().units_with(stem_hash(stem)).empty() || view_.index().compound_of(stem) != 0) return true;
    for (const std::string& name : view_.index().name_words()) {
      size_t common = 0;
      while (common < name.size() && common < lower.size() && name[common] == lower[common]) ++common;
      if (common >= 4 && common * 3 >= std::min(name.size(), lower.size()) * 2) return true;
    }
    return false;
  }

  // A capitalised word that nothing explains: in a run of two or more, or after a title.
  bool unknown_name(const NameRun& run, size_t at) const {
    if (titled(at)) return true;
    const Piece& piece = claim_.pieces[at];
    if (piece.starts) return false;
    return run.end - run.begin >= 1;
  }

  void wrong(size_t at, const std::string& meant) {
    const Piece& piece = claim_.pieces[at];
    const KnownWord* there = meant.empty() ? nullptr : known(meant);
    const int32_t fact =
        there ? static_cast<int32_t>(view_.index().units()[there->unit].fact) : view_.fact_of(view_.nearest());
    findings_.push_back({piece.begin, piece.end, EventKind::kName, 1.0F, fact});
  }

  const ClaimView& view_;
  const Statement& claim_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_names(const ClaimView& view, std::vector<Finding>& findings) { Checker(view, findings).check(); }

}  // namespace vsr::guard
