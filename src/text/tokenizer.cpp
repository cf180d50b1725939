// Finds out what a path holds and loads it.
#include "text/tokenizer.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "text/hf/pipeline.h"
#include "text/hf/vocab_txt.h"
#include "text/sentencepiece/spm_checkpoint.h"
#include "text/sentencepiece/spm_tokenizer.h"

namespace vsr::text {
namespace {

namespace fs = std::filesystem;

std::string find_in_folder(const fs::path& folder) {
  constexpr const char* kNames[] = {"tokenizer.json", "vocab.txt", "tokenizer.model", "spiece.model",
                                    "sentencepiece.bpe.model"};
  for (const char* name : kNames) {
    if (base::file_present((folder / name).string())) return (folder / name).string();
  }
  base::fail(base::Status::kNotFound, folder.string(), ": no tokenizer.json, vocab.txt or sentencepiece model");
}

}  // namespace

Encoding Tokenizer::encode(std::string_view text, const std::string_view* pair, bool add_special_tokens) const {
  const TokenSequence first = tokenize(text);
  const SequenceView view{&first, 0, first.ids.size()};
  if (pair == nullptr) return apply_template(view, nullptr, add_special_tokens);
  const TokenSequence second = tokenize(*pair);
  const SequenceView pair_view{&second, 0, second.ids.size()};
  return apply_template(view, &pair_view, add_special_tokens);
}

std::shared_ptr<const Tokenizer> load_tokenizer(const base::JsonObject& json) {
  PipelineParts parts;
  if (json.contains("version") && json.required<std::string>("version") != "1.0") {
    json.at("version").fail_unsupported("is \"" + json.required<std::string>("version") + "\", expected \"1.0\"");
  }
  if (json.contains("normalizer")) parts.normalizer = load_normalizer(json.required<base::JsonObject>("normalizer"));
  if (json.contains("pre_tokenizer")) {
    parts.pre_tokenizers = load_pre_tokenizer(json.required<base::JsonObject>("pre_tokenizer"));
  }
  parts.model = load_model(json.required<base::JsonObject>("model"), parts.pre_tokenizers.byte_level);
  std::vector<AddedToken> added;
  if (json.contains("added_tokens")) added = read_added_tokens(json.at("added_tokens"), parts.model->vocabulary());
  size_t vocab_size = parts.model->vocabulary().size();
  for (const AddedToken& token : added) vocab_size = std::max(vocab_size, static_cast<size_t>(token.id) + 1);
  parts.added = std::make_unique<AddedTokens>(std::move(added), parts.normalizer.get(), json.path());
  if (json.contains("post_processor")) {
    parts.post_processor = load_post_processor(json.required<base::JsonObject>("post_processor"), vocab_size);
  }
  if (json.contains("decoder")) parts.decoder = load_decoder(json.required<base::JsonObject>("decoder"));
  return std::make_shared<Pipeline>(std::move(parts));
}

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const std::string file = is_folder ? find_in_folder(path) : path;
  if (file.ends_with(".txt")) return load_vocab_txt(file);
  if (file.ends_with(".model") || file.ends_with(".spm")) {
    if (is_folder) check_spm_checkpoint(path, file);
    return load_spm(file);
  }
  return load_tokenizer(base::read_json_file(file));
}

}  // namespace vsr::text
