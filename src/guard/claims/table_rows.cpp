#include "guard/claims/table_rows.h"

#include <algorithm>

namespace vsr::guard {
namespace {

constexpr size_t kMostColumns = 64;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  for (size_t i = 0; i <= line.size() && cells.size() < kMostColumns;) {
    const size_t end = std::min(line.find('|', i), line.size());
    cells.emplace_back(trimmed(line.substr(i, end - i)));
    i = end + 1;
  }
  return cells;
}

}  // namespace

std::string TableRows::row(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  const bool rule = std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.find_first_not_of("-:") == std::string::npos;
  });
  if (rule) return {};
  if (header_.size() != cells.size()) {
    header_ = cells;
    return std::string(line);
  }
  std::string sentence;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    if (!sentence.empty()) sentence += "; ";
    if (!header_[i].empty()) (sentence += header_[i]) += ' ';
    sentence += cells[i];
  }
  return sentence.empty() ? sentence : sentence + ".";
}

std::string TableRows::read(std::string_view text) {
  if (text.find('|') == std::string_view::npos) {
    header_.clear();
    return std::string(text);
  }
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find('\n', i), text.size());
    const std::string_view line = trimmed(text.substr(i, end - i));
    if (line.size() > 2 && line.starts_with('|') && line.find('|', 1) != std::string_view::npos) {
      out += row(line);
    } else {
      if (!line.empty()) header_.clear();
      out += text.substr(i, end - i);
    }
    if (end < text.size()) out += '\n';
    i = end + 1;
  }
  return out;
}

}  // namespace vsr::guard
