// BPE as the library computes it: neighbours merge when together they are a piece, whichever they are themselves, the
// piece of the highest score first, the leftmost of equal ones.

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "text/parts/bpe_cuts.h"
#include "text/sentencepiece/spm_segmenter.h"

namespace vsr::text {
namespace {

// Below this many symbols, scanning for the best merge beats a heap.
constexpr size_t kShortWord = 48;
constexpr uint32_t kNoRank = UINT32_MAX;

class SpmBpe : public SpmSegmenter {
 public:
  SpmBpe(const SpmModel& model, const SpmSymbols& symbols)
      : model_(model), symbols_(symbols), has_unused_(model.has(SpmType::kUnused)) {
    rank_pieces();
    // What unused pieces fall back into depends on the whole text.
    if (!has_unused_) cuts_ = std::make_unique<const BpeCuts>(model.pieces);
  }

  std::string_view kind() const override { return "sentencepiece BPE"; }

  void segment(std::string_view text, std::vector<SpmPiece>& pieces) const override {
    Scratch scratch;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = cuts_ != nullptr ? cuts_->next(text, begin) : text.size();
      segment_word(text.substr(begin, end - begin), scratch, pieces);
      begin = end;
    }
  }

 private:
  struct Symbol {
    uint32_t begin;
    uint32_t length;  // 0: merged into another
    bool frozen;      // user-defined: never merged
  };
  struct Entry {
    uint64_t order;   // rank above position
    uint32_t length;  // of the piece
    friend bool operator>(const Entry& a, const Entry& b) { return a.order > b.order; }
  };
  struct Scratch {
    std::vector<Symbol> symbols;
    std::vector<uint32_t> ranks, next, previous;
    std::unordered_map<int32_t, uint32_t> cuts;  // of unused pieces: the length of the left part
  };

  // Pieces of one score have one rank.
  void rank_pieces() {
    std::vector<float> scores = model_.scores;
    std::sort(scores.begin(), scores.end(), std::greater<>());
    scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
    ranks_.resize(model_.scores.size());
    for (size_t id = 0; id < ranks_.size(); ++id) {
      const auto place = std::lower_bound(scores.begin(), scores.end(), model_.scores[id], std::greater<>());
      ranks_[id] = static_cast<uint32_t>(place - scores.begin());
    }
  }

  void segment_word(std::string_view word, Scratch& scratch, std::vector<SpmPiece>& pieces) const {
    add_symbols(word, scratch.symbols);
    if (scratch.symbols.size() <= kShortWord && !has_unused_) {
      merge_short(word, scratch);
    } else {
      merge_long(word, scratch);
    }
    for (const Symbol& symbol : scratch.symbols) {
      if (symbol.length > 0) emit(word.substr(symbol.begin, symbol.length), scratch, pieces);
    }
  }

