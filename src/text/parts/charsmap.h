// Sentencepiece's compiled normalization rules: a double-array trie from byte strings to replacements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::text {

class CharsMap {
 public:
  // `blob` is the size of the trie, the trie, and the replacements, each ended by a NUL. Empty, with the reason in
  // `problem`, where that does not fit or the replacements are not UTF-8. The trie itself is checked at every step.
  static std::optional<CharsMap> read(std::string_view blob, std::string& problem);

  // Calls visit(length, replacement) for the rules that `text` begins with, shortest first, until it returns false.
  template <class Visit>
  void each_rule(std::string_view text, Visit&& visit) const;

 private:
  // A unit of the double array holds a label, an offset to the children and whether a value follows.
  static bool has_leaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
  static uint32_t label(uint32_t unit) { return unit & (1u << 31 | 0xFF); }
  static uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit & 1u << 9) >> 6); }

  std::vector<uint32_t> units_;
  std::string replacements_;
};

template <class Visit>
void CharsMap::each_rule(std::string_view text, Visit&& visit) const {
  size_t node = offset(units_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const uint32_t key = static_cast<unsigned char>(text[i]);
    node ^= key;
    if (node >= units_.size() || label(units_[node]) != key) return;
    const uint32_t unit = units_[node];
    node ^= offset(unit);
    if (!has_leaf(unit)) continue;
    if (node >= units_.size()) return;
    const uint32_t value = units_[node] & ~(1u << 31);
    if (value >= replacements_.size()) return;
    const std::string_view rest = std::string_view(replacements_).substr(value);
    if (!visit(i + 1, rest.substr(0, rest.find('\0')))) return;
  }
}

}  // namespace vsr::text
