// The structure of a prompt: paragraphs, headings, code fences and JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.h"
#include "text/unicode/words.h"

namespace vsr::routing {

enum class BlockKind : uint8_t { kProse, kHeading, kCode, kJson };

struct Block {
  base::Span range;
  BlockKind kind = BlockKind::kProse;
};

// Reads the blocks of a text, in order and disjoint; together they hold all but white space.
// - Code: from a line that begins with ``` or ~~~ to the line that closes it, or to the end (CommonMark 0.31, 4.5).
// - JSON: a line that begins with { or [ and JSON's next character, through the line with the bracket that closes it.
// One
//   that nothing closes is prose.
// - Heading: a line that begins with one to six #, or a short line between empty ones that no punctuation ends.
// - Prose: what is between these and empty lines, a paragraph each.
// Time grows with the size: brackets are followed over at most twice the text in all, what comes later is prose.
class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text), bracket_budget_(2 * text.size() + 1024) {}
  // False at the end.
  bool next(Block& block);

 private:
  size_t line_end(size_t begin) const;
  size_t after(size_t end) const;
  void read_line();
  void read_fence(char mark, size_t size, size_t line);
  size_t json_end(std::string_view line);
  size_t closing_bracket(size_t begin);
  void whole(base::Span range, BlockKind kind);
  void end_paragraph();

  std::string_view text_;
  size_t at_ = 0;
  size_t bracket_budget_;
  base::Span paragraph_;
  size_t lines_ = 0;  // of the paragraph
  Block found_[2];    // a line ends at most a paragraph and a block of its own
  size_t first_ = 0, ready_ = 0;
};

}  // namespace vsr::routing
