#include "multi.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "arguments.h"
#include "report.h"

namespace vsr::cli {
namespace {

int32_t path_of(const std::string& name) {
  if (name == "standard") return VSR_PATH_STANDARD;
  if (name == "lora") return VSR_PATH_LORA;
  return VSR_PATH_AUTO;  // not given; other names are refused where they are read
}

std::vector<vsr_entity> entities_of(const vsr_result* result, size_t row) {
  std::vector<vsr_entity> found;
  for (size_t i = 0; i < vsr_result_entity_count(result); ++i) {
    const vsr_entity& entity = *vsr_result_entity(result, i);
    if (entity.text == row) found.push_back(entity);
  }
  return found;
}

const float* row_of(const vsr_result* result, size_t row) {
  return vsr_result_data(result) + row * vsr_result_col_count(result);
}

// The columns of a row, best first.
std::vector<size_t> ranked(const vsr_result* result, size_t row) {
  const float* scores = row_of(result, row);
  std::vector<size_t> order(vsr_result_col_count(result));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  return order;
}

std::string part(const Text& text, const vsr_entity& entity) {
  return for_display(text.text.substr(entity.start, entity.end - entity.start), 60);
}

using Rows = std::vector<std::vector<Cell>>;

void add_scores(const vsr_task_outcome& outcome, size_t row, Rows& rows) {
  const std::vector<size_t> order = ranked(outcome.result, row);
  const float* scores = row_of(outcome.result, row);
  const auto label = [&](size_t place) { return text_of(vsr_result_label(outcome.result, order[place])); };
  std::string runner_up;
  if (order.size() > 1) runner_up = format_number(scores[order[1]], 3) + " " + label(1);
  rows.push_back({{text_of(outcome.task)},
                  {label(0), Style::kGood},
                  {format_number(scores[order[0]], 3)},
                  {runner_up, Style::kDim}});
}

void add_entities(const vsr_task_outcome& outcome, const Text& text, size_t row, Rows& rows) {
  std::string task = text_of(outcome.task);
  for (const vsr_entity& entity : entities_of(outcome.result, row)) {
    rows.push_back(
        {{task}, {text_of(entity.label), Style::kGood}, {format_number(entity.score, 3)}, {part(text, entity)}});
    task.clear();
  }
  if (!task.empty()) rows.push_back({{task}, {"none", Style::kDim}, {""}, {""}});
}

void add_rows(const vsr_task_outcome& outcome, const Text& text, size_t row, Rows& rows) {
  if (outcome.status != VSR_OK) {
    rows.push_back(
        {{text_of(outcome.task)}, {"failed", Style::kWarning}, {""}, {text_of(outcome.message), Style::kWarning}});
  } else if (outcome.kind == VSR_TASK_SEQUENCE_CLASSIFICATION) {
    add_scores(outcome, row, rows);
  } else if (outcome.kind == VSR_TASK_TOKEN_CLASSIFICATION) {
    add_entities(outcome, text, row, rows);
  } else {
    rows.push_back(
        {{text_of(outcome.task)}, {format_count(vsr_result_col_count(outcome.result), "value")}, {""}, {""}});
  }
}

Json json_of_entities(const vsr_result* result, const Text& text, size_t row) {
  Json entities = Json::array();
  for (const vsr_entity& entity : entities_of(result, row)) {
    entities.push_back({{"label", text_of(entity.label)},
                        {"start", entity.start},
                        {"end", entity.end},
                        {"score", entity.score},
                        {"text", text.text.substr(entity.start, entity.end - entity.start)}});
  }
  return entities;
}

}  // namespace

std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find(',', begin), names.size());
    parts.push_back(names.substr(begin, end - begin));
    if (parts.back().empty()) throw UsageError("\"" + names + "\" has an empty name, expected NAME,NAME,...");
    begin = end + 1;
  }
  return parts;
}

void add_path(CLI::App& app, std::string& path) {
  app.add_option("--path", path, "of tasks that a model and an adapter answer: auto, standard or lora")
      ->check(CLI::IsMember({"auto", "standard", "lora"}))
      ->type_name("PATH");
}

Multi classify_all(const vsr_engine* engine, const TextViews& texts, const MultiArguments& arguments) {
  std::vector<const char*> names;
  for (const std::string& task : arguments.tasks) names.push_back(task.c_str());
  vsr_multi_options options = VSR_MULTI_OPTIONS_INIT;
  options.path = path_of(arguments.path);
  options.max_tokens = arguments.max_tokens;
  return make<Multi>([&](vsr_multi_result** out, vsr_error* error) {
    return vsr_classify_all(engine, texts.texts.data(), texts.pairs.empty() ? nullptr : texts.pairs.data(),
                            texts.texts.size(), names.data(), names.size(), &options, out, error);
  });
}

