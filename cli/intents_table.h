// The table of `vsr intents`: question, intent, score, runner-up, milliseconds.
#pragma once

#include <string>
#include <vector>

#include "handles.h"
#include "input.h"
#include "json.h"
#include "terminal.h"

namespace vsr::cli {

// Milliseconds.
struct RoutingTimes {
  double model = 0;
  double set = 0;
  std::vector<double> questions;
};

// "10 intents with 80 examples", from vsr_intents_describe().
std::string summary_of_set(const Json& description);

// An argument as a shell takes it.
std::string shell_quoted(const std::string& argument);

// Tasks that answer beside the intents, each in a column.
struct BesideColumn {
  std::string task;
  std::vector<std::string> labels;  // what the task may answer
};

// The columns of tasks, from vsr_engine_describe().
std::vector<BesideColumn> columns_of(const std::vector<std::string>& tasks, const Json& engine);

class MatchTable {
 public:
  MatchTable(const std::vector<Text>& texts, const Json& description, const std::vector<BesideColumn>& beside);
  // `answers` are those of the columns beside.
  void print_row(const Text& text, const vsr_match& match, const std::vector<Cell>& answers, double milliseconds);
  // Totals, and `command` to try with another sentence.
  void print_summary(const RoutingTimes& times, const std::string& command) const;

 private:
  std::string set_;
  bool has_beside_;
  Table table_;
  size_t routed_ = 0;
  size_t rows_ = 0;
};

}  // namespace vsr::cli
