// WordPiece: the longest token of the vocabulary that fits, again and again; a word that cannot be finished is unknown.
#include "text/hf/models/word_piece.h"

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "text/parts/byte_trie.h"

namespace vsr::text {
namespace {

class WordPiece : public Model {
 public:
  WordPiece(Vocabulary vocabulary, const WordPieceOptions& options, int32_t unk_id)
      : vocabulary_(std::move(vocabulary)),
        trie_(entries(vocabulary_)),
        continuation_(trie_.walk(ByteTrie::kRoot, options.continuing_subword_prefix)),
        max_characters_(options.max_input_chars_per_word),
        unk_id_(unk_id) {}

  void tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const override {
    tokens.ids.reserve(tokens.ids.size() + words.size());
    tokens.spans.reserve(tokens.spans.size() + words.size());
    for (const Span word : words) {
      const size_t first = tokens.ids.size();
      if (is_too_long(text.substr(word.begin, word.end - word.begin)) || !match(text, word, tokens)) {
        tokens.ids.resize(first);
        tokens.spans.resize(first);
        tokens.add(unk_id_, word);
      }
    }
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view kind() const override { return "WordPiece"; }

 private:
  static std::vector<std::pair<std::string_view, int32_t>> entries(const Vocabulary& vocabulary) {
    std::vector<std::pair<std::string_view, int32_t>> list;
    list.reserve(vocabulary.count());
    for (size_t id = 0; id < vocabulary.size(); ++id) {
      const std::string& token = vocabulary.tokens()[id];
      if (!token.empty()) list.emplace_back(token, static_cast<int32_t>(id));
    }
    return list;
  }

  bool is_too_long(std::string_view word) const {
    if (word.size() <= max_characters_) return false;
    size_t characters = 0;
    for (const char byte : word) characters += !base::is_continuation(byte);
    return characters > max_characters_;
  }

  bool match(std::string_view text, Span word, Tokens& tokens) const {
    int32_t node = ByteTrie::kRoot;
    base::Checkpoint checkpoint(word.begin);
    for (uint32_t begin = word.begin; begin < word.end; node = continuation_) {
      checkpoint(begin);
      int32_t id = ByteTrie::kNone;
      uint32_t end = begin;
      for (uint32_t i = begin; node != ByteTrie::kNone && i < word.end;) {
        node = trie_.child(node, text[i++]);
        if (node != ByteTrie::kNone && trie_.value(node) != ByteTrie::kNone) {
          id = trie_.value(node);
          end = i;
        }
      }
      if (id == ByteTrie::kNone) return false;
      tokens.add(id, {begin, end});
      begin = end;
    }
    return true;
  }

  Vocabulary vocabulary_;
  ByteTrie trie_;
  int32_t continuation_;
  size_t max_characters_;
  int32_t unk_id_;
};

// WordLevel: a word is a token or it is unknown.
class WordLevel : public Model {
 public:
  WordLevel(Vocabulary vocabulary, int32_t unk_id) : vocabulary_(std::move(vocabulary)), unk_id_(unk_id) {}

  void tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const override {
    for (const Span word : words) {
      const int32_t id = vocabulary_.find(text.substr(word.begin, word.end - word.begin));
      tokens.add(id >= 0 ? id : unk_id_, word);
    }
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view kind() const override { return "WordLevel"; }

 private:
  Vocabulary vocabulary_;
  int32_t unk_id_;
};

int32_t find_unk(const Vocabulary& vocabulary, const std::string& token, const std::string& source) {
  const int32_t id = vocabulary.find(token);
  if (id < 0) base::fail(base::Status::kParse, source, ": the vocabulary lacks the unknown token \"", token, "\"");
  return id;
}

}  // namespace

ModelPtr make_word_piece(Vocabulary vocabulary, const WordPieceOptions& options, const std::string& source) {
  const int32_t unk_id = find_unk(vocabulary, options.unk_token, source);
  return std::make_unique<WordPiece>(std::move(vocabulary), options, unk_id);
}

ModelPtr load_word_level(const base::JsonObject& json) {
  Vocabulary vocabulary(read_vocabulary(json.required<base::JsonObject>("vocab")));
  const int32_t unk_id = find_unk(vocabulary, json.required<std::string>("unk_token"), json.path());
  return std::make_unique<WordLevel>(std::move(vocabulary), unk_id);
}

}  // namespace vsr::text
