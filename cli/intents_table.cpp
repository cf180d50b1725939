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

// What comes between score and milliseconds: bar and runner-up, or the answers of other tasks.
std::vector<Column> middle_columns(const std::vector<std::string>& labels, const std::vector<BesideColumn>& beside) {
  if (beside.empty()) return {{"", kBarCells}, {"runner-up", column_width(labels, 9, 24) + 5}};
  std::vector<Column> columns;
  for (const BesideColumn& column : beside) {
    const size_t answer = column_width(column.labels, 4, 13) + 5;  // "0.98 label"
    columns.push_back({column.task, std::max(answer, column_width({column.task}, 0, 18))});
  }
  return columns;
}

std::vector<Column> columns_for(const std::vector<Text>& texts, const Json& description,
                                const std::vector<BesideColumn>& beside) {
  const std::vector<std::string> labels = labels_of(description);
  const std::vector<Column> middle = middle_columns(labels, beside);
  std::vector<Column> columns = {{"question", 0},
                                 {"intent", column_width(labels, std::char_traits<char>::length(kNone), 24)},
                                 {"score", 5, Align::kRight}};
  columns.insert(columns.end(), middle.begin(), middle.end());
  columns.push_back({"ms", 7, Align::kRight});
  size_t others = 0;
  for (const Column& column : columns) others += column.cells + 2;
  others -= 2;
  std::vector<std::string> questions;
  for (const Text& text : texts) questions.push_back(for_display(text.text, 200));
  const size_t most = terminal_width() > others + 24 ? terminal_width() - others : 24;
  columns[0].cells = column_width(questions, 8, std::min<size_t>(most, 72));
  return columns;
}

// Of adapters and models alike: the labels of the heads that answer a task.
void add_labels(const Json& engine, const Json& task, std::vector<std::string>& labels) {
  const auto add = [&](const Json& head) {
    for (const Json& label : head.at("labels")) labels.push_back(label.get<std::string>());
  };
  if (task.contains("adapter")) {
    for (const Json& adapter : engine.at("adapters")) {
      if (adapter.at("name") == task.at("adapter")) add(adapter);
    }
    return;
  }
  for (const Json& model : engine.at("models")) {
    if (model.at("name") != task.at("model")) continue;
    for (const Json& head : model.at("heads")) add(head);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

std::vector<BesideColumn> columns_of(const std::vector<std::string>& tasks, const Json& engine) {
  std::vector<BesideColumn> columns;
  for (const std::string& name : tasks) {
    columns.push_back({name, {}});
    for (const Json& task : engine.at("tasks")) {
      if (task.at("name") == name) add_labels(engine, task, columns.back().labels);
    }
  }
  return columns;
}

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

MatchTable::MatchTable(const std::vector<Text>& texts, const Json& description, const std::vector<BesideColumn>& beside)
    : set_(summary_of_set(description)), has_beside_(!beside.empty()), table_(columns_for(texts, description, beside)) {
  print_line("");
  table_.print_header();
}

void MatchTable::print_row(const Text& text, const vsr_match& match, const std::vector<Cell>& answers,
                           double milliseconds) {
  ++rows_;
  const bool routed = match.label.data != nullptr;
  routed_ += routed ? 1 : 0;
  // What came closest and was not close enough says more than its intent.
  const vsr_str other = routed ? match.runner_up : match.nearest;
  const float other_score = routed ? match.runner_up_score : match.score;
  const std::string runner_up = other.data != nullptr ? format_number(other_score, 2) + " " + text_of(other) : "";
  std::vector<Cell> cells = {{text.text},
                             {routed ? text_of(match.label) : kNone, routed ? Style::kGood : Style::kWarning},
                             {routed ? format_number(match.score, 2) : "", Style::kBold}};
  if (has_beside_) {
    cells.insert(cells.end(), answers.begin(), answers.end());
  } else {
    cells.push_back({routed ? bar(match.score) : "", Style::kGood});
    cells.push_back({runner_up, Style::kDim});
  }
  cells.push_back({format_number(milliseconds, 1), Style::kDim});
  table_.print_row(cells);
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
