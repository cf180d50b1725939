// Finds many keywords in one pass over a text (Aho and Corasick, "Efficient string matching", CACM 18, 1975).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

// Bytes of the text, end exclusive.
struct KeywordMatch {
  size_t begin;
  size_t end;
  uint32_t keyword;  // its index
};

// Immutable; any number of threads may search at once.
class KeywordMatcher {
 public:
  // All keywords together, in bytes.
  static constexpr size_t kMaxBytes = size_t{1} << 18;

  // Keywords are not empty and differ from one another: kInvalidArgument. kLimit beyond kMaxBytes.
  explicit KeywordMatcher(std::span<const std::string> keywords);

  // Calls `sink` for every match whose ends are word boundaries (words.h), in the order of their ends; of several that
  // end together the longest comes first. Time grows with the text and the matches.
  void find(std::string_view text, const std::function<void(const KeywordMatch&)>& sink) const;

  size_t size() const { return lengths_.size(); }
  size_t longest() const { return longest_; }  // bytes

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t& next(uint32_t state, size_t byte_class) { return next_[size_t{state} * classes_ + byte_class]; }
  uint32_t add_state();
  void insert(std::string_view keyword, uint32_t index);
  void connect();

  // Bytes that occur in no keyword share class 0, so that a state's row stays short.
  uint16_t byte_class_[256] = {};
  size_t classes_ = 1;
  std::vector<uint32_t> next_;     // [states, classes_]; a trie at first, then the complete automaton
  std::vector<uint32_t> keyword_;  // per state: the keyword that ends there
  std::vector<uint32_t> shorter_;  // per state: the next shorter suffix that is a keyword; 0: none
  std::vector<uint32_t> lengths_;  // per keyword, bytes
  size_t longest_ = 0;
};

}  // namespace vsr::routing
