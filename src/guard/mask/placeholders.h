// Stable names for values that must not leave, and the way back.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace vsr::guard {

// A key for placeholders. Throws kIo where there is no randomness.
std::string random_key();

// A placeholder is "[", a type in capitals, "_", 12 letters a to p, "]", as in [EMAIL_ADDRESS_kfbmaopcdelg]. The
// letters are a keyed hash of tenant, type and value: the same for the same value as long as the key is, and nothing to
// guess the value from without it. No digits, so that it is never taken for a number. Thread-safe.
class Placeholders {
 public:
  static constexpr size_t kLetters = 12;
  static constexpr size_t kMostType = 32;
  static constexpr size_t kMostSize = kMostType + kLetters + 3;
  static constexpr size_t kMostValues = 100'000;
  static constexpr size_t kMostBytes = size_t{32} << 20;  // of values

  // `key`: any bytes; empty: a random one. Throws kIo where there is no randomness.
  Placeholders(std::string key, std::string tenant);

  // The placeholder of a value, remembered. `type`: of any spelling. Throws kLimit when there are too many.
  std::string of(std::string_view type, std::string_view value);
  // What a placeholder stands for; nothing: it is none of these.
  std::optional<std::string> value(std::string_view placeholder) const;
  size_t size() const;
  std::map<std::string, size_t> counts() const;  // by type

 private:
  std::string letters(std::string_view type, std::string_view value, size_t round) const;

  std::string key_;
  const std::string tenant_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> values_;  // by placeholder
  size_t bytes_ = 0;
};

// Finds whatever looks like a placeholder in a text that comes in pieces, the same however it is cut. One thread.
class PlaceholderFinder {
 public:
  struct Found {
    size_t begin = 0, end = 0;  // bytes of all that was fed
    std::string text = {};
  };
  // Calls `found` with each, in order.
  template <class Take>
  void feed(std::string_view piece, Take&& found) {
    for (const char c : piece) {
      if (take(c)) {
        found(Found{length_ + 1 - open_.size(), length_ + 1, open_});
        open_.clear();
        state_ = State::kNone;
      }
      ++length_;
    }
  }
  // Bytes that are no part of a placeholder that is not whole yet.
  size_t certain() const { return length_ - open_.size(); }
  // Nothing follows: what is not whole is none.
  void finish() {
    open_.clear();
    state_ = State::kNone;
  }

 private:
  enum class State { kNone, kType, kLetters };
  bool take(char c);  // whether one ends with it
  void drop(char c);

  State state_ = State::kNone;
  std::string open_;
  size_t type_size_ = 0, letters_ = 0;
  size_t length_ = 0;
};

// Every placeholder of a text by `replace`, which gives nothing for one that stays.
template <class Replace>
std::string replaced_placeholders(std::string_view text, Replace&& replace) {
  std::string out;
  size_t at = 0;
  PlaceholderFinder finder;
  finder.feed(text, [&](const PlaceholderFinder::Found& found) {
    const std::optional<std::string> other = replace(found.text);
    if (!other) return;
    out.append(text.substr(at, found.begin - at)).append(*other);
    at = found.end;
  });
  return out.append(text.substr(at));
}

}  // namespace vsr::guard
