// What words were cut into lately, so that words which come again are not cut again. Bounded in size.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/hf/models/model.h"

namespace vsr::text {

// Belongs to one call at a time.
class WordCache {
 public:
  WordCache() : slots_(kSlots) {}

  // Appends the tokens of `word`, which begins at `begin` of its text; false when it is not known.
  bool find(std::string_view word, uint32_t begin, Tokens& tokens) const;
  // Keeps what `tokens` holds from `first` on as the tokens of `word`. Long words are not kept.
  void add(std::string_view word, uint32_t begin, const Tokens& tokens, size_t first);

 private:
  static constexpr size_t kSlots = 8192;
  static constexpr size_t kProbes = 4;
  static constexpr size_t kMaxWord = 256;
  static constexpr size_t kMaxText = size_t{1} << 18;
  static constexpr size_t kMaxTokens = size_t{1} << 16;

  struct Token {
    int32_t id;
    uint16_t begin, end;  // in the word
  };
  struct Slot {
    uint32_t hash = 0;
    uint32_t text = 0;    // where the word is
    uint32_t tokens = 0;  // where its tokens are
    uint16_t length = 0;  // of the word; 0: empty
    uint16_t count = 0;
  };
  bool holds(const Slot& slot, uint32_t hash, std::string_view word) const {
    return slot.hash == hash && slot.length == word.size() &&
           word == std::string_view(text_).substr(slot.text, word.size());
  }

  std::vector<Slot> slots_;
  std::string text_;
  std::vector<Token> tokens_;
};

// The caches of one model: as many as calls run at the same time, up to a limit; more calls than that make their own.
class WordCaches {
 public:
  WordCaches() = default;
  ~WordCaches();
  WordCaches(const WordCaches&) = delete;
  WordCaches& operator=(const WordCaches&) = delete;

  std::unique_ptr<WordCache> take();
  void give_back(std::unique_ptr<WordCache> cache);

 private:
  std::array<std::atomic<WordCache*>, 16> idle_{};
};

// Holds a cache for the time of a call.
class CacheLease {
 public:
  explicit CacheLease(WordCaches& caches) : caches_(caches), cache_(caches.take()) {}
  ~CacheLease() { caches_.give_back(std::move(cache_)); }
  CacheLease(const CacheLease&) = delete;
  CacheLease& operator=(const CacheLease&) = delete;
  WordCache& operator*() { return *cache_; }

 private:
  WordCaches& caches_;
  std::unique_ptr<WordCache> cache_;
};

}  // namespace vsr::text
