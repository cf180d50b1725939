// vsr compress: the parts of long texts that say most about them.
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "input.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct CompressArguments {
  InputArguments input;
  size_t max_tokens = 512;
  std::string language;
  std::string tokenizer;
  bool view = false;
  bool json = false;
};

// The whole text, with what is dropped dimmed; where there is no colour it is left out between "[...]".
std::string kept_view(const std::string& text, const vsr_compressed* compressed) {
  const bool colour = styled("x", Style::kDim) != "x";
  std::string shown;
  size_t end = 0;
  const auto drop = [&](size_t until) {
    if (until == end) return;
    shown += colour ? styled(text.substr(end, until - end), Style::kDim) : "[...]";
  };
  for (size_t i = 0; i < vsr_compressed_range_count(compressed); ++i) {
    const vsr_range& range = *vsr_compressed_range(compressed, i);
    drop(range.start);
    shown += text.substr(range.start, range.end - range.start);
    end = range.end;
  }
  drop(text.size());
  return shown;
}

Json json_of(const vsr_compressed* compressed) {
  const vsr_str text = vsr_compressed_text(compressed);
  Json kept = Json::array();
  for (size_t i = 0; i < vsr_compressed_range_count(compressed); ++i) {
    const vsr_range& range = *vsr_compressed_range(compressed, i);
    kept.push_back({range.start, range.end});
  }
  return {{"text", text_of(text)},
          {"kept", std::move(kept)},
          {"tokens_before", vsr_compressed_given_token_count(compressed)},
          {"tokens_after", vsr_compressed_kept_token_count(compressed)},
          {"estimated", vsr_compressed_estimated(compressed) != 0}};
}

void compress(const CompressArguments& arguments) {
  Tokenizer tokenizer;
  if (!arguments.tokenizer.empty()) {
    tokenizer = make<Tokenizer>([&](vsr_tokenizer** out, vsr_error* error) {
      return vsr_tokenizer_load(arguments.tokenizer.c_str(), out, error);
    });
  }
  vsr_compress_options options = VSR_COMPRESS_OPTIONS_INIT;
  options.language = or_null(arguments.language);
  options.tokenizer = tokenizer.get();
  for (const Text& text : read_texts(arguments.input)) {
    const Compressed compressed = make<Compressed>([&](vsr_compressed** out, vsr_error* error) {
      return vsr_compress(view(text.text), arguments.max_tokens, &options, out, error);
    });
    if (arguments.json) {
      print_json(json_of(compressed.get()));
    } else if (arguments.view) {
      print_line(kept_view(text.text, compressed.get()));
    } else {
      const vsr_str kept = vsr_compressed_text(compressed.get());
      print_line(text_of(kept));
    }
  }
}

}  // namespace

void add_compress_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("compress", "shorten texts to the sentences that say most about them");
  const auto arguments = std::make_shared<CompressArguments>();
  add_input_arguments(app, arguments->input, false, FileForm::kWhole);
  app.add_option("--max-tokens,-n", arguments->max_tokens, "tokens to keep (512)")->check(CLI::PositiveNumber);
  add_text(app, "--language", arguments->language, "ISO 639-1, chooses the stop words; else found out");
  add_text(app, "--tokenizer", arguments->tokenizer,
           "counts tokens: a model's folder or tokenizer.json; else estimated");
  app.add_flag("--view", arguments->view, "show the whole text with what was dropped dimmed");
  app.add_flag("--json", arguments->json, "one JSON object per line");
  app.callback([arguments] { compress(*arguments); });
}

}  // namespace vsr::cli
