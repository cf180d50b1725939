// vsr entities: the spans that a token-classification head finds.
#include <algorithm>
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct EntitiesArguments {
  ModelArguments model;
  InputArguments input;
  float threshold = 0;
  bool json = false;
};

using Found = std::vector<vsr_entity>;

// The entities of each text of a result.
std::vector<Found> by_text(const vsr_result* result) {
  std::vector<Found> found(vsr_result_text_count(result));
  for (size_t i = 0; i < vsr_result_entity_count(result); ++i) {
    const vsr_entity& entity = *vsr_result_entity(result, i);
    found[entity.text].push_back(entity);
  }
  return found;
}

std::string part(const Text& text, const vsr_entity& entity) {
  return text.text.substr(entity.start, entity.end - entity.start);
}

void print_entities_json(const Text& text, const Found& found, const vsr_result* result, size_t row) {
  Json object = json_of(text);
  Json entities = Json::array();
  for (const vsr_entity& entity : found) {
    entities.push_back({{"label", text_of(entity.label)},
                        {"start", entity.start},
                        {"end", entity.end},
                        {"score", entity.score},
                        {"text", part(text, entity)}});
  }
  object["entities"] = std::move(entities);
  add_usage(object, result, row);
  print_json(object);
}

void print_entities(const Text& text, const Found& found, const vsr_result*, size_t) {
  print_line(styled(for_display(text.text, terminal_width()), Style::kBold));
  if (found.empty()) print_line(styled("  none", Style::kDim));
  std::vector<std::string> labels;
  std::vector<std::string> parts;
  for (const vsr_entity& entity : found) {
    labels.push_back(text_of(entity.label));
    parts.push_back(for_display(part(text, entity), 60));
  }
  const Table table({{"", 0}, {"", column_width(labels, 0, 28)}, {"", column_width(parts, 0, 60)}, {"", 5}, {"", 24}});
  for (size_t i = 0; i < found.size(); ++i) {
    table.print_row({{""},
                     {labels[i], Style::kGood},
                     {parts[i]},
                     {format_number(found[i].score, 3)},
                     {"bytes " + std::to_string(found[i].start) + "-" + std::to_string(found[i].end), Style::kDim}});
  }
}

void entities(const EntitiesArguments& arguments) {
  require_model(arguments.model);
  const std::vector<Text> texts = read_texts(arguments.input);
  const Engine engine = open_engine(arguments.model);
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  options.threshold = arguments.threshold;
  options.task = or_null(arguments.model.task);
  options.max_tokens = arguments.model.max_tokens;
  Notes notes;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const TextViews batch = views(texts, begin, std::min(begin + kBatch, texts.size()));
    const Result result = make<Result>([&](vsr_result** out, vsr_error* error) {
      return vsr_entities(engine.get(), batch.texts.data(), batch.texts.size(), &options, out, error);
    });
    const std::vector<Found> found = by_text(result.get());
    for (size_t row = 0; row < found.size(); ++row) {
      notes.add(result.get(), row);
      (arguments.json ? print_entities_json : print_entities)(texts[begin + row], found[row], result.get(), row);
    }
  }
  if (!arguments.json) notes.print();
}

}  // namespace

void add_entities_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("entities", "find names, numbers and other spans that a model labels");
  const auto arguments = std::make_shared<EntitiesArguments>();
  add_input_arguments(app, arguments->input, false);
  add_model_arguments(app, arguments->model);
  add_token_limit(app, arguments->model);
  app.add_option("--threshold", arguments->threshold, "least score of an entity, above 0 and up to 1 (default 0.5)")
      ->type_name("P");
  app.add_flag("--json", arguments->json, "one JSON object per line; offsets are bytes");
  app.callback([arguments] { entities(*arguments); });
}

}  // namespace vsr::cli
