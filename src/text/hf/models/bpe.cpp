#include "text/hf/models/bpe.h"

#include <algorithm>
#include <functional>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/byte_alphabet.h"

namespace vsr::text {
namespace {

// Below this many symbols, scanning for the best merge beats a heap.
constexpr size_t kShortWord = 96;
// Longer words of bytes are cut into parts of at least as many.
constexpr size_t kLeastChunk = 512;

Vocabulary read_byte_tokens(const Vocabulary& vocabulary) {
  std::vector<std::string> tokens(vocabulary.size());
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (!bytes_of_token(vocabulary.tokens()[id], tokens[id])) tokens[id].clear();
  }
  return Vocabulary(std::move(tokens));
}

}  // namespace

Bpe::Bpe(Vocabulary vocabulary, BpeMerges merges, const BpeOptions& options, int32_t unk_id)
    : vocabulary_(std::move(vocabulary)),
      merges_(std::move(merges)),
      options_(options),
      unk_id_(unk_id),
      whole_(std::make_unique<std::atomic<uint8_t>[]>(vocabulary_.size())) {
  if (options.byte_level) byte_tokens_ = std::make_unique<const Vocabulary>(read_byte_tokens(vocabulary_));
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char raw = static_cast<char>(byte);
    byte_ids_[byte] = options.byte_level ? byte_tokens_->find({&raw, 1}) : vocabulary_.find(fallback_token(byte));
    has_all_bytes_ = has_all_bytes_ && byte_ids_[byte] >= 0;
    if (byte < 128) ascii_ids_[byte] = vocabulary_.find({&raw, 1});
  }
  const bool is_plain = options.continuing_subword_prefix.empty() && options.end_of_word_suffix.empty();
  const bool keeps_all = unk_id >= 0 || (options.byte_fallback && has_all_bytes_);
  if (!options.byte_level && is_plain && keeps_all) cuts_ = std::make_unique<const BpeCuts>(vocabulary_);
  if (options.byte_level && has_all_bytes_ && !options.ignore_merges) {
    byte_cuts_ = std::make_unique<const ByteCuts>(*byte_tokens_);
  }
  for (size_t c = 0; cuts_ != nullptr && c < 128; ++c)
    joined_to_space_[c] = cuts_->joined_to_mark(static_cast<char>(c));
}

void Bpe::tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const {
  CacheLease cache(caches_);
  Scratch scratch{*cache};
  tokens.ids.reserve(tokens.ids.size() + words.size());
  tokens.spans.reserve(tokens.spans.size() + words.size());
  for (const Span word : words) tokenize_word(text, word, scratch, tokens);
}

void Bpe::tokenize_word(std::string_view text, Span word, Scratch& scratch, Tokens& tokens) const {
  if (cuts_ == nullptr) {
    if (byte_cuts_ != nullptr && word.end - word.begin > kLeastChunk) {
      return tokenize_long_word(text, word, scratch, tokens);
    }
    return tokenize_chunk(text, word, scratch, tokens);
  }
  const std::string_view content = text.substr(0, word.end);
  if (options_.ignore_merges) {
    const int32_t id = vocabulary_.find(content.substr(word.begin));
    if (id >= 0) return tokens.add(id, word);
  }
  base::Checkpoint checkpoint(word.begin);
  for (uint32_t begin = word.begin; begin < word.end;) {
    checkpoint(begin);
    const uint32_t end = static_cast<uint32_t>(cuts_->next(content, begin));
    tokenize_chunk(text, {begin, end}, scratch, tokens);
    begin = end;
  }
}

void Bpe::tokenize_long_word(std::string_view text, Span word, Scratch& scratch, Tokens& tokens) const {
  const std::string_view content = text.substr(0, word.end);
  base::Checkpoint checkpoint(word.begin);
  for (uint32_t begin = word.begin; begin < word.end;) {
    checkpoint(begin);
    const uint32_t end = static_cast<uint32_t>(byte_cuts_->next(content, begin, kLeastChunk));
    tokenize_chunk(text, {begin, end}, scratch, tokens);
    begin = end;
  }
}

void Bpe::tokenize_chunk(std::string_view text, Span chunk, Scratch& scratch, Tokens& tokens) const {
  const std::string_view word = text.substr(chunk.begin, chunk.end - chunk.begin);
  if (scratch.cache.find(word, chunk.begin, tokens)) return;
  const size_t first = tokens.ids.size();
  int32_t id = -1;
  if (is_token(word, scratch, id)) {
    tokens.add(id, chunk);
  } else {
    merge_word(word, scratch);
    emit(text, chunk, scratch, tokens);
  }
  scratch.cache.add(word, chunk.begin, tokens, first);
}

// Whether all of the word is one token, without going through its merges each time.
bool Bpe::is_token(std::string_view word, Scratch& scratch, int32_t& id) const {
  id = options_.byte_level ? byte_tokens_->find(word) : vocabulary_.find(word);
  if (id < 0) return false;
  if (options_.ignore_merges && cuts_ == nullptr) return true;
  const uint8_t known = whole_[static_cast<size_t>(id)].load(std::memory_order_relaxed);
  if (known != 0) return known == 1;
  return decide_whole(id, word, scratch);
}

