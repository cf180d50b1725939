// The structure of a prompt: paragraphs, headings, code fences and JSON.
#pragma once

#include <string_view>
#include <vector>

#include "text/unicode/words.h"

namespace vsr::routing {

enum class BlockKind : uint8_t { kProse, kHeading, kCode, kJson };

struct Block {
  text::ByteRange range;
  BlockKind kind = BlockKind::kProse;
};

// The blocks of a text, in order and disjoint; together they hold all but white space.
// - Code: from a line that begins with ``` or ~~~ to the line that closes it, or to the end (CommonMark 0.31, 4.5).
// - JSON: a line that begins with { or [ and JSON's next character, through the line with the bracket that closes it.
// One
//   that nothing closes is prose.
// - Heading: a line that begins with one to six #, or a short line between empty ones that no punctuation ends.
// - Prose: what stands between these and empty lines, a paragraph each.
// Time grows with the size: brackets are followed over at most twice the text in all, what comes later is prose.
std::vector<Block> split_blocks(std::string_view text);

}  // namespace vsr::routing
