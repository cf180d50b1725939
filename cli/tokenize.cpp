// vsr tokenize: ids, tokens and byte offsets.
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct TokenizeArguments {
  ModelArguments model;
  InputArguments input;
  bool no_special_tokens = false;
  bool json = false;
};

// The tokenizer of a folder or file needs no weights; the one of a config's model needs the engine.
Tokenizer open_tokenizer(const ModelArguments& arguments) {
  require_model(arguments);
  if (arguments.config.empty()) {
    return make<Tokenizer>(
        [&](vsr_tokenizer** out, vsr_error* error) { return vsr_tokenizer_load(arguments.model.c_str(), out, error); });
  }
  const Engine engine = open_engine(arguments);
  return make<Tokenizer>([&](vsr_tokenizer** out, vsr_error* error) {
    return vsr_engine_tokenizer(engine.get(), or_null(arguments.task), out, error);
  });
}

void print_encoding_json(const Text& text, const vsr_encoding* encoding) {
  const size_t size = vsr_encoding_token_count(encoding);
  const size_t* offsets = vsr_encoding_offsets(encoding);
  Json object = json_of(text);
  Json tokens = Json::array();
  Json spans = Json::array();
  for (size_t i = 0; i < size; ++i) {
    tokens.push_back(text_of(vsr_encoding_token(encoding, i)));
    spans.push_back({offsets[2 * i], offsets[2 * i + 1]});
  }
  const auto numbers = [&](const int32_t* values) { return std::vector<int32_t>(values, values + size); };
  object["ids"] = numbers(vsr_encoding_ids(encoding));
  object["tokens"] = std::move(tokens);
  object["offsets"] = std::move(spans);
  object["type_ids"] = numbers(vsr_encoding_type_ids(encoding));
  object["sides"] = numbers(vsr_encoding_sides(encoding));
  object["replaced"] = vsr_encoding_replaced_size(encoding);
  print_json(object);
}

void print_encoding(const Text& text, const vsr_encoding* encoding) {
  const size_t size = vsr_encoding_token_count(encoding);
  const size_t* offsets = vsr_encoding_offsets(encoding);
  const int32_t* sides = vsr_encoding_sides(encoding);
  std::string title = for_display(text.text, terminal_width() - 14);
  if (text.pair) title += " | " + for_display(*text.pair, terminal_width() - 14);
  print_line(styled(title, Style::kBold) + styled("  " + format_count(size, "token"), Style::kDim));
  std::vector<std::string> tokens;
  for (size_t i = 0; i < size; ++i) tokens.push_back(text_of(vsr_encoding_token(encoding, i)));
  const Table table({{"", 8, Align::kRight}, {"", column_width(tokens, 5, 40)}, {"", 32}});
  for (size_t i = 0; i < size; ++i) {
    std::string place = "bytes " + std::to_string(offsets[2 * i]) + "-" + std::to_string(offsets[2 * i + 1]);
    if (sides[i] == 1) place += " of the pair";
    if (sides[i] < 0) place = "special";
    table.print_row({{std::to_string(vsr_encoding_ids(encoding)[i])},
                     {tokens[i], sides[i] < 0 ? Style::kDim : Style::kGood},
                     {place, Style::kDim}});
  }
}

void tokenize(const TokenizeArguments& arguments) {
  require_model(arguments.model);
  const std::vector<Text> texts = read_texts(arguments.input);
  const Tokenizer tokenizer = open_tokenizer(arguments.model);
  for (const Text& text : texts) {
    const vsr_str pair = text.pair ? view(*text.pair) : vsr_str{};
    const Encoding encoding = make<Encoding>([&](vsr_encoding** out, vsr_error* error) {
      return vsr_tokenizer_encode(tokenizer.get(), view(text.text), text.pair ? &pair : nullptr,
                                  arguments.no_special_tokens ? 0 : 1, out, error);
    });
    (arguments.json ? print_encoding_json : print_encoding)(text, encoding.get());
  }
}

}  // namespace

void add_tokenize_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("tokenize", "show the tokens of texts, or of pairs of texts");
  const auto arguments = std::make_shared<TokenizeArguments>();
  add_input_arguments(app, arguments->input, true);
  add_model_arguments(app, arguments->model, false);
  add_text(app, "-t,--task", arguments->model.task, "with --config: the model whose tokenizer to use")
      ->type_name("NAME");
  app.get_option("--model")->description("folder of the model, or a tokenizer.json, vocab.txt or sentencepiece model");
  app.add_flag("--no-special-tokens", arguments->no_special_tokens, "leave out what the template adds");
  app.add_flag("--json", arguments->json, "one JSON object per line; offsets are bytes");
  app.callback([arguments] { tokenize(*arguments); });
}

}  // namespace vsr::cli
