// vsr classify: the scores of a sequence-classification head, or what many tasks answer in one pass.
#include <algorithm>
#include <memory>
#include <numeric>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "multi.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct ClassifyArguments {
  ModelArguments model;
  InputArguments input;
  std::string path;
  bool json = false;
};

std::vector<std::string> labels_of(const vsr_result* result) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < vsr_result_col_count(result); ++i) labels.push_back(text_of(vsr_result_label(result, i)));
  return labels;
}

void print_scores_json(const Text& text, const vsr_result* result, size_t row) {
  Json object = json_of(text);
  add_scores(object, result, row);
  add_usage(object, result, row);
  print_json(object);
}

std::string shown_text(const Text& text) {
  // A text may be megabytes long; a row is not.
  return for_display(text.text, 200) + (text.pair ? " | " + for_display(*text.pair, 200) : "");
}

// Columns: text, label, score, and where there are several labels the second best with its score.
class ScoreTable {
 public:
  ScoreTable(const std::vector<Text>& texts, const vsr_result* result) : labels_(labels_of(result)), table_({}) {
    const size_t label_cells = column_width(labels_, 5, 28);
    std::vector<Column> columns = {{"text", 0}, {"label", label_cells}, {"score", 5, Align::kRight}};
    if (labels_.size() > 1) {
      columns.push_back({"runner-up", std::max<size_t>(label_cells, 9)});
      columns.push_back({"score", 5, Align::kRight});
    }
    size_t others = 0;
    for (const Column& column : columns) others += column.cells + 2;
    std::vector<std::string> shown;
    for (const Text& text : texts) shown.push_back(shown_text(text));
    columns[0].cells = column_width(shown, 4, terminal_width() - std::min(others, terminal_width() - 20));
    table_ = Table(columns);
    table_.print_header();
  }

  void print_row(const Text& text, const vsr_result* result, size_t row) const {
    const float* scores = vsr_result_data(result) + row * labels_.size();
    std::vector<size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    std::vector<Cell> cells = {{shown_text(text)}};
    for (size_t i = 0; i < std::min<size_t>(order.size(), 2); ++i) {
      cells.push_back({labels_[order[i]], i == 0 ? Style::kGood : Style::kDim});
      cells.push_back({format_number(scores[order[i]], 3), i == 0 ? Style::kPlain : Style::kDim});
    }
    table_.print_row(cells);
  }

 private:
  std::vector<std::string> labels_;
  Table table_;
};

void print_multi_json(const Text& text, const vsr_multi_result* result, size_t row) {
  Json object = json_of(text);
  Json tasks = Json::object();
  for (size_t i = 0; i < vsr_multi_result_outcome_count(result); ++i) {
    const vsr_task_outcome& outcome = *vsr_multi_result_outcome(result, i);
    tasks[text_of(outcome.task)] = json_of(outcome, text, row);
  }
  object["tasks"] = std::move(tasks);
  print_json(object);
}

// Many tasks, or one whose path is asked for: a table for each text.
void classify_many(const ClassifyArguments& arguments, const std::vector<Text>& texts, const vsr_engine* engine) {
  const MultiArguments multi = {split_names(arguments.model.task), arguments.path, arguments.model.max_tokens};
  MultiReport report;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const TextViews batch = views(texts, begin, std::min(begin + kBatch, texts.size()));
    const Multi result = classify_all(engine, batch, multi);
    report.add(result.get());
    for (size_t row = 0; row < batch.texts.size(); ++row) {
      const Text& text = texts[begin + row];
      if (arguments.json) {
        print_multi_json(text, result.get(), row);
        continue;
      }
      print_line(styled(shown_text(text), Style::kBold));
      print_answers(result.get(), text, row);
    }
  }
  if (!arguments.json) report.print();
  report.check();
}

void classify(const ClassifyArguments& arguments) {
  require_model(arguments.model);
  const bool many = arguments.model.task.find(',') != std::string::npos;
  if (!arguments.path.empty() && arguments.model.task.empty()) throw UsageError("--path goes with --task");
  const std::vector<Text> texts = read_texts(arguments.input);
  const Engine engine = open_engine(arguments.model);
  if (many || !arguments.path.empty()) return classify_many(arguments, texts, engine.get());
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  options.task = or_null(arguments.model.task);
  options.max_tokens = arguments.model.max_tokens;
  Notes notes;
  std::unique_ptr<ScoreTable> table;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const TextViews batch = views(texts, begin, std::min(begin + kBatch, texts.size()));
    const Result result = make<Result>([&](vsr_result** out, vsr_error* error) {
      return vsr_classify(engine.get(), batch.texts.data(), batch.pairs.empty() ? nullptr : batch.pairs.data(),
                          batch.texts.size(), &options, out, error);
    });
    if (!arguments.json && !table) table = std::make_unique<ScoreTable>(texts, result.get());
    for (size_t row = 0; row < vsr_result_row_count(result.get()); ++row) {
      notes.add(result.get(), row);
      if (arguments.json) {
        print_scores_json(texts[begin + row], result.get(), row);
      } else {
        table->print_row(texts[begin + row], result.get(), row);
      }
    }
  }
  if (!arguments.json) notes.print();
}

}  // namespace

void add_classify_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("classify", "score texts, or pairs of texts, against a model's labels");
  const auto arguments = std::make_shared<ClassifyArguments>();
  add_input_arguments(app, arguments->input, true);
  add_model_arguments(app, arguments->model);
  add_token_limit(app, arguments->model);
  add_path(app, arguments->path);
  app.add_flag("--json", arguments->json, "one JSON object per line, with the scores of all labels");
  app.footer("--task NAME,NAME,... answers many tasks of any kind in one pass of each model. " + app.get_footer());
  app.callback([arguments] { classify(*arguments); });
}

}  // namespace vsr::cli
