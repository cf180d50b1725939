#include "text/hf/models/word_cache.h"

#include <algorithm>

namespace vsr::text {

bool WordCache::find(std::string_view word, uint32_t begin, Tokens& tokens) const {
  if (word.size() > kMaxWord) return false;
  const uint64_t hash = hash_bytes(word);
  for (size_t probe = 0; probe < kProbes; ++probe) {
    const Slot& slot = slots_[(hash + probe) % kSlots];
    if (slot.length == 0) return false;
    if (!holds(slot, static_cast<uint32_t>(hash >> 32), word)) continue;
    const Token* token = tokens_.data() + slot.tokens;
    for (const Token* end = token + slot.count; token != end; ++token) {
      tokens.add(token->id, {begin + token->begin, begin + token->end});
    }
    return true;
  }
  return false;
}

void WordCache::add(std::string_view word, uint32_t begin, const Tokens& tokens, size_t first) {
  const size_t count = tokens.ids.size() - first;
  if (word.empty() || word.size() > kMaxWord || count > 4 * kMaxWord) return;
  if (text_.size() + word.size() > kMaxText || tokens_.size() + count > kMaxTokens) {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    text_.clear();
    tokens_.clear();
  }
  const uint64_t hash = hash_bytes(word);
  size_t place = hash % kSlots;
  for (size_t probe = 0; probe < kProbes; ++probe) {
    const size_t candidate = (hash + probe) % kSlots;
    if (slots_[candidate].length != 0) continue;
    place = candidate;
    break;
  }
  slots_[place] = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(text_.size()),
                   static_cast<uint32_t>(tokens_.size()), static_cast<uint16_t>(word.size()),
                   static_cast<uint16_t>(count)};
  text_.append(word);
  for (size_t i = first; i < tokens.ids.size(); ++i) {
    tokens_.push_back({tokens.ids[i], static_cast<uint16_t>(tokens.spans[i].begin - begin),
                       static_cast<uint16_t>(tokens.spans[i].end - begin)});
  }
}

WordCaches::~WordCaches() {
  for (std::atomic<WordCache*>& idle : idle_) delete idle.load(std::memory_order_acquire);
}

std::unique_ptr<WordCache> WordCaches::take() {
  for (std::atomic<WordCache*>& idle : idle_) {
    if (idle.load(std::memory_order_relaxed) == nullptr) continue;
    WordCache* const cache = idle.exchange(nullptr, std::memory_order_acquire);
    if (cache != nullptr) return std::unique_ptr<WordCache>(cache);
  }
  return std::make_unique<WordCache>();
}

void WordCaches::give_back(std::unique_ptr<WordCache> cache) {
  for (std::atomic<WordCache*>& idle : idle_) {
    WordCache* expected = nullptr;
    if (!idle.compare_exchange_strong(expected, cache.get(), std::memory_order_release, std::memory_order_relaxed)) {
      continue;
    }
    static_cast<void>(cache.release());
    return;
  }
}

}  // namespace vsr::text
