#include "text/byte_trie.h"

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
      units_[base + child.byte].parent = node.node;
      last_used_ = std::max(last_used_, base + child.byte);
      stack.push_back({static_cast<int32_t>(base + child.byte), child.begin, child.end, node.depth + 1});
    }
  }

  size_t find_base() {
    const size_t first = children_.front().byte;
    while (first_free_ < units_.size() && is_used(first_free_)) ++first_free_;
    size_t tried = 0;
    for (size_t slot = std::max(first_free_, first + 1);; ++slot) {
      if (slot + 512 > units_.size()) grow(units_.size() * 2);
      if (is_used(slot)) continue;
      const size_t base = slot - first;
      if (std::none_of(children_.begin(), children_.end(), [&](const Child& c) { return is_used(base + c.byte); })) {
        // Where many gaps were too small, those before are not tried again: it bounds the work.
        if (tried > 64 && slot > first_free_ + 4096) first_free_ = slot - 1024;
        return base;
      }
      ++tried;
    }
  }

  bool is_used(size_t slot) const { return units_[slot].parent != ByteTrie::kNone; }
  void grow(size_t size) { units_.resize(size); }

  struct Child {
    size_t byte;
    size_t begin, end;
  };
  const std::vector<Entry>& entries_;
  std::vector<ByteTrie::Unit>& units_;
  std::vector<Child> children_;
  size_t first_free_ = 1;
  size_t last_used_ = 0;
};

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, int32_t>> entries) {
  std::sort(entries.begin(), entries.end());
  ByteTrieBuilder(entries, units_).build();
}

}  // namespace vsr::text