bool Bpe::decide_whole(int32_t id, std::string_view word, Scratch& scratch) const {
  merge_word(word, scratch);
  const bool is_whole = scratch.symbols.size() == 1 && scratch.symbols[0].id == id && !scratch.dropped;
  whole_[static_cast<size_t>(id)].store(is_whole ? 1 : 2, std::memory_order_relaxed);
  return is_whole;
}

void Bpe::merge_word(std::string_view word, Scratch& scratch) const {
  scratch.symbols.clear();
  scratch.dropped = false;
  if (options_.byte_level) {
    add_bytes(word, scratch);
  } else {
    add_symbols(word, scratch);
  }
  if (scratch.symbols.size() < 2) return;
  if (scratch.symbols.size() <= kShortWord) {
    merge_short(scratch);
  } else {
    merge_long(scratch);
  }
}

int32_t Bpe::find_character(std::string_view character, bool is_first, bool is_last, Scratch& scratch) const {
  const bool has_prefix = !is_first && !options_.continuing_subword_prefix.empty();
  const bool has_suffix = is_last && !options_.end_of_word_suffix.empty();
  if (!has_prefix && !has_suffix) {
    scratch.text.assign(character);
    return character.size() == 1 ? ascii_ids_[static_cast<unsigned char>(character[0])] : vocabulary_.find(character);
  }
  scratch.text.assign(has_prefix ? options_.continuing_subword_prefix : "").append(character);
  if (has_suffix) scratch.text += options_.end_of_word_suffix;
  return vocabulary_.find(scratch.text);
}

bool Bpe::add_fallback(std::string_view symbol, std::vector<BpeSymbol>& symbols) const {
  for (const char byte : symbol) {
    if (byte_ids_[static_cast<unsigned char>(byte)] < 0) return false;
  }
  for (const char byte : symbol) symbols.push_back({byte_ids_[static_cast<unsigned char>(byte)], 1});
  return true;
}

void Bpe::add_symbols(std::string_view word, Scratch& scratch) const {
  uint32_t unknown = 0;  // bytes of the unknown token that is still growing
  const auto flush = [&] {
    if (unknown > 0) scratch.symbols.push_back({unk_id_, unknown});
    unknown = 0;
  };
  for (size_t begin = 0; begin < word.size();) {
    const size_t end = base::ceil_boundary(word, begin + 1);
    const uint32_t length = static_cast<uint32_t>(end - begin);
    const int32_t id = find_character(word.substr(begin, length), begin == 0, end == word.size(), scratch);
    begin = end;
    if (id >= 0) {
      flush();
      scratch.symbols.push_back({id, length});
    } else if (options_.byte_fallback && add_fallback(scratch.text, scratch.symbols)) {
      // As in the reference, an unknown token that is still growing stays behind these.
    } else if (unk_id_ >= 0) {
      if (!options_.fuse_unk) flush();
      unknown += length;
    } else {
      scratch.dropped = true;
    }
  }
  flush();
}

void Bpe::add_bytes(std::string_view word, Scratch& scratch) const {
  uint32_t unknown = 0;
  const auto flush = [&] {
    if (unknown > 0) scratch.symbols.push_back({unk_id_, unknown});
    unknown = 0;
  };
  for (const char byte : word) {
    const int32_t id = byte_ids_[static_cast<unsigned char>(byte)];
    if (id >= 0) {
      flush();
      scratch.symbols.push_back({id, 1});
    } else if (unk_id_ >= 0) {
      if (!options_.fuse_unk) flush();
      ++unknown;
    } else {
      scratch.dropped = true;
    }
  }
  flush();
}

// Applies the merge of the lowest rank, the leftmost of equal ones, until none is left.
void Bpe::merge_short(Scratch& scratch) const {
  std::vector<BpeSymbol>& symbols = scratch.symbols;
  size_t count = symbols.size();
  scratch.ranks.resize(count);
  scratch.merged.resize(count);
  uint32_t* ranks = scratch.ranks.data();
  int32_t* merged = scratch.merged.data();
  const auto look_up = [&](size_t i) {
    const BpeMerges::Merge merge = merges_.find(symbols[i].id, symbols[i + 1].id);
    ranks[i] = merge.rank;
    merged[i] = merge.id;
  };
  for (size_t i = 0; i + 1 < count; ++i) look_up(i);
  while (count > 1) {
    const size_t best = static_cast<size_t>(std::min_element(ranks, ranks + count - 1) - ranks);
    if (ranks[best] == BpeMerges::kNoRank) break;
    symbols[best] = {merged[best], symbols[best].length + symbols[best + 1].length};
    std::copy(symbols.begin() + static_cast<ptrdiff_t>(best) + 2, symbols.begin() + static_cast<ptrdiff_t>(count),
              symbols.begin() + static_cast<ptrdiff_t>(best) + 1);
    std::copy(ranks + best + 1, ranks + count - 1, ranks + best);
    std::copy(merged + best + 1, merged + count - 1, merged + best);
    --count;
    if (best + 1 < count) look_up(best);
    if (best > 0) look_up(best - 1);
  }
  symbols.resize(count);
}

