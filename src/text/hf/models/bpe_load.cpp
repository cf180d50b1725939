// Reads a BPE model of a tokenizer.json.

#include "base/utf8.h"
#include "text/hf/models/bpe.h"
#include "text/unicode/byte_alphabet.h"

namespace vsr::text {
namespace {

using Node = base::JsonValue::Node;

BpeOptions read_options(const base::JsonObject& json, bool byte_level) {
  BpeOptions options;
  if (json.contains("dropout") && json.required<double>("dropout") != 0) {
    json.at("dropout").fail_unsupported("is not 0: vsr does not drop merges at random");
  }
  if (json.contains("unk_token")) options.unk_token = json.required<std::string>("unk_token");
  options.continuing_subword_prefix = json.optional<std::string>("continuing_subword_prefix", "");
  options.end_of_word_suffix = json.optional<std::string>("end_of_word_suffix", "");
  options.fuse_unk = json.optional<bool>("fuse_unk", false);
  options.byte_fallback = json.optional<bool>("byte_fallback", false);
  options.ignore_merges = json.optional<bool>("ignore_merges", false);
  options.byte_level = byte_level;
  const bool has_affix = !options.continuing_subword_prefix.empty() || !options.end_of_word_suffix.empty();
  if (byte_level && (has_affix || options.byte_fallback)) {
    json.fail_unsupported("has a subword prefix, a word suffix or byte fallback under a ByteLevel pre-tokenizer");
  }
  return options;
}

// A merge is "left right", or [left, right].
bool split_merge(const Node& merge, std::string_view& left, std::string_view& right) {
  if (merge.is_string()) {
    const std::string_view text = merge.get_ref<const std::string&>();
    const size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) return false;
    left = text.substr(0, space);
    right = text.substr(space + 1);
    return true;
  }
  if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) return false;
  left = merge[0].get_ref<const std::string&>();
  right = merge[1].get_ref<const std::string&>();
  return true;
}

BpeMerges read_merges(const base::JsonValue& json, const Vocabulary& vocabulary, const std::string& prefix) {
  if (!json.is_array()) json.fail("is " + std::string(json.kind()) + ", expected an array");
  BpeMerges merges(json.node().size());
  std::string joined;
  uint32_t rank = 0;
  for (size_t i = 0; i < json.node().size(); ++i) {
    const Node& node = json.node()[i];
    if (node.is_string() && node.get_ref<const std::string&>().starts_with("#version")) continue;
    std::string_view left, right;
    const auto fail = [&](const std::string& what) { json.items()[i].fail(what); };
    if (!split_merge(node, left, right)) fail("is no pair of tokens");
    if (right.size() < prefix.size()) fail("has a second token shorter than continuing_subword_prefix");
    joined.assign(left).append(right.substr(prefix.size()));
    const int32_t left_id = vocabulary.find(left), right_id = vocabulary.find(right), id = vocabulary.find(joined);
    for (const auto& [token_id, token] :
         {std::pair(left_id, left), {right_id, right}, {id, std::string_view(joined)}}) {
      if (token_id < 0) fail("needs the token \"" + std::string(token) + "\", which the vocabulary lacks");
    }
    merges.set(left_id, right_id, {rank++, id});
  }
  return merges;
}

// Whether every text can be written in tokens, so that the unknown token is never needed.
bool covers_every_byte(const Vocabulary& vocabulary, const BpeOptions& options) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::string token;
    if (options.byte_level) {
      base::append_utf8(token, character_of_byte(static_cast<uint8_t>(byte)));
    } else {
      token = fallback_token(byte);
    }
    if (vocabulary.find(token) < 0) return false;
  }
  return options.byte_level || options.byte_fallback;
}

}  // namespace

ModelPtr load_bpe(const base::JsonObject& json, bool byte_level) {
  const BpeOptions options = read_options(json, byte_level);
  Vocabulary vocabulary(read_vocabulary(json.required<base::JsonObject>("vocab")));
  BpeMerges merges = read_merges(json.at("merges"), vocabulary, options.continuing_subword_prefix);
  const int32_t unk_id = options.unk_token ? vocabulary.find(*options.unk_token) : -1;
  if (options.unk_token && unk_id < 0 && !covers_every_byte(vocabulary, options)) {
    json.at("unk_token").fail("is \"" + *options.unk_token + "\", which the vocabulary lacks");
  }
  return std::make_unique<Bpe>(std::move(vocabulary), std::move(merges), options, unk_id);
}

}  // namespace vsr::text
