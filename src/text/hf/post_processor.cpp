#include "text/hf/post_processor.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vsr::text {
namespace {

constexpr size_t kMostPieces = 4096;  // a token that means many may be named many times

using SpecialTokens = std::map<std::string, std::vector<int32_t>>;

int32_t read_id(const base::JsonValue& value, size_t vocab_size) {
  const int32_t id = value.as<int32_t>();
  if (id < 0 || static_cast<size_t>(id) >= vocab_size) {
    value.fail("is " + std::to_string(id) + ", the vocabulary has " + std::to_string(vocab_size) + " ids");
  }
  return id;
}

SpecialTokens read_special_tokens(const base::JsonObject& json, size_t vocab_size) {
  SpecialTokens tokens;
  for (const std::string& name : json.keys()) {
    for (const base::JsonValue& id : json.required<base::JsonObject>(name).at("ids").items()) {
      tokens[name].push_back(read_id(id, vocab_size));
    }
  }
  return tokens;
}

void read_piece(const base::JsonObject& json, const SpecialTokens& specials, bool is_pair,
                std::vector<TemplatePiece>& pieces) {
  const std::vector<std::string> keys = json.keys();
  if (keys.size() != 1 || (keys[0] != "SpecialToken" && keys[0] != "Sequence")) {
    json.fail("is no SpecialToken or Sequence");
  }
  const base::JsonObject content = json.required<base::JsonObject>(keys[0]);
  const std::string id = content.required<std::string>("id");
  const int32_t type_id = content.required<int32_t>("type_id");
  if (type_id < 0) content.at("type_id").fail("is " + std::to_string(type_id) + ", expected 0 or more");
  if (keys[0] == "Sequence") {
    if (id != "A" && !(id == "B" && is_pair)) content.at("id").fail("is \"" + id + "\", no such sequence");
    pieces.push_back({id == "A" ? TemplatePiece::kText : TemplatePiece::kPair, 0, type_id});
    return;
  }
  const auto tokens = specials.find(id);
  if (tokens == specials.end()) content.at("id").fail("is \"" + id + "\", which special_tokens lacks");
  for (const int32_t token : tokens->second) pieces.push_back({TemplatePiece::kSpecial, token, type_id});
}

std::vector<TemplatePiece> read_template(const base::JsonValue& json, const SpecialTokens& specials, bool is_pair) {
  std::vector<TemplatePiece> pieces;
  for (const base::JsonValue& item : json.items()) {
    read_piece(item.as<base::JsonObject>(), specials, is_pair, pieces);
    if (pieces.size() > kMostPieces) json.fail("adds more than " + std::to_string(kMostPieces) + " tokens");
  }
  size_t texts = 0, pairs = 0;
  for (const TemplatePiece& piece : pieces) {
    texts += piece.kind == TemplatePiece::kText;
    pairs += piece.kind == TemplatePiece::kPair;
  }
  if (texts != 1 || pairs != (is_pair ? 1u : 0u)) {
    json.fail(is_pair ? "does not hold A and B once each" : "does not hold A once");
  }
  return pieces;
}

int32_t read_token(const base::JsonObject& json, const std::string& key, size_t vocab_size) {
  const std::vector<base::JsonValue> pair = json.at(key).items();
  if (pair.size() != 2) json.at(key).fail("has " + std::to_string(pair.size()) + " items, expected a token and its id");
  return read_id(pair[1], vocab_size);
}

void read_trimming(const base::JsonObject& json, PostProcessor& processor) {
  processor.trim_offsets = json.required<bool>("trim_offsets");
  processor.add_prefix_space = json.required<bool>("add_prefix_space");
}

PostProcessor load_roberta(const base::JsonObject& json, size_t vocab_size) {
  const int32_t cls = read_token(json, "cls", vocab_size), sep = read_token(json, "sep", vocab_size);
  PostProcessor processor;
  using Piece = TemplatePiece;
  processor.tokens.single = {{Piece::kSpecial, cls, 0}, {Piece::kText, 0, 0}, {Piece::kSpecial, sep, 0}};
  processor.tokens.pair = processor.tokens.single;
  processor.tokens.pair.insert(processor.tokens.pair.end(),
                               {{Piece::kSpecial, sep, 0}, {Piece::kPair, 0, 0}, {Piece::kSpecial, sep, 0}});
  read_trimming(json, processor);
  return processor;
}

PostProcessor load_sequence(const base::JsonObject& json, size_t vocab_size) {
  PostProcessor result;
  bool has_template = false;
  for (const base::JsonValue& item : json.at("processors").items()) {
    PostProcessor step = load_post_processor(item.as<base::JsonObject>(), vocab_size);
    const std::string type = item.as<base::JsonObject>().required<std::string>("type");
    if (step.trim_offsets && result.trim_offsets) item.fail_unsupported("trims offsets a second time");
    if (step.trim_offsets) {
      result.trim_offsets = true;
      result.add_prefix_space = step.add_prefix_space;
      result.trims_after_template = has_template;
    }
    if (type == "ByteLevel") continue;
    if (has_template) item.fail_unsupported("is a second template");
    has_template = true;
    result.tokens = std::move(step.tokens);
  }
  return result;
}

}  // namespace

PostProcessor make_bert_processing(int32_t cls, int32_t sep) {
  using Piece = TemplatePiece;
  PostProcessor processor;
  processor.tokens.single = {{Piece::kSpecial, cls, 0}, {Piece::kText, 0, 0}, {Piece::kSpecial, sep, 0}};
  processor.tokens.pair = processor.tokens.single;
  processor.tokens.pair.insert(processor.tokens.pair.end(), {{Piece::kPair, 0, 1}, {Piece::kSpecial, sep, 1}});
  return processor;
}

PostProcessor load_post_processor(const base::JsonObject& json, size_t vocab_size) {
  const std::string type = json.required<std::string>("type");
  if (type == "BertProcessing") {
    return make_bert_processing(read_token(json, "cls", vocab_size), read_token(json, "sep", vocab_size));
  }
  if (type == "RobertaProcessing") return load_roberta(json, vocab_size);
  if (type == "Sequence") return load_sequence(json, vocab_size);
  PostProcessor processor;
  if (type == "ByteLevel") {
    read_trimming(json, processor);
  } else if (type == "TemplateProcessing") {
    const SpecialTokens specials = read_special_tokens(json.required<base::JsonObject>("special_tokens"), vocab_size);
    processor.tokens.single = read_template(json.at("single"), specials, false);
    processor.tokens.pair = read_template(json.at("pair"), specials, true);
  } else {
    json.at("type").fail_unsupported("is \"" + type + "\", a post-processor that vsr does not implement");
  }
  return processor;
}

}  // namespace vsr::text