Json json_of(const vsr_task_outcome& outcome, const Text& text, size_t row) {
  Json object = {{"model", text_of(outcome.model)}, {"path", outcome.path == VSR_PATH_LORA ? "lora" : "standard"}};
  const vsr_result* result = outcome.result;
  if (outcome.status != VSR_OK) {
    object["error"] = {{"code", text_of(vsr_status_name(outcome.status))}, {"message", text_of(outcome.message)}};
    return object;
  }
  if (outcome.kind == VSR_TASK_SEQUENCE_CLASSIFICATION) {
    add_scores(object, result, row);
  } else if (outcome.kind == VSR_TASK_TOKEN_CLASSIFICATION) {
    object["entities"] = json_of_entities(result, text, row);
  } else {
    object["embedding"] = std::vector<float>(row_of(result, row), row_of(result, row) + vsr_result_col_count(result));
  }
  add_usage(object, result, row);
  return object;
}

Cell short_answer(const vsr_task_outcome& outcome, size_t row) {
  if (outcome.status != VSR_OK) return {"failed: " + text_of(outcome.message), Style::kWarning};
  if (outcome.kind == VSR_TASK_SEQUENCE_CLASSIFICATION) {
    const size_t best = vsr_result_best(outcome.result, row);
    return {format_number(row_of(outcome.result, row)[best], 2) + " " +
            text_of(vsr_result_label(outcome.result, best))};
  }
  if (outcome.kind == VSR_TASK_EMBEDDING) return {format_count(vsr_result_col_count(outcome.result), "value")};
  std::set<std::string> labels;
  for (const vsr_entity& entity : entities_of(outcome.result, row)) labels.insert(text_of(entity.label));
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text.empty() ? Cell{"none", Style::kDim} : Cell{text};
}

void print_answers(const vsr_multi_result* result, const Text& text, size_t row) {
  Rows rows;
  for (size_t i = 0; i < vsr_multi_result_outcome_count(result); ++i) {
    add_rows(*vsr_multi_result_outcome(result, i), text, row, rows);
  }
  std::vector<Column> columns = {{"", 0}, {"", 0}, {"", 0}, {"", 5}, {"", 60}};
  for (size_t column = 0; column < 2; ++column) {
    std::vector<std::string> cells;
    for (const auto& cell : rows) cells.push_back(cell[column].text);
    columns[column + 1].cells = column_width(cells, 0, 28);
  }
  const Table table(columns);
  for (std::vector<Cell>& cells : rows) {
    cells.insert(cells.begin(), Cell{""});
    table.print_row(cells);
  }
}

void MultiReport::add(const vsr_multi_result* result) {
  for (size_t i = 0; i < vsr_multi_result_outcome_count(result) && failure_.empty(); ++i) {
    const vsr_task_outcome& outcome = *vsr_multi_result_outcome(result, i);
    if (outcome.status != VSR_OK) failure_ = text_of(outcome.message);
  }
  for (size_t i = 0; i < vsr_multi_result_pass_count(result); ++i) {
    const vsr_pass& pass = *vsr_multi_result_pass(result, i);
    if (i == passes_.size()) {  // the passes of every call are of the same models, in the same order
      passes_.push_back({text_of(pass.model), "", pass});
      for (size_t t = 0; t < pass.task_count; ++t) passes_[i].tasks += (t == 0 ? "" : ", ") + text_of(pass.tasks[t]);
      continue;
    }
    vsr_pass& sums = passes_[i].sums;
    sums.shared_block_count = std::min(sums.shared_block_count, pass.shared_block_count);
    sums.row_count += pass.row_count;
    sums.separate_row_count += pass.separate_row_count;
  }
}

void MultiReport::print() const {
  for (const Pass& pass : passes_) {
    const vsr_pass& sums = pass.sums;
    const std::string rows =
        format_count(sums.row_count) + " token rows instead of " + format_count(sums.separate_row_count);
    print_line(styled(for_display(pass.model, 60) + ": one pass for " + for_display(pass.tasks, 200) + "; " +
                          std::to_string(sums.shared_block_count) + " of " + std::to_string(sums.block_count) +
                          " blocks ran once for all, " + rows,
                      Style::kDim));
  }
}

void MultiReport::check() const {
  if (!failure_.empty()) throw Failure(failure_);
}

}  // namespace vsr::cli
