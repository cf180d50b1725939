// Where sentences end, in any script, by rules over punctuation and line breaks: cheap, linear, without a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "text/unicode/words.h"

namespace vsr::text {

// The sentences of `range` of a text, in order, disjoint, without the white space around them; together they hold every
// character that is not white space. A sentence ends
// - after ? ! and their kin in other scripts (Han, Devanagari, Arabic, Ethiopic, Khmer, Burmese, Tibetan, Armenian),
// with
//   the closing quotes and brackets that follow. Han ends need no space after them, others do;
// - after a full stop before white space, unless the next letter is small, the word before is an initial or one of a
//   few titles and abbreviations (Mr., e.g.);
// - at an empty line, before the mark of a list item, after a line of less than 40 bytes (a verse, a title) or more
// than
//   120 (a paragraph in one line): other line breaks are taken as wrapped prose;
// - at a space between Thai, Lao, Khmer or Burmese letters, once the sentence has 40 bytes: these scripts put a space
//   where a clause ends.
// Reference for the ends: Unicode Standard Annex 29, Sentence_Terminal, whose rules these simplify.
enum class SentenceMark : uint8_t;

class SentenceReader {
 public:
  SentenceReader(std::string_view text, base::Span range)
      : text_(text.substr(0, range.end)), at_(range.begin), start_(range.begin), line_(range.begin) {}
  // False at the end.
  bool next(base::Span& sentence);

 private:
  void step();
  void cut(size_t end);
  void end_mark(SentenceMark mark, size_t mark_at);
  bool next_is_small() const;
  bool is_abbreviation(size_t stop) const;
  void line_break();
  bool at_list_item() const;
  bool clause_ends() const;

  std::string_view text_;
  size_t at_;
  size_t start_;      // of the sentence being read
  size_t line_;       // of the line being read
  base::Span found_;  // not handed out yet; empty: none
};

std::vector<base::Span> split_sentences(std::string_view text, base::Span range);
inline std::vector<base::Span> split_sentences(std::string_view text) {
  return split_sentences(text, {0, text.size()});
}

}  // namespace vsr::text
