// Unigram as the library computes it: the best cut ending at each byte, in floats, so that ties fall the same way.
// tokenizer.json's Unigram (unigram.cpp) computes in doubles.

#include <algorithm>
#include <cfloat>

#include "base/checkpoint.h"
#include "base/error.h"
#include "text/sentencepiece/spm_segmenter.h"

namespace vsr::text {
namespace {

constexpr float kUnknownPenalty = 10.0F;
// Where scores begin anew, so that long texts do not lose their digits.
constexpr float kLeastScore = -100000.0F;

class SpmUnigram : public SpmSegmenter {
 public:
  SpmUnigram(const SpmModel& model, std::vector<std::pair<std::string_view, int32_t>> entries)
      : model_(model), trie_(entries) {
    for (const auto& [piece, id] : entries) longest_ = std::max(longest_, piece.size());
    float least = FLT_MAX;
    for (size_t id = 0; id < model.scores.size(); ++id) {
      if (model.types[id] != SpmType::kNormal) continue;
      least = std::min(least, model.scores[id]);
      most_ = std::max(most_, model.scores[id]);
    }
    unknown_score_ = least - kUnknownPenalty;
  }

  std::string_view kind() const override { return "sentencepiece Unigram"; }

  void segment(std::string_view text, std::vector<SpmPiece>& pieces) const override {
    std::vector<Node> nodes(text.size() + 1);
    base::Checkpoint checkpoint;
    for (size_t begin = 0; begin < text.size();) {
      checkpoint(begin);
      if (nodes[begin].score < kLeastScore) rebase(begin, nodes);
      const size_t length = spm_character_size(text.substr(begin));
      if (!reach_pieces(text, begin, length, nodes)) {
        const float score = unknown_score_ + nodes[begin].score;
        reach(nodes[begin + length], score, static_cast<uint32_t>(begin), model_.unk_id);
      }
      begin += length;
    }
    const size_t first = pieces.size();
    for (uint32_t end = static_cast<uint32_t>(text.size()); end > 0; end = nodes[end].begin) {
      pieces.push_back({end - nodes[end].begin, nodes[end].id});
    }
    std::reverse(pieces.begin() + static_cast<ptrdiff_t>(first), pieces.end());
  }

 private:
  // The best way to the byte: over a piece that begins at `begin`.
  struct Node {
    float score = 0;
    uint32_t begin = kUnreached;
    int32_t id = -1;
  };
  static constexpr uint32_t kUnreached = UINT32_MAX;

  static void reach(Node& node, float score, uint32_t begin, int32_t id) {
    if (node.begin != kUnreached && !(score > node.score)) return;
    node = {score, begin, id};
  }

  void rebase(size_t begin, std::vector<Node>& nodes) const {
    const float base = nodes[begin].score;
    const size_t end = std::min(begin + longest_ + 1, nodes.size());
    for (size_t i = begin; i < end; ++i) {
      if (nodes[i].begin != kUnreached) nodes[i].score -= base;
    }
  }

  // Whether one of them is a single character.
  bool reach_pieces(std::string_view text, size_t begin, size_t character, std::vector<Node>& nodes) const {
    const float here = nodes[begin].score;
    bool has_single = false;
    int32_t node = ByteTrie::kRoot;
    for (size_t end = begin; end < text.size();) {
      node = trie_.child(node, text[end++]);
      if (node == ByteTrie::kNone) break;
      const int32_t id = trie_.value(node);
      if (id == ByteTrie::kNone) continue;
      reach(nodes[end], piece_score(id, end - begin) + here, static_cast<uint32_t>(begin), id);
      has_single = has_single || end - begin == character;
    }
    return has_single;
  }

  float piece_score(int32_t id, size_t length) const {
    if (model_.type(id) != SpmType::kUserDefined) return model_.score(id);
    return static_cast<float>(length) * most_ - 0.1F;
  }

  const SpmModel& model_;
  ByteTrie trie_;
  size_t longest_ = 4;  // bytes of a piece, or of a character
  float most_ = FLT_MIN;
  float unknown_score_ = 0;
};

}  // namespace

SpmSegmenterPtr make_spm_unigram(const SpmModel& model, const std::string& path) {
  std::vector<std::pair<std::string_view, int32_t>> entries;
  for (size_t id = 0; id < model.types.size(); ++id) {
    const int32_t number = static_cast<int32_t>(id);
    if (model.is_text(number) && model.type(number) != SpmType::kUnused) {
      entries.emplace_back(model.pieces.tokens()[id], number);
    }
  }
  if (entries.empty()) base::fail(base::Status::kParse, path, ": no piece is of the type normal");
  return std::make_unique<SpmUnigram>(model, std::move(entries));
}

}  // namespace vsr::text
