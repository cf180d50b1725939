// How many cells of a terminal a text takes, and texts made safe and short enough to show there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vsr::cli {

// Cells of `text` by grapheme cluster: East Asian wide characters and emoji take two, combining marks none.
size_t display_width(std::string_view text);

// `text` on one line: control characters as blanks (an escape sequence must not reach the terminal), marks that change
// the direction of writing left out, ill-formed UTF-8 as U+FFFD, and an ellipsis for what does not fit `max_cells`.
std::string for_display(std::string_view text, size_t max_cells);

enum class Align { kLeft, kRight };
// `text`, safe already, filled with blanks up to `cells`.
std::string padded(const std::string& text, size_t cells, Align align = Align::kLeft);

}  // namespace vsr::cli
