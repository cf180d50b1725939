#include "text/parts/byte_trie.h"

#include <algorithm>

namespace vsr::text {

// Places the children of one node after another into the first gap that takes them all.
class ByteTrieBuilder {
 public:
  using Entry = std::pair<std::string_view, int32_t>;

  ByteTrieBuilder(const std::vector<Entry>& entries, std::vector<ByteTrie::Unit>& units)
      : entries_(entries), units_(units) {
    grow(1024);
    units_[0].parent = 0;
    units_[0].base = 1;
  }

  void build() {
    std::vector<Pending> stack = {{ByteTrie::kRoot, 0, entries_.size(), 0}};
    while (!stack.empty()) {
      const Pending node = stack.back();
      stack.pop_back();
      place(node, stack);
    }
    // Every child() stays inside: bases are at most the last used unit.
    units_.resize(last_used_ + 257);
  }

 private:
  struct Pending {
    int32_t node;
    size_t begin, end;  // of the entries below it
    size_t depth;
  };

  void place(const Pending& node, std::vector<Pending>& stack) {
    size_t begin = node.begin;
    if (begin < node.end && entries_[begin].first.size() == node.depth) {
      units_[static_cast<size_t>(node.node)].value = entries_[begin++].second;
    }
    children_.clear();
    for (size_t i = begin; i < node.end;) {
      const char byte = entries_[i].first[node.depth];
      size_t next = i + 1;
      while (next < node.end && entries_[next].first[node.depth] == byte) ++next;
      children_.push_back({static_cast<unsigned char>(byte), i, next});
      i = next;
    }
    if (children_.empty()) return;
    const size_t base = find_base();
    units_[static_cast<size_t>(node.node)].base = static_cast<int32_t>(base);
    for (const Child& child : children_) {
      use(base + child.byte, node.node);
      last_used_ = std::max(last_used_, base + child.byte);
      stack.push_back({static_cast<int32_t>(base + child.byte), child.begin, child.end, node.depth + 1});
    }
  }

  // Free slots are linked, so that a search steps over free ones only. A node with one child takes the first; where
  // many gaps are too small, the node goes after all others: both keep building linear in the number of nodes.
  size_t find_base() {
    constexpr int kMaxTries = 128;
    const size_t first = children_.front().byte;
    int tries = 0;
    for (size_t slot = next_free_[0]; slot != 0 && tries < kMaxTries; slot = next_free_[slot], ++tries) {
      if (slot <= first) continue;
      const size_t base = slot - first;
      if (base + 256 > units_.size()) break;
      if (std::none_of(children_.begin(), children_.end(), [&](const Child& c) { return is_used(base + c.byte); })) {
        return base;
      }
    }
    const size_t base = last_used_ + 1;
    if (base + 512 > units_.size()) grow(std::max(units_.size() * 2, base + 512));
    return base;
  }

  bool is_used(size_t slot) const { return units_[slot].parent != ByteTrie::kNone; }

  void use(size_t slot, int32_t parent) {
    units_[slot].parent = parent;
    next_free_[previous_free_[slot]] = next_free_[slot];
    previous_free_[next_free_[slot]] = previous_free_[slot];
  }

  // Slot 0, the root, is never free: it is both ends of the list.
  void grow(size_t size) {
    size_t slot = std::max<size_t>(units_.size(), 1);
    units_.resize(size);
    next_free_.resize(size, 0);
    previous_free_.resize(size, 0);
    for (; slot < size; ++slot) {
      const size_t last = previous_free_[0];
      next_free_[last] = slot;
      previous_free_[slot] = last;
      next_free_[slot] = 0;
      previous_free_[0] = slot;
    }
  }

  struct Child {
    size_t byte;
    size_t begin, end;
  };
  const std::vector<Entry>& entries_;
  std::vector<ByteTrie::Unit>& units_;
  std::vector<Child> children_;
  std::vector<size_t> next_free_, previous_free_;
  size_t last_used_ = 0;
};

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, int32_t>> entries) {
  std::sort(entries.begin(), entries.end());
  ByteTrieBuilder(entries, units_).build();
}

}  // namespace vsr::text
