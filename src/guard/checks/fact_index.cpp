#include "guard/checks/fact_index.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "guard/checks/stems.h"
#include "guard/checks/word_constants.h"
#include "guard/checks/word_lists.h"
#include "guard/claims/claim_cutter.h"
#include "guard/claims/table_rows.h"
#include "text/unicode/stop_words.h"

namespace vsr::guard {
namespace {

constexpr size_t kMostCompounds = 4000;  // stems that are searched one by one
constexpr size_t kShortestPart = 5;

// "A, B and C" lists three things; every list of the sentence, and its values of one kind.
std::vector<double> list_counts(const Statement& statement) {
  std::vector<double> counts;
  const auto add = [&](double count) {
    if (count >= 2 && std::find(counts.begin(), counts.end(), count) == counts.end()) counts.push_back(count);
  };
  double items = 1;
  for (size_t i = 0; i < statement.pieces.size(); ++i) {
    const auto& piece = statement.pieces[i];
    if (statement.in_quantity[i]) continue;
    if (piece.is(",") && i + 1 < statement.pieces.size() && !statement.pieces[i + 1].is("and")) ++items;
    if (piece.is("and") || piece.is("und") || piece.is("et") || piece.is("sowie") || piece.is("or") ||
        piece.is("oder") || piece.is("ou")) {
      add(items + 1);
      items = 1;
    }
    if (piece.is(":") || piece.is(";") || piece.is(".")) {
      if (items > 2) add(items);
      items = 1;
    }
  }
  if (items > 2) add(items);
  std::unordered_map<int, double> kinds;
  for (const auto& quantity : statement.quantities)
    kinds[static_cast<int>(quantity.kind) * 64 + static_cast<int>(quantity.unit.dimension)] += 1;
  for (const auto& [kind, count] : kinds) add(count);
  double names = 0;
  for (const NameRun& run : statement.names) names += !statement.pieces[run.begin].starts;
  add(names);
  return counts;
}

}  // namespace

FactIndex::FactIndex(std::vector<std::string> texts) : texts_(std::move(texts)) {
  std::string all;
  for (const std::string& text : texts_) {
    if (all.size() < 8192) (all += text) += '\n';
  }
  style_ = facts::number_style(all);
  german_ = text::detect_language(all) == "de";
  TableRows rows;
  for (size_t fact = 0; fact < texts_.size(); ++fact) {
    ClaimCutter cutter;
    cutter.add(rows.read(texts_[fact]));
    while (const auto sentence = cutter.next(true)) add_unit(static_cast<uint32_t>(fact), sentence->text);
  }
  for (auto& [word, known] : vocabulary_) {
    if (known.capital) name_words_.push_back(word);
  }
  std::sort(name_words_.begin(), name_words_.end());
}

// Whether the first words point back: "the year before", "a year earlier", "im Vorjahr".
static bool goes_on(const Statement& statement) {
  static constexpr std::string_view kBack[] = {"before", "earlier",   "previous",  "same",     "vorjahr",
                                               "vorher", "zuvor",     "davor",     "gleichen", "précédente",
                                               "avant",  "précédent", "auparavant"};
  constexpr size_t kFirstWords = 5;
  for (size_t i = 0; i < std::min(kFirstWords, statement.pieces.size()); ++i) {
    if (std::find(std::begin(kBack), std::end(kBack), statement.pieces[i].lower) != std::end(kBack)) return true;
  }
  return false;
}

void FactIndex::add_unit(uint32_t fact, std::string_view sentence) {
  const auto number = static_cast<uint32_t>(units_.size());
  FactUnit& unit = units_.emplace_back();
  unit.fact = fact;
  unit.statement = read_statement(sentence, style_, german_);
  unit.counts = list_counts(unit.statement);
  unit.times_a_day = times_a_day(unit.statement);
  unit.goes_on = goes_on(unit.statement);
  for (const ContentWord& word : unit.statement.words) {
    auto& with = stems_[word.stem];
    if (with.empty()) {
      const std::string stem = light_stem(unit.statement.pieces[word.piece].lower);
      if (stem.size() >= kShortestPart && long_stems_.size() < kMostCompounds) long_stems_.push_back(stem);
    }
    if (with.empty() || with.back() != number) with.push_back(number);
  }
  for (const NameRun& run : unit.statement.names) {
    for (size_t i = run.begin; i < run.end; ++i) {
      const auto& piece = unit.statement.pieces[i];
      if (piece.kind != facts::Piece::kWord) continue;
      if (!piece.starts || run.end > run.begin + 1) vocabulary_[piece.lower].capital = true;
    }
  }
  for (const auto& piece : unit.statement.pieces) {
    if (piece.kind != facts::Piece::kWord) continue;
    KnownWord& known = vocabulary_.try_emplace(piece.lower, KnownWord{.unit = number}).first->second;
    if (!piece.capital) known.small = true;
  }
}

float FactIndex::weight(uint64_t stem) const {
  const auto found = stems_.find(stem);
  if (found == stems_.end()) return 0.8F;
  const double share =
      static_cast<double>(found->second.size()) / static_cast<double>(std::max<size_t>(units_.size(), 1));
  return static_cast<float>(std::clamp(1.1 - share * 1.4, 0.15, 1.0));
}

std::span<const uint32_t> FactIndex::units_with(uint64_t stem) const {
  const auto found = stems_.find(stem);
  if (found == stems_.end()) return {};
  return found->second;
}

uint64_t FactIndex::compound_of(std::string_view stem) const {
  if (stem.size() < kShortestPart) return 0;
  for (const std::string& known : long_stems_) {
    if (known.find(stem) != std::string::npos || stem.find(known) != std::string_view::npos) return stem_hash(known);
  }
  return 0;
}

}  // namespace vsr::guard
