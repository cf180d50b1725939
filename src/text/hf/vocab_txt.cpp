#include "text/hf/vocab_txt.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/hf/models/word_piece.h"
#include "text/hf/normalizers/normalizer_bert.h"
#include "text/hf/pipeline.h"
#include "text/hf/pre_tokenizers/pre_tokenizer_basic.h"

namespace vsr::text {
namespace {

struct Options {
  BertNormalizerOptions normalizer;
  std::string unk = "[UNK]", sep = "[SEP]", pad = "[PAD]", cls = "[CLS]", mask = "[MASK]";
};

// A token is a string, or an object that holds it as "content".
void read_token(const base::JsonObject& json, const std::string& key, std::string& token) {
  if (!json.contains(key)) return;
  token = json.at(key).is_object() ? json.required<base::JsonObject>(key).required<std::string>("content")
                                   : json.required<std::string>(key);
}

Options read_options(const std::string& vocab_path) {
  Options options;
  const std::filesystem::path config = std::filesystem::path(vocab_path).parent_path() / "tokenizer_config.json";
  if (!std::filesystem::exists(config)) return options;
  const base::JsonObject json = base::read_json_file(config.string());
  options.normalizer.lowercase = json.optional<bool>("do_lower_case", true);
  options.normalizer.strip_accents = json.optional<bool>("strip_accents", options.normalizer.lowercase);
  options.normalizer.handle_chinese_chars = json.optional<bool>("tokenize_chinese_chars", true);
  read_token(json, "unk_token", options.unk);
  read_token(json, "sep_token", options.sep);
  read_token(json, "pad_token", options.pad);
  read_token(json, "cls_token", options.cls);
  read_token(json, "mask_token", options.mask);
  return options;
}

// A token given on two lines has the later line's id, as in the reference.
std::vector<std::string> read_lines(const std::string& path) {
  const base::FileContents file(path);
  std::vector<std::string> tokens;
  std::unordered_map<std::string, size_t> seen;
  std::string_view rest = file.text();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string token(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!token.empty() && (token.back() == '\r' || token.back() == ' ' || token.back() == '\t')) token.pop_back();
    if (base::CleanText(token).replaced_bytes() > 0) {
      base::fail(base::Status::kParse, path, ": line ", tokens.size() + 1, " is not UTF-8");
    }
    if (tokens.size() > static_cast<size_t>(kMaxTokenId)) base::fail(base::Status::kParse, path, ": too many lines");
    if (token.size() > kMaxTokenBytes) {
      base::fail(base::Status::kParse, path, ": line ", tokens.size() + 1, " has ", token.size(), " bytes, too long");
    }
    const auto [entry, is_new] = seen.emplace(token, tokens.size());
    if (!is_new) {
      tokens[entry->second].clear();
      entry->second = tokens.size();
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

int32_t find(const Vocabulary& vocabulary, const std::string& token, const std::string& path) {
  const int32_t id = vocabulary.find(token);
  if (id < 0) base::fail(base::Status::kParse, path, ": the special token \"", token, "\" is missing");
  return id;
}

}  // namespace

std::shared_ptr<const Tokenizer> load_vocab_txt(const std::string& path) {
  const Options options = read_options(path);
  Vocabulary vocabulary(read_lines(path));
  std::vector<AddedToken> added;
  for (const std::string& content : {options.pad, options.unk, options.cls, options.sep, options.mask}) {
    const int32_t id = vocabulary.find(content);
    const bool is_new = std::none_of(added.begin(), added.end(), [&](const AddedToken& t) { return t.id == id; });
    if (id >= 0 && is_new) added.push_back({.content = content, .id = id, .special = true, .in_model = true});
  }
  PipelineParts parts;
  parts.post_processor = make_bert_processing(find(vocabulary, options.cls, path), find(vocabulary, options.sep, path));
  parts.normalizer = make_bert_normalizer(options.normalizer);
  parts.pre_tokenizers.steps = make_bert_pre_tokenizer();
  parts.model = make_word_piece(std::move(vocabulary), {.unk_token = options.unk}, path);
  parts.added = std::make_unique<AddedTokens>(std::move(added), parts.normalizer.get(), path);
  parts.decoder = make_word_piece_decoder("##", true);
  return std::make_shared<Pipeline>(std::move(parts));
}

}  // namespace vsr::text
