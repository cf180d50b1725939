#include "guard/checks/statement.h"

#include <algorithm>

#include "guard/checks/stems.h"
#include "guard/checks/word_lists.h"
#include "text/unicode/stop_words.h"
#include "text/unicode/words.h"

namespace vsr::guard {
namespace {

using facts::Piece;

constexpr size_t kTelling = 60;  // bytes from which on a text tells its language

bool is_stop_word(const Piece& piece) {
  static const text::LanguageSet kLanguages =
      text::language_set("en") | text::language_set("de") | text::language_set("fr");
  return (text::stop_word_languages(text::word_hash(piece.lower)) & kLanguages) != 0;
}

class Reader {
 public:
  explicit Reader(Statement& out) : out_(out) {}

  void read() {
    out_.in_quantity.assign(out_.pieces.size(), 0);
    for (const auto& quantity : out_.quantities) {
      for (size_t i = quantity.first_piece; i < quantity.last_piece; ++i) out_.in_quantity[i] = 1;
    }
    segments();
    words();
    names();
    for (auto& quantity : out_.quantities) {
      const uint16_t segment = out_.segment_of(quantity.first_piece);
      out_.quantity_segments.push_back(segment);
      // "It must not be more than three."
      if (!out_.segments[segment].negated) continue;
      if (quantity.hedge == facts::Hedge::kMore) quantity.hedge = facts::Hedge::kAtMost;
      if (quantity.hedge == facts::Hedge::kLess) quantity.hedge = facts::Hedge::kAtLeast;
    }
    none();
  }

 private:
  // "0 errors" denies, as "no errors" does.
  void none() {
    for (size_t i = 0; i < out_.quantities.size(); ++i) {
      const auto& quantity = out_.quantities[i];
      if (quantity.kind == facts::QuantityKind::kNumber && quantity.value == 0 && !quantity.decimal &&
          quantity.unit.dimension == facts::Dimension::kNone && quantity.last_piece < out_.pieces.size() &&
          out_.pieces[quantity.last_piece].kind == Piece::kWord)
        out_.segments[out_.quantity_segments[i]].negated = true;
    }
  }
  void segments() {
    const auto& pieces = out_.pieces;
    Segment current;
    const auto close = [&](size_t end, size_t next) {
      if (end > current.begin) {
        current.end = end;
        out_.segments.push_back(current);
      }
      current = {.begin = next};
    };
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (out_.in_quantity[i]) continue;
      if (piece.kind == Piece::kSign) {
        const bool ends = piece.is(";") || piece.is(",") || piece.is("(") || piece.is(")") ||
                          piece.is("\xE2\x80\x93") || piece.is(":") ||
                          (piece.is(".") && i + 1 < pieces.size() && pieces[i + 1].space && pieces[i + 1].starts &&
                           pieces[i + 1].capital);
        if (ends) close(i, i + 1);
        continue;
      }
      if (piece.kind != Piece::kWord) continue;
      const uint32_t traits = word_traits(piece.lower);
      const bool number_follows = i + 1 < pieces.size() && pieces[i + 1].is("less");
      const bool value_follows = i + 1 < pieces.size() && out_.in_quantity[i + 1];
      const bool compared = (value_follows && (piece.is("nach") || piece.is("after"))) ||
                            (i + 1 < pieces.size() && pieces[i + 1].is("from") && (piece.is("up") || piece.is("down")));
      if (((traits & kJoins) && !number_follows) || compared) close(i, i);
      if (piece.is("ne") || (piece.is("n") && i + 1 < pieces.size() && pieces[i + 1].is("'"))) current.negated = true;
      if (traits & kNegates) {
        // "No. 5"; "not only"; "no less than" is a hedge.
        const bool number = (piece.is("no") || piece.is("nos")) && i + 1 < pieces.size() &&
                            (pieces[i + 1].is(".") || pieces[i + 1].kind == Piece::kDigits);
        const bool only = i + 1 < pieces.size() &&
                          (pieces[i + 1].is("only") || pieces[i + 1].is("nur") || pieces[i + 1].is("seulement"));
        const bool hedge = i + 1 < pieces.size() &&
                           (pieces[i + 1].is("less") || pieces[i + 1].is("fewer") || pieces[i + 1].is("more")) &&
                           piece.is("no");
        if (!number && !only && !hedge) current.negated = true;
      }
      if (traits & kDoubtful) current.doubtful = true;
      out_.traits |= traits;
    }
    close(pieces.size(), pieces.size());
    if (out_.segments.empty()) out_.segments.push_back({0, pieces.size()});
  }

