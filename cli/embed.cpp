// vsr embed: one vector per text.
#include <cmath>
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "policy.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct EmbedArguments {
  ModelArguments model;
  InputArguments input;
  int dim = 0;
  int layer = 0;
  bool no_normalize = false;
  std::string prompt;
  std::string instruction;
  std::string policy;
  bool json = false;
};

// The model that the policy chooses for all texts; nothing without a policy.
Selection choose_model(const EmbedArguments& arguments, const Engine& engine, const std::vector<Text>& texts,
                       const vsr_embed_options& options) {
  if (arguments.policy.empty()) return {};
  if (!arguments.model.task.empty()) throw UsageError("--policy and --task exclude each other");
  const Policy policy(arguments.policy);
  const TextViews all = views(texts, 0, texts.size());
  return make<Selection>([&](vsr_selection** out, vsr_error* error) {
    return vsr_select_model(engine.get(), all.texts.data(), all.texts.size(), policy.get(), &options, out, error);
  });
}

void print_selection(const vsr_selection* selection) {
  print_line("model " + styled(for_display(text_of(vsr_selection_model(selection)), 200), Style::kBold) +
             styled(": " + for_display(text_of(vsr_selection_reason(selection)), 4096), Style::kDim));
  for (size_t i = 0; i < vsr_selection_candidate_count(selection); ++i) {
    const vsr_candidate& candidate = *vsr_selection_candidate(selection, i);
    if (candidate.rejected.data == nullptr) continue;
    const std::string why = text_of(candidate.model) + " " + text_of(candidate.rejected);
    print_line(styled("  not " + for_display(why, 4096), Style::kDim));
  }
}

void print_vector_json(const Text& text, const vsr_result* result, size_t row, const vsr_selection* selection) {
  const float* vector = vsr_result_data(result) + row * vsr_result_col_count(result);
  Json object = json_of(text);
  if (selection != nullptr) object["model"] = text_of(vsr_selection_model(selection));
  object["embedding"] = std::vector<float>(vector, vector + vsr_result_col_count(result));
  add_usage(object, result, row);
  print_json(object);
}

// The text, what is known of its vector, and the vector's ends.
void print_vector(const Text& text, const vsr_result* result, size_t row) {
  const size_t dim = vsr_result_col_count(result);
  const float* vector = vsr_result_data(result) + row * dim;
  double squares = 0;
  for (size_t i = 0; i < dim; ++i) squares += static_cast<double>(vector[i]) * vector[i];
  std::string values;
  for (size_t i = 0; i < dim; ++i) {
    const bool shown = i < 6 || i + 2 >= dim;
    if (shown) values += (i == 0 ? "" : " ") + padded(format_number(vector[i], 4), 7, Align::kRight);
    if (i == 6 && !shown) values += " \u2026";
  }
  print_line(styled(for_display(text.text, terminal_width()), Style::kBold));
  print_line("  [" + values + "]");
  print_line(styled("  " + format_count(dim, "value") + ", length " + format_number(std::sqrt(squares), 3) + ", " +
                        format_count(vsr_result_token_count(result, row), "token"),
                    Style::kDim));
}

void embed(const EmbedArguments& arguments) {
  require_model(arguments.model);
  if (!arguments.prompt.empty() && !arguments.instruction.empty()) {
    throw UsageError("--prompt and --instruction exclude each other");
  }
  const std::vector<Text> texts = read_texts(arguments.input);
  const Engine engine = open_engine(arguments.model);
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.dim = arguments.dim;
  options.layer = arguments.layer;
  options.no_normalize = arguments.no_normalize ? 1 : 0;
  options.task = or_null(arguments.model.task);
  options.prompt = or_null(arguments.prompt);
  options.instruction = or_null(arguments.instruction);
  options.max_tokens = arguments.model.max_tokens;
  const Selection selection = choose_model(arguments, engine, texts, options);
  if (selection) options.task = vsr_selection_model(selection.get()).data;
  if (selection && !arguments.json) print_selection(selection.get());
  Notes notes;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const TextViews batch = views(texts, begin, std::min(begin + kBatch, texts.size()));
    const Result result = make<Result>([&](vsr_result** out, vsr_error* error) {
      return vsr_embed(engine.get(), batch.texts.data(), batch.texts.size(), &options, out, error);
    });
    for (size_t row = 0; row < vsr_result_row_count(result.get()); ++row) {
      notes.add(result.get(), row);
      if (arguments.json) {
        print_vector_json(texts[begin + row], result.get(), row, selection.get());
      } else {
        print_vector(texts[begin + row], result.get(), row);
      }
    }
  }
  if (!arguments.json) notes.print();
}

}  // namespace

void add_embed_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("embed", "turn texts into vectors");
  const auto arguments = std::make_shared<EmbedArguments>();
  add_input_arguments(app, arguments->input, false);
  add_model_arguments(app, arguments->model);
  add_token_limit(app, arguments->model);
  app.add_option("--dim", arguments->dim, "keep the first N values (Matryoshka models)")->type_name("N");
  app.add_option("--layer", arguments->layer, "stop after N blocks")->type_name("N");
  app.add_flag("--no-normalize", arguments->no_normalize, "leave vectors as the model makes them");
  add_text(app, "--prompt", arguments->prompt, "one of the model's prompts, by name")->type_name("NAME");
  add_text(app, "--instruction", arguments->instruction, "text to put in front of each text, instead of a prompt");
  add_text(app, "--policy", arguments->policy,
           "choose among the models of --config: quality=0.8,latency=0.2,language=de, in any combination")
      ->type_name("POLICY");
  app.add_flag("--json", arguments->json, "one JSON object per line, with the whole vector");
  app.callback([arguments] { embed(*arguments); });
}

}  // namespace vsr::cli
