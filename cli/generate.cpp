// vsr generate: text that goes on from a prompt.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

using Generation = std::unique_ptr<vsr_generation, FreedBy<vsr_generation_free>>;

struct GenerateArguments {
  ModelArguments model;
  InputArguments input;
  size_t max_new_tokens = 128;
  bool no_eos = false;
  float temperature = 0;
  int32_t top_k = 0;
  float top_p = 1;
  uint64_t seed = 0;
  bool json = false;
};

// A piece of text without the control characters that a terminal would obey; lines and tabs stay.
std::string for_terminal(std::string piece) {
  for (size_t i = 0; i < piece.size(); ++i) {
    const auto c = static_cast<unsigned char>(piece[i]);
    const bool second = c == 0xC2 && i + 1 < piece.size() && static_cast<unsigned char>(piece[i + 1]) < 0xA0;
    if (second) piece[i] = piece[i + 1] = ' ';
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) piece[i] = ' ';
  }
  return piece;
}

// Text is shown as it comes; a program that reads it gets every byte.
int32_t show(int32_t, vsr_str text, void*) {
  std::string piece = text_of(text);
  if (isatty(STDOUT_FILENO) != 0) piece = for_terminal(std::move(piece));
  std::fwrite(piece.data(), 1, piece.size(), stdout);
  std::fflush(stdout);
  return 0;
}

void print_generation_json(const Text& prompt, const vsr_generation* made) {
  Json object = json_of(prompt);
  const vsr_str text = vsr_generation_text(made);
  object["generated"] = text_of(text);
  Json ids = Json::array();
  for (size_t i = 0; i < vsr_generation_token_count(made); ++i) ids.push_back(vsr_generation_ids(made)[i]);
  object["ids"] = std::move(ids);
  object["finish"] = vsr_generation_finish(made) == VSR_FINISH_EOS ? "eos" : "length";
  object["prompt_tokens"] = vsr_generation_prompt_token_count(made);
  object["replaced"] = vsr_generation_replaced_size(made);
  print_json(object);
}

vsr_generate_options options_of(const GenerateArguments& arguments) {
  if (arguments.max_new_tokens == 0) throw UsageError("--max-new-tokens is 0, expected 1 or more");
  if (arguments.top_p == 0) throw UsageError("--top-p is 0, expected above 0 and at most 1");
  vsr_generate_options options = VSR_GENERATE_OPTIONS_INIT;
  options.task = or_null(arguments.model.task);
  options.max_new_tokens = arguments.max_new_tokens;
  options.no_eos = arguments.no_eos ? 1 : 0;
  options.temperature = arguments.temperature;
  options.top_k = arguments.top_k;
  options.top_p = arguments.top_p;
  options.seed = arguments.seed;
  if (!arguments.json) options.on_token = &show;
  return options;
}

void generate(const GenerateArguments& arguments) {
  require_model(arguments.model);
  const vsr_generate_options options = options_of(arguments);
  const std::vector<Text> texts = read_texts(arguments.input);
  const Engine engine = open_engine(arguments.model);
  for (const Text& text : texts) {
    const Generation made = make<Generation>([&](vsr_generation** out, vsr_error* error) {
      return vsr_generate(engine.get(), view(text.text), &options, out, error);
    });
    if (arguments.json) {
      print_generation_json(text, made.get());
    } else {
      std::fputc('\n', stdout);
    }
  }
}

}  // namespace

void add_generate_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("generate", "go on from a prompt with a causal language model");
  const auto arguments = std::make_shared<GenerateArguments>();
  add_input_arguments(app, arguments->input, false);
  add_model_arguments(app, arguments->model);
  app.add_option("--max-new-tokens", arguments->max_new_tokens, "the most new tokens (default 128)")->type_name("N");
  app.add_flag("--no-eos", arguments->no_eos, "go on after an end-of-text token");
  app.add_option("--temperature", arguments->temperature, "draw tokens; 0 takes the most likely one")->type_name("T");
  app.add_option("--top-k", arguments->top_k, "draw from the K most likely tokens")->type_name("K");
  app.add_option("--top-p", arguments->top_p, "draw from the most likely tokens that together have P")->type_name("P");
  app.add_option("--seed", arguments->seed, "of the draws: the same seed gives the same text")->type_name("N");
  app.add_flag("--json", arguments->json, "one JSON object per line, with the ids");
  app.callback([arguments] { generate(*arguments); });
}

}  // namespace vsr::cli
