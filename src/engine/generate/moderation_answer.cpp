#include "engine/generate/moderation_answer.h"

#include <algorithm>

namespace vsr::engine {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// Takes the first line off `text`.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed(line);
}

std::optional<std::string_view> value_after(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  return trimmed(line.substr(key.size()));
}

Severity severity_named(std::string_view word) {
  const auto found = std::ranges::find(kSeverityWords, word);
  if (found == kSeverityWords.end()) return Severity::kUnparsed;
  return static_cast<Severity>(found - kSeverityWords.begin() + 1);
}

std::vector<std::string> split_categories(std::string_view list) {
  std::vector<std::string> categories;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view name = trimmed(list.substr(0, comma));
    if (!name.empty() && name != "None") categories.emplace_back(name);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return categories;
}

struct Answer {
  std::optional<Severity> severity;
  std::optional<std::vector<std::string>> categories;
  std::optional<bool> refusal;
};

// False for a line that contradicts the form or what came before.
bool read_line(std::string_view line, Answer& answer) {
  if (const auto word = value_after(line, "Safety:")) {
    if (answer.severity) return false;
    answer.severity = severity_named(*word);
    return *answer.severity != Severity::kUnparsed;
  }
  if (!answer.severity) return false;
  if (const auto list = value_after(line, "Categories:")) {
    if (answer.categories) return false;
    answer.categories = split_categories(*list);
  } else if (const auto word = value_after(line, "Refusal:")) {
    if (answer.refusal || (*word != "Yes" && *word != "No")) return false;
    answer.refusal = *word == "Yes";
  }
  return true;
}

}  // namespace

void parse_answer(std::string_view answer, bool complete, Verdict& verdict) {
  if (!complete) answer = answer.substr(0, answer.rfind('\n') == std::string_view::npos ? 0 : answer.rfind('\n'));
  Answer read;
  while (!answer.empty()) {
    const std::string_view line = take_line(answer);
    if (!line.empty() && !read_line(line, read)) return;
  }
  if (!read.severity) return;
  const bool has_categories = read.categories && !read.categories->empty();
  if (*read.severity == Severity::kSafe && has_categories) return;
  verdict.severity = *read.severity;
  if (read.categories) verdict.categories = std::move(*read.categories);
  verdict.refusal = read.refusal;
}

}  // namespace vsr::engine
