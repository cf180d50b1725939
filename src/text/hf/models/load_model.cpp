#include "text/hf/models/load_model.h"

#include "text/hf/models/bpe.h"
#include "text/hf/models/unigram.h"
#include "text/hf/models/word_piece.h"

namespace vsr::text {
namespace {

// Files of before 2020 leave the type out; it shows in the keys.
std::string model_type(const base::JsonObject& json) {
  if (json.contains("type")) return json.required<std::string>("type");
  if (json.contains("merges")) return "BPE";
  if (json.contains("max_input_chars_per_word")) return "WordPiece";
  if (json.at("vocab").is_array()) return "Unigram";
  return "WordLevel";
}

ModelPtr load_word_piece(const base::JsonObject& json) {
  WordPieceOptions options;
  options.unk_token = json.required<std::string>("unk_token");
  options.continuing_subword_prefix = json.required<std::string>("continuing_subword_prefix");
  const int64_t most = json.required<int64_t>("max_input_chars_per_word");
  if (most < 1) json.at("max_input_chars_per_word").fail("is " + std::to_string(most) + ", expected 1 or more");
  options.max_input_chars_per_word = static_cast<size_t>(most);
  return make_word_piece(Vocabulary(read_vocabulary(json.required<base::JsonObject>("vocab"))), options, json.path());
}

}  // namespace

ModelPtr load_model(const base::JsonObject& json, bool byte_level) {
  const std::string type = model_type(json);
  if (type == "BPE") return load_bpe(json, byte_level);
  if (byte_level)
    json.fail_unsupported("is " + type + " under a ByteLevel pre-tokenizer, which vsr does not implement");
  if (type == "WordPiece") return load_word_piece(json);
  if (type == "Unigram") return load_unigram(json);
  if (type == "WordLevel") return load_word_level(json);
  json.fail_unsupported("has type \"" + type + "\", a model that vsr does not implement");
}

}  // namespace vsr::text