  void add_symbols(std::string_view word, std::vector<Symbol>& symbols) const {
    symbols.clear();
    for (size_t begin = 0; begin < word.size();) {
      size_t length = symbols_.match(word.substr(begin));
      const bool frozen = length > 0;
      if (!frozen) length = spm_character_size(word.substr(begin));
      symbols.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(length), frozen});
      begin += length;
    }
  }

  // The piece that two neighbours make; -1 when they make none.
  int32_t find_merge(std::string_view word, const Symbol& left, const Symbol& right) const {
    if (left.frozen || right.frozen) return -1;
    const int32_t id = model_.pieces.find(word.substr(left.begin, left.length + right.length));
    return id >= 0 && model_.is_text(id) ? id : -1;
  }

  void merge_short(std::string_view word, Scratch& scratch) const {
    std::vector<Symbol>& symbols = scratch.symbols;
    size_t count = symbols.size();
    scratch.ranks.resize(count);
    uint32_t* ranks = scratch.ranks.data();
    const auto look_up = [&](size_t i) {
      const int32_t id = find_merge(word, symbols[i], symbols[i + 1]);
      ranks[i] = id >= 0 ? ranks_[static_cast<size_t>(id)] : kNoRank;
    };
    for (size_t i = 0; i + 1 < count; ++i) look_up(i);
    while (count > 1) {
      const size_t best = static_cast<size_t>(std::min_element(ranks, ranks + count - 1) - ranks);
      if (ranks[best] == kNoRank) break;
      symbols[best].length += symbols[best + 1].length;
      const ptrdiff_t after = static_cast<ptrdiff_t>(best) + 1;
      symbols.erase(symbols.begin() + after);
      std::copy(ranks + after, ranks + count - 1, ranks + best);
      --count;
      if (best + 1 < count) look_up(best);
      if (best > 0) look_up(best - 1);
    }
  }

  // In n log n: a heap of merges, some of them outdated, over a linked list of symbols.
  void merge_long(std::string_view word, Scratch& scratch) const {
    std::vector<Symbol>& symbols = scratch.symbols;
    const uint32_t count = static_cast<uint32_t>(symbols.size());
    scratch.next.resize(count);
    scratch.previous.resize(count);
    scratch.cuts.clear();
    for (uint32_t i = 0; i < count; ++i) {
      scratch.next[i] = i + 1;
      scratch.previous[i] = i - 1;
    }
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto push = [&](uint32_t left, uint32_t right) {
      const int32_t id = find_merge(word, symbols[left], symbols[right]);
      if (id < 0) return;
      const uint64_t rank = ranks_[static_cast<size_t>(id)];
      queue.push({rank << 32 | left, symbols[left].length + symbols[right].length});
      if (has_unused_ && model_.type(id) == SpmType::kUnused) scratch.cuts[id] = symbols[left].length;
    };
    for (uint32_t i = 0; i + 1 < count; ++i) push(i, i + 1);
    while (!queue.empty()) {
      const Entry entry = queue.top();
      queue.pop();
      const uint32_t left = static_cast<uint32_t>(entry.order);
      const uint32_t right = scratch.next[left];
      if (symbols[left].length == 0 || right >= count) continue;
      if (symbols[left].length + symbols[right].length != entry.length) continue;  // outdated: one of them has grown
      symbols[left].length = entry.length;
      symbols[right].length = 0;
      scratch.next[left] = scratch.next[right];
      if (scratch.next[left] < count) scratch.previous[scratch.next[left]] = left;
      if (left > 0) push(scratch.previous[left], left);
      if (scratch.next[left] < count) push(left, scratch.next[left]);
    }
  }

  // Unused pieces fall back into what they were last seen to be made of.
  void emit(std::string_view symbol, const Scratch& scratch, std::vector<SpmPiece>& pieces) const {
    std::vector<std::string_view> parts;
    for (bool more = true; more;) {
      const int32_t id = model_.pieces.find(symbol);
      const auto cut = id >= 0 && model_.type(id) == SpmType::kUnused ? scratch.cuts.find(id) : scratch.cuts.end();
      if (cut != scratch.cuts.end()) {
        parts.push_back(symbol.substr(cut->second));
        symbol = symbol.substr(0, cut->second);
        continue;
      }
      const bool is_used = id >= 0 && model_.is_text(id) && model_.type(id) != SpmType::kUnused;
      pieces.push_back({static_cast<uint32_t>(symbol.size()), is_used ? id : model_.unk_id});
      more = !parts.empty();
      if (more) {
        symbol = parts.back();
        parts.pop_back();
      }
    }
  }

  const SpmModel& model_;
  const SpmSymbols& symbols_;
  bool has_unused_;
  std::unique_ptr<const BpeCuts> cuts_;  // null where texts may not be cut
  std::vector<uint32_t> ranks_;
};

}  // namespace

SpmSegmenterPtr make_spm_bpe(const SpmModel& model, const SpmSymbols& symbols) {
  return std::make_unique<SpmBpe>(model, symbols);
}

}  // namespace vsr::text
