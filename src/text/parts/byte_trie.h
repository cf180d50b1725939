// A double-array trie over byte strings: one memory access per byte.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace vsr::text {

class ByteTrie {
 public:
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kRoot = 0;

  // Keys are not empty and differ; values are not negative.
  explicit ByteTrie(std::vector<std::pair<std::string_view, int32_t>> entries);

  // kNone when no key continues so.
  int32_t child(int32_t node, char byte) const {
    const int32_t next = units_[static_cast<size_t>(node)].base + static_cast<unsigned char>(byte);
    return units_[static_cast<size_t>(next)].parent == node ? next : kNone;
  }
  // The value of the key that ends here, or kNone.
  int32_t value(int32_t node) const { return units_[static_cast<size_t>(node)].value; }
  // The node after all of `prefix`, or kNone.
  int32_t walk(int32_t node, std::string_view prefix) const {
    for (size_t i = 0; node != kNone && i < prefix.size(); ++i) node = child(node, prefix[i]);
    return node;
  }

 private:
  struct Unit {
    int32_t base = 0;
    int32_t parent = kNone;
    int32_t value = kNone;
  };
  friend class ByteTrieBuilder;
  std::vector<Unit> units_;
};

}  // namespace vsr::text
