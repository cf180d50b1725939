#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "failure.h"

namespace vsr::cli {
namespace {

bool wants_colour() {
  static const bool wanted = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return isatty(STDOUT_FILENO) != 0 && !refused && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  }();
  return wanted;
}

const char* escape_sequence(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGood:
      return "\x1b[32m";
    case Style::kWarning:
      return "\x1b[33m";
  }
  return "";
}

std::string rule(size_t cells) {
  std::string line;
  for (size_t i = 0; i < cells; ++i) line += "\u2500";
  return line;
}

}  // namespace

size_t terminal_width() {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::max<size_t>(size.ws_col, 60) : 100;
}

std::string styled(const std::string& text, Style style) {
  if (style == Style::kPlain || text.empty() || !wants_colour()) return text;
  return escape_sequence(style) + text + "\x1b[0m";
}

void print_line(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
}

void print_json(const Json& object) { print_line(object.dump(-1, ' ', false, Json::error_handler_t::replace)); }

void flush_output() {
  const bool lost = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0 || lost) throw Failure(std::string("standard output: ") + std::strerror(errno));
}

std::string format_number(double value, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}

std::string format_count(size_t value) {
  std::string digits = std::to_string(value);
  for (size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string format_count(size_t value, const std::string& noun) {
  return format_count(value) + " " + noun + (value == 1 ? "" : "s");
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::print_header() const {
  std::vector<Cell> titles;
  std::vector<Cell> rules;
  for (const Column& column : columns_) {
    titles.push_back({column.title, Style::kBold});
    rules.push_back({rule(column.cells), Style::kDim});
  }
  print_row(titles);
  print_row(rules);
}

void Table::print_row(const std::vector<Cell>& cells) const {
  std::string line;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const std::string text = for_display(cells[i].text, column.cells);
    const bool fills_end = i + 1 == columns_.size() && column.align == Align::kLeft;
    line += (i == 0 ? "" : "  ") + styled(fills_end ? text : padded(text, column.cells, column.align), cells[i].style);
  }
  print_line(line);
}

size_t column_width(const std::vector<std::string>& texts, size_t least, size_t most) {
  size_t cells = least;
  for (const std::string& text : texts) {
    if (cells >= most) break;
    cells = std::max(cells, display_width(for_display(text, most)));
  }
  return std::min(cells, most);
}

}  // namespace vsr::cli