// The same for long words, in n log n: a heap of merges, some of them outdated, over symbols of which each says how
// many it was made of, at its first place and its last, so that its neighbours are found.
void Bpe::merge_long(Scratch& scratch) const {
  std::vector<BpeSymbol>& symbols = scratch.symbols;
  const uint32_t count = static_cast<uint32_t>(symbols.size());
  std::vector<uint32_t> sizes(count, 1);
  base::Checkpoint checkpoint;
  // Rank above position: the order of the merges.
  const auto entry = [&](uint32_t left) {
    const uint32_t right = left + sizes[left];
    const uint32_t rank = right < count ? merges_.find(symbols[left].id, symbols[right].id).rank : BpeMerges::kNoRank;
    return uint64_t{rank} << 32 | left;
  };
  const auto is_merge = [](uint64_t item) { return item >> 32 != BpeMerges::kNoRank; };
  const auto is_outdated = [&](uint64_t item) {
    const uint32_t left = static_cast<uint32_t>(item);
    return symbols[left].length == 0 || entry(left) != item;
  };
  std::vector<uint64_t> heap;
  constexpr uint32_t kWorthCounting = 1 << 16;
  if (count > kWorthCounting) {
    size_t merges = 0;
    for (uint32_t i = 0; i < count; ++i) {
      checkpoint.add(1);
      merges += is_merge(entry(i)) ? 1 : 0;
    }
    heap.reserve(merges + merges / 8 + 2);
  }
  for (uint32_t i = 0; i < count; ++i) {
    checkpoint.add(1);
    if (const uint64_t item = entry(i); is_merge(item)) heap.push_back(item);
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  const auto push = [&](uint32_t left) {
    const uint64_t item = entry(left);
    if (!is_merge(item)) return;
    if (heap.size() == heap.capacity()) {  // makes room before it asks for more
      std::erase_if(heap, is_outdated);
      std::make_heap(heap.begin(), heap.end(), std::greater<>());
    }
    heap.push_back(item);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  };
  while (!heap.empty()) {
    checkpoint.add(8);
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const uint64_t item = heap.back();
    heap.pop_back();
    if (is_outdated(item)) continue;
    const uint32_t left = static_cast<uint32_t>(item);
    const uint32_t right = left + sizes[left];
    symbols[left] = {merges_.find(symbols[left].id, symbols[right].id).id,
                     symbols[left].length + symbols[right].length};
    symbols[right].length = 0;
    const uint32_t size = sizes[left] + sizes[right];
    sizes[left] = sizes[left + size - 1] = size;
    push(left);
    if (left > 0) push(left - sizes[left - 1]);
  }
  std::erase_if(symbols, [](const BpeSymbol& symbol) { return symbol.length == 0; });
}

void Bpe::emit(std::string_view text, Span word, const Scratch& scratch, Tokens& tokens) const {
  if (scratch.dropped) {
    emit_with_gaps(text.substr(word.begin, word.end - word.begin), word.begin, scratch, tokens);
    return;
  }
  uint32_t begin = word.begin;
  for (const BpeSymbol symbol : scratch.symbols) {
    tokens.add(symbol.id, {begin, begin + symbol.length});
    begin += symbol.length;
  }
}

// Characters that were left out do not count in the reference's offsets, which run in its own alphabet; byte-level
// words are followed there, so that the offsets come out equal.
void Bpe::emit_with_gaps(std::string_view word, uint32_t begin, const Scratch& scratch, Tokens& tokens) const {
  if (!options_.byte_level) {
    uint32_t at = begin;
    for (const BpeSymbol symbol : scratch.symbols) {
      tokens.add(symbol.id, {at, at + symbol.length});
      at += symbol.length;
    }
    return;
  }
  std::vector<uint32_t> owner;  // of each byte of the word in the alphabet
  std::vector<uint32_t> kept;   // how many bytes each kept byte takes there
  for (uint32_t i = 0; i < word.size(); ++i) {
    const uint8_t byte = static_cast<uint8_t>(word[i]);
    const uint32_t size = character_of_byte(byte) < 0x80 ? 1 : 2;
    owner.insert(owner.end(), size, i);
    if (byte_ids_[byte] >= 0) kept.push_back(size);
  }
  size_t at = 0, first = 0;
  for (const BpeSymbol symbol : scratch.symbols) {
    size_t size = 0;
    for (uint32_t k = 0; k < symbol.length; ++k) size += kept[first++];
    tokens.add(symbol.id, {begin + owner[at], begin + owner[at + size - 1] + 1});
    at += size;
  }
}

}  // namespace vsr::text
