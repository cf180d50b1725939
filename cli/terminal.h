// Standard output as people and programs see it: width, colour, tables.
#pragma once

#include <string>
#include <vector>

#include "display_width.h"
#include "json.h"

namespace vsr::cli {

// Cells in a line: the terminal's, or 100 where output goes elsewhere.
size_t terminal_width();

enum class Style { kPlain, kBold, kDim, kGood, kWarning };
// `text` in the style's colour, if standard output is a terminal that wants colour (NO_COLOR, TERM=dumb).
std::string styled(const std::string& text, Style style);

void print_line(const std::string& line);
void print_json(const Json& object);
// Ends the program's output; throws if any of it was lost.
void flush_output();

std::string format_number(double value, int decimals);
// "1,234,567"
std::string format_count(size_t value);
// "1 text", "2 texts"
std::string format_count(size_t value, const std::string& noun);

struct Column {
  std::string title;
  size_t cells = 0;
  Align align = Align::kLeft;
};

struct Cell {
  std::string text;
  Style style = Style::kPlain;
};

// Rows of columns that stay aligned whatever characters they hold. What is too wide ends in an ellipsis.
class Table {
 public:
  explicit Table(std::vector<Column> columns);
  void print_header() const;
  void print_row(const std::vector<Cell>& cells) const;

 private:
  std::vector<Column> columns_;
};

// Cells for a column that holds `texts`: as wide as the widest, within [least, most].
size_t column_width(const std::vector<std::string>& texts, size_t least, size_t most);

}  // namespace vsr::cli