  void words() {
    for (size_t i = 0; i < out_.pieces.size(); ++i) {
      const Piece& piece = out_.pieces[i];
      if (piece.kind != Piece::kWord || out_.in_quantity[i] || piece.end - piece.begin < 2) continue;
      if (word_traits(piece.lower) & (kNegates | kJoins | kIdle | kTitle)) continue;
      if (is_stop_word(piece)) continue;
      out_.words.push_back({stem_hash(light_stem(piece.lower)), static_cast<uint32_t>(i), out_.segment_of(i)});
    }
  }

  void names() {
    const auto& pieces = out_.pieces;
    for (size_t i = 0; i < pieces.size();) {
      if (!begins_name(i)) {
        ++i;
        continue;
      }
      size_t end = i + 1;
      while (end < pieces.size()) {
        if (begins_name(end) && !pieces[end].starts && !pieces[end].wide_space) {
          ++end;
        } else if ((pieces[end].is("-") || pieces[end].is("'") || pieces[end].is("&")) && end + 1 < pieces.size() &&
                   begins_name(end + 1) && !pieces[end + 1].space) {
          end += 2;
        } else {
          break;
        }
      }
      out_.names.push_back({i, end, out_.segment_of(i)});
      i = end;
    }
  }
  bool begins_name(size_t i) const {
    const Piece& piece = out_.pieces[i];
    return piece.kind == Piece::kWord && piece.capital && !out_.in_quantity[i] && piece.end - piece.begin >= 2 &&
           !(piece.starts && is_stop_word(piece));
  }

  Statement& out_;
};

}  // namespace

uint64_t stem_hash(std::string_view stem) {
  uint64_t hash = 1469598103934665603u;
  for (const char c : stem) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

uint16_t Statement::segment_of(size_t piece) const {
  for (size_t i = 0; i < segments.size(); ++i) {
    if (piece < segments[i].end) return static_cast<uint16_t>(std::min<size_t>(i, 0xFFFF));
  }
  return static_cast<uint16_t>(segments.empty() ? 0 : std::min<size_t>(segments.size() - 1, 0xFFFF));
}

std::vector<uint64_t> Statement::counted(const facts::Quantity& quantity) const {
  std::vector<uint64_t> stems;
  size_t next = quantity.last_piece;
  for (const ContentWord& word : words) {
    if (word.piece < next) continue;
    if (word.piece > next || stems.size() == 3) break;
    stems.push_back(word.stem);
    ++next;
  }
  return stems;
}

Statement read_statement(std::string_view text, facts::NumberStyle style, bool german) {
  Statement statement;
  statement.text = text;
  const std::string_view language =
      text.size() >= kTelling || style == facts::NumberStyle::kUnknown ? text::detect_language(text) : "";
  statement.style = language.empty() ? style : facts::number_style(text);
  statement.german = language.empty() ? german : language == "de";
  statement.pieces = facts::cut_pieces(statement.text);
  if (statement.pieces.size() > Statement::kMostPieces) statement.pieces.resize(Statement::kMostPieces);
  statement.quantities = facts::find_quantities(statement.text, statement.pieces, statement.style);
  if (statement.quantities.size() > Statement::kMostQuantities) statement.quantities.resize(Statement::kMostQuantities);
  Reader(statement).read();
  return statement;
}

}  // namespace vsr::guard
