#include "facts/quantities/century_reader.h"

#include <string_view>

#include "facts/quantities/number_reader.h"

namespace vsr::facts {
namespace {

bool is_century(const Piece& piece) {
  return piece.is("century") || piece.is("centuries") || piece.is("jahrhundert") || piece.is("jahrhunderts") ||
         piece.is("jh") || piece.is("siècle") || piece.is("siècles");
}

// Of "xvii" and "xviie" 17; 0: no Roman number below 40.
int roman(std::string_view word) {
  if (word.ends_with("e") || word.ends_with("è")) word.remove_suffix(word.ends_with("e") ? 1 : 2);
  int value = 0, last = 40;
  for (size_t i = 0; i < word.size(); ++i) {
    const int digit = word[i] == 'x' ? 10 : word[i] == 'v' ? 5 : word[i] == 'i' ? 1 : 0;
    if (digit == 0 || value > 40) return 0;
    value += digit > last ? digit - 2 * last : digit;
    last = digit;
  }
  return value < 40 ? value : 0;
}

}  // namespace

std::optional<Quantity> century_at(std::span<const Piece> pieces, size_t at, NumberStyle style) {
  // Nearly no piece begins one: look for the word first.
  size_t word = at + 1;
  while (word < pieces.size() && word < at + 5 && !is_century(pieces[word])) ++word;
  if (word >= pieces.size() || !is_century(pieces[word])) return std::nullopt;
  size_t end = at;
  double number = 0;
  if (const auto read = pieces[at].kind == Piece::kSign ? std::nullopt : number_at(pieces, at, style);
      read && !read->decimal && (read->form == ReadNumber::kOrdinal || read->form == ReadNumber::kPlain)) {
    number = read->value;
    end = at + read->pieces;
  } else if (pieces[at].kind == Piece::kWord) {
    number = roman(pieces[at].lower);
    end = at + 1;
  }
  if (end < word && (pieces[end].is(".") || pieces[end].is("-"))) ++end;
  if (number < 1 || number > 30 || end != word || number != static_cast<int>(number)) return std::nullopt;
  Quantity found;
  found.value = (number - 1) * 100;
  found.year = found.century = true;
  found.last_piece = word + 1;
  return found;
}

}  // namespace vsr::facts
