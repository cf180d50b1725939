#include "intents_table.h"

#include <algorithm>
#include <cmath>

namespace vsr::cli {
namespace {

constexpr const char* kNone = "none of these";
constexpr size_t kBarCells = 8;

// A bar of eighths of a cell; similarities below 0 have none.
std::string bar(float score) {
  static const char* const kEighths[] = {"", "\u258F", "\u258E", "\u258D", "\u258C", "\u258B", "\u258A", "\u2589"};
  const long eighths = std::lround(std::clamp(score, 0.0f, 1.0f) * 8 * kBarCells);
  std::string cells;
  for (long i = 0; i < eighths / 8; ++i) cells += "\u2588";
  return cells + kEighths[eighths % 8];
}

std::vector<std::string> labels_of(const Json& description) {
  std::vector<std::string> labels;
  for (const Json& intent : description.at("intents")) labels.push_back(intent.at("label").get<std::string>());
  return labels;
}

std::vector<Column> columns_for(const std::vector<Text>& texts, const Json& description) {
  const std::vector<std::string> labels = labels_of(description);
  const size_t intent_cells = column_width(labels, std::char_traits<char>::length(kNone), 24);
  const size_t runner_up_cells = column_width(labels, 9, 24) + 5;
  const size_t ms_cells = 7;
  const size_t others = intent_cells + 5 + kBarCells + runner_up_cells + ms_cells + 5 * 2;
  std::vector<std::string> questions;
  for (const Text& text : texts) questions.push_back(for_display(text.text, 200));
  const size_t most = terminal_width() > others + 24 ? terminal_width() - others : 24;
  return {{"question", column_width(questions, 8, std::min<size_t>(most, 72))},
          {"intent", intent_cells},
          {"score", 5, Align::kRight},
          {"", kBarCells},
          {"runner-up", runner_up_cells},
          {"ms", ms_cells, Align::kRight}};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

std::string summary_of_set(const Json& description) {
  size_t examples = 0;
  for (const Json& intent : description.at("intents")) examples += intent.at("examples").get<size_t>();
  return format_count(description.at("intents").size(), "intent") + " with " + format_count(examples, "example");
}

std::string shell_quoted(const std::string& argument) {
  const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || std::string_view("_-./:=+,@%").find(c) != std::string_view::npos;
  });
  if (plain) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

MatchTable::MatchTable(const std::vector<Text>& texts, const Json& description)
    : set_(summary_of_set(description)), table_(columns_for(texts, description)) {
  print_line("");
  table_.print_header();
}

void MatchTable::print_row(const Text& text, const vsr_match& match, double milliseconds) {
  ++rows_;
  const bool routed = match.label != nullptr;
  routed_ += routed ? 1 : 0;
  // What came closest and was not close enough says more than the intent behind it.
  const char* other = routed ? match.runner_up : match.nearest;
  const float other_score = routed ? match.runner_up_score : match.score;
  const std::string runner_up = other != nullptr ? format_number(other_score, 2) + " " + other : "";
  table_.print_row({{text.text},
                    {routed ? match.label : kNone, routed ? Style::kGood : Style::kWarning},
                    {routed ? format_number(match.score, 2) : "", Style::kBold},
                    {routed ? bar(match.score) : "", Style::kGood},
                    {runner_up, Style::kDim},
                    {format_number(milliseconds, 1), Style::kDim}});
}

void MatchTable::print_summary(const RoutingTimes& times, const std::string& command) const {
  print_line("");
  print_line(format_count(rows_, "question") + ": " + format_count(routed_) + " routed, " +
             format_count(rows_ - routed_) + " none of these. " + set_ + ", no training.");
  print_line(styled("Model loaded in " + format_number(times.model, 0) + " ms, examples read in " +
                        format_number(times.set, 0) + " ms, a question takes " +
                        format_number(median(times.questions), 1) + " ms (median).",
                    Style::kDim));
  print_line("");
  print_line("Try a sentence of your own:");
  print_line("  " + command + " \"" + "where is the parcel I ordered?" + "\"");
}

}  // namespace vsr::cli
