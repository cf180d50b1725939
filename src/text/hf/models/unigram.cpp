// Unigram: the most probable way to cut a word into tokens, found by dynamic programming over its bytes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "text/hf/models/unigram.h"
#include "text/hf/models/word_cache.h"
#include "text/parts/byte_trie.h"
#include "text/unicode/byte_alphabet.h"

namespace vsr::text {
namespace {

// A character that no token covers costs this much more than the worst token.
constexpr double kUnknownPenalty = 10.0;

class Unigram : public Model {
 public:
  Unigram(Vocabulary vocabulary, std::vector<double> scores, int32_t unk_id, bool byte_fallback)
      : vocabulary_(std::move(vocabulary)), scores_(std::move(scores)), trie_(entries(vocabulary_)), unk_id_(unk_id) {
    double least = std::numeric_limits<double>::infinity();
    for (const double score : scores_) least = std::min(least, score);
    unknown_score_ = least - kUnknownPenalty;
    has_fallback_ = byte_fallback;
    for (unsigned byte = 0; byte < 256; ++byte) byte_ids_[byte] = vocabulary_.find(fallback_token(byte));
  }

  void tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const override {
    std::vector<Node> nodes;
    std::vector<Piece> pieces;
    CacheLease lease(caches_);
    WordCache& cache = *lease;
    for (const Span word : words) {
      const std::string_view content = text.substr(word.begin, word.end - word.begin);
      if (cache.find(content, word.begin, tokens)) continue;
      const size_t first = tokens.ids.size();
      search(content, nodes);
      trace(content, nodes, pieces);
      for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) add(content, word.begin, *piece, tokens);
      cache.add(content, word.begin, tokens, first);
    }
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view kind() const override { return "Unigram"; }

 private:
  // The best way to the byte: over a token that begins at `begin`.
  struct Node {
    double score = 0;
    int32_t id = 0;
    uint32_t begin = kUnreached;
  };
  static constexpr uint32_t kUnreached = UINT32_MAX;

  struct Piece {
    uint32_t begin, end;
    int32_t id;  // -1: unknown, several characters
  };

  static std::vector<std::pair<std::string_view, int32_t>> entries(const Vocabulary& vocabulary) {
    std::vector<std::pair<std::string_view, int32_t>> list;
    for (size_t id = 0; id < vocabulary.size(); ++id) {
      const std::string& token = vocabulary.tokens()[id];
      if (!token.empty() && vocabulary.find(token) == static_cast<int32_t>(id)) {
        list.emplace_back(token, static_cast<int32_t>(id));
      }
    }
    return list;
  }

  void search(std::string_view word, std::vector<Node>& nodes) const {
    nodes.assign(word.size() + 1, Node{});
    base::Checkpoint checkpoint;
    for (size_t begin = 0; begin < word.size();) {
      checkpoint(begin);
      const double here = nodes[begin].score;
      size_t length = 1;
      while (begin + length < word.size() && base::is_continuation(word[begin + length])) ++length;
      bool has_single = false;
      int32_t node = ByteTrie::kRoot;
      for (size_t i = begin; i < word.size();) {
        node = trie_.child(node, word[i++]);
        if (node == ByteTrie::kNone) break;
        const int32_t id = trie_.value(node);
        if (id == ByteTrie::kNone) continue;
        reach(nodes[i], scores_[static_cast<size_t>(id)] + here, id, begin);
        has_single = has_single || i - begin == length;
      }
      if (!has_single) {
        if (unk_id_ < 0) base::fail(base::Status::kUnsupported, "text: a character is no token and there is no unk_id");
        reach(nodes[begin + length], unknown_score_ + here, unk_id_, begin);
      }
      begin += length;
    }
  }

  static void reach(Node& node, double score, int32_t id, size_t begin) {
    if (node.begin != kUnreached && !(score > node.score)) return;
    node = {score, id, static_cast<uint32_t>(begin)};
  }

  // Collects the pieces from the end; neighbouring unknown characters become one.
  void trace(std::string_view word, const std::vector<Node>& nodes, std::vector<Piece>& pieces) const {
    pieces.clear();
    for (uint32_t end = static_cast<uint32_t>(word.size()); end > 0;) {
      const Node& node = nodes[end];
      if (node.id != unk_id_) {
        pieces.push_back({node.begin, end, node.id});
      } else if (!pieces.empty() && pieces.back().id < 0) {
        pieces.back().begin = node.begin;
      } else {
        pieces.push_back({node.begin, end, -1});
      }
      end = node.begin;
    }
  }

  void add(std::string_view word, uint32_t origin, const Piece& piece, Tokens& tokens) const {
    const Span span{origin + piece.begin, origin + piece.end};
    if (piece.id >= 0) return tokens.add(piece.id, span);
    // Unknown characters together may be a token after all.
    const std::string_view content = word.substr(piece.begin, piece.end - piece.begin);
    const int32_t id = vocabulary_.find(content);
    if (id >= 0) return tokens.add(id, span);
    const auto has_token = [&](char byte) { return byte_ids_[static_cast<unsigned char>(byte)] >= 0; };
    if (has_fallback_ && std::all_of(content.begin(), content.end(), has_token)) {
      for (const char byte : content) tokens.add(byte_ids_[static_cast<unsigned char>(byte)], span);
    } else {
      tokens.add(unk_id_, span);
    }
  }

  Vocabulary vocabulary_;
  std::vector<double> scores_;
  ByteTrie trie_;
  int32_t unk_id_;
  bool has_fallback_ = false;
  double unknown_score_ = 0;
  std::array<int32_t, 256> byte_ids_{};
  mutable WordCaches caches_;
};

}  // namespace

ModelPtr make_unigram(Vocabulary vocabulary, std::vector<double> scores, int32_t unk_id, bool byte_fallback) {
  return std::make_unique<Unigram>(std::move(vocabulary), std::move(scores), unk_id, byte_fallback);
}

ModelPtr load_unigram(const base::JsonObject& json) {
  const base::JsonValue list = json.at("vocab");
  if (!list.is_array()) list.fail("is " + std::string(list.kind()) + ", expected an array");
  const int64_t unk_id = json.optional<int64_t>("unk_id", -1);
  const int64_t count = static_cast<int64_t>(list.node().size());
  if (count > kMaxTokenId) list.fail("has " + std::to_string(count) + " tokens, too many");
  if (json.contains("unk_id") && (unk_id < 0 || unk_id >= count)) {
    json.at("unk_id").fail("is " + std::to_string(unk_id) + ", the vocabulary has " + std::to_string(count) +
                           " tokens");
  }
  std::vector<std::string> tokens;
  std::vector<double> scores;
  tokens.reserve(list.node().size());
  for (const auto& item : list.node()) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_number()) {
      list.items()[tokens.size()].fail("is no pair of token and score");
    }
    tokens.push_back(item[0].get_ref<const std::string&>());
    if (tokens.back().size() > kMaxTokenBytes) {
      list.fail("has a token of " + std::to_string(tokens.back().size()) + " bytes, too long");
    }
    scores.push_back(item[1].get<double>());
  }
  return make_unigram(Vocabulary(std::move(tokens)), std::move(scores), static_cast<int32_t>(unk_id),
                      json.optional<bool>("byte_fallback", false));
}

}  // namespace vsr::text
