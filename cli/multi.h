// Many tasks on the same texts: the call, and how one text's answers are shown.
#pragma once

#include <string>
#include <vector>

#include "handles.h"
#include "input.h"
#include "json.h"
#include "terminal.h"

namespace vsr::cli {

// "a,b,c"; throws for a name that is empty.
std::vector<std::string> split_names(const std::string& names);

struct MultiArguments {
  std::vector<std::string> tasks;
  std::string path;  // of tasks that have both; empty: auto
  size_t max_tokens = 0;
};

// Adds --path.
void add_path(CLI::App& app, std::string& path);

Multi classify_all(const vsr_engine* engine, const TextViews& texts, const MultiArguments& arguments);

// What a task answered about a text, with the path it took; or its error.
Json json_of(const vsr_task_outcome& outcome, const Text& text, size_t row);
// "travel 0.87", "EMAIL, PERSON", "none"; or why there is no answer.
Cell short_answer(const vsr_task_outcome& outcome, size_t row);
// A table of all tasks, indented, with the parts of the text that are entities.
void print_answers(const vsr_multi_result* result, const Text& text, size_t row);

// What comes after all texts: passes, and tasks that failed.
class MultiReport {
 public:
  void add(const vsr_multi_result* result);
  // "minilm: one pass for domain, pii; 3 of 6 blocks ran once for all, 126 token rows instead of 168"
  void print() const;
  // Throws if a task failed: what was not answered must not look like success.
  void check() const;

 private:
  struct Pass {
    std::string model;
    std::string tasks;
    vsr_pass sums{};
  };
  std::vector<Pass> passes_;
  std::string failure_;
};

}  // namespace vsr::cli
