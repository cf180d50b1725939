#include "text/unicode/unicode.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"
#include "text/unicode/unicode_tables.h"

namespace vsr::text {
namespace {

using tables::Table;

constexpr size_t kCodePoints = 0x110000;
constexpr size_t kBlock = 128;

template <class Mark>
void for_each_member(Table set, Mark&& mark) {
  size_t position = 0;
  for (size_t i = 0; i + 1 < set.size(); i += 2) {
    position += set[i];
    for (uint32_t n = 0; n < set[i + 1]; ++n) mark(position++);
  }
}

struct Mapping {
  uint32_t code_point;
  uint32_t first;  // in the table
  uint32_t count;
};

// A mapping table with an index for binary search.
class MappingTable {
 public:
  explicit MappingTable(Table table) : table_(table) {
    uint32_t code_point = 0;
    for (size_t i = 0; i < table.size(); i += 2 + table[i + 1]) {
      code_point += table[i];
      entries_.push_back({code_point, static_cast<uint32_t>(i + 2), table[i + 1]});
    }
  }
  CodePoints find(char32_t c) const {
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), c,
                                        [](const Mapping& m, char32_t value) { return m.code_point < value; });
    if (entry == entries_.end() || entry->code_point != c) return {};
    return table_.subspan(entry->first, entry->count);
  }
  const std::vector<Mapping>& entries() const { return entries_; }

 private:
  Table table_;
  std::vector<Mapping> entries_;
};

const MappingTable& canonical_table() {
  static const MappingTable table(tables::kCanonical);
  return table;
}
const MappingTable& compatible_table() {
  static const MappingTable table(tables::kCompatible);
  return table;
}
const MappingTable& lowercase_table() {
  static const MappingTable table(tables::kLowercase);
  return table;
}

constexpr char32_t kHangulL = 0x1100, kHangulV = 0x1161, kHangulT = 0x11A7, kHangulS = 0xAC00;
constexpr uint32_t kHangulLCount = 19, kHangulVCount = 21, kHangulTCount = 28;

// Marks what NFC may change: marks with a class, seconds of a composition, and what does not compose to itself.
void mark_composition(std::vector<uint32_t>& bits) {
  constexpr uint32_t kMayCompose = 1u << 22;
  for (uint32_t& b : bits) {
    if (b >> 24 != 0) b |= kMayCompose;
  }
  std::vector<uint32_t> composites;
  for (size_t i = 0; i + 2 < tables::kCompositions.size(); i += 3) {
    bits[tables::kCompositions[i + 1]] |= kMayCompose;
    composites.push_back(tables::kCompositions[i + 2]);
  }
  std::sort(composites.begin(), composites.end());
  for (const Mapping& m : canonical_table().entries()) {
    if (!std::binary_search(composites.begin(), composites.end(), m.code_point)) bits[m.code_point] |= kMayCompose;
  }
  for (char32_t c = kHangulV; c < kHangulV + kHangulVCount; ++c) bits[c] |= kMayCompose;
  for (char32_t c = kHangulT + 1; c < kHangulT + kHangulTCount; ++c) bits[c] |= kMayCompose;
}

std::vector<uint32_t> all_bits() {
  std::vector<uint32_t> bits(kCodePoints, uint32_t{kUnassigned} << 11);
  for (size_t i = 0; i < tables::kSets.size(); ++i) {
    for_each_member(tables::kSets[i], [&](size_t c) { bits[c] |= 1u << i; });
  }
  for (uint32_t i = 0; i < tables::kCategories.size(); ++i) {
    for_each_member(tables::kCategories[i], [&](size_t c) { bits[c] = (bits[c] & ~(31u << 11)) | i << 11; });
  }
  for (uint32_t i = 0; i < tables::kGraphemeClasses.size(); ++i) {
    for_each_member(tables::kGraphemeClasses[i], [&](size_t c) { bits[c] |= (i + 1) << 16; });
  }
  for (const tables::CombiningClass& k : tables::kCombiningClasses) {
    for_each_member(k.members, [&](size_t c) { bits[c] |= uint32_t{k.value} << 24; });
  }
  for (const Mapping& m : canonical_table().entries()) bits[m.code_point] |= 3u << 20;
  for (const Mapping& m : compatible_table().entries()) bits[m.code_point] |= 1u << 21;
  for (char32_t c = kHangulS; is_hangul_syllable(c); ++c) bits[c] |= 3u << 20;
  for (const Mapping& m : lowercase_table().entries()) bits[m.code_point] |= 1u << 23;
  mark_composition(bits);
  return bits;
}

// Seconds are distinct enough to hash on both.
const std::unordered_map<uint64_t, char32_t>& compositions() {
  static const std::unordered_map<uint64_t, char32_t> map = [] {
    std::unordered_map<uint64_t, char32_t> pairs;
    for (size_t i = 0; i + 2 < tables::kCompositions.size(); i += 3) {
      pairs.emplace(uint64_t{tables::kCompositions[i]} << 32 | tables::kCompositions[i + 1],
                    tables::kCompositions[i + 2]);
    }
    return pairs;
  }();
  return map;
}

}  // namespace

CharTable::CharTable() {
  const std::vector<uint32_t> bits = all_bits();
  index_ = new uint16_t[kCodePoints / kBlock];
  std::unordered_map<std::string_view, uint16_t> seen;
  std::vector<size_t> firsts;
  for (size_t block = 0; block < kCodePoints / kBlock; ++block) {
    const std::string_view content(reinterpret_cast<const char*>(&bits[block * kBlock]), kBlock * sizeof(uint32_t));
    const auto [entry, is_new] = seen.emplace(content, static_cast<uint16_t>(firsts.size()));
    if (is_new) firsts.push_back(block);
    index_[block] = entry->second;
  }
  blocks_ = new CharInfo[firsts.size() * kBlock];
  for (size_t i = 0; i < firsts.size(); ++i) {
    for (size_t c = 0; c < kBlock; ++c) blocks_[i * kBlock + c].bits_ = bits[firsts[i] * kBlock + c];
  }
}

CharTable::~CharTable() {
  delete[] index_;
  delete[] blocks_;
}

const CharTable& char_table() {
  static const CharTable table;
  return table;
}

CodePoints canonical_decomposition(char32_t c) { return canonical_table().find(c); }

CodePoints compatible_decomposition(char32_t c) {
  const CodePoints compatible = compatible_table().find(c);
  return compatible.empty() ? canonical_table().find(c) : compatible;
}

CodePoints lowercase(char32_t c) { return lowercase_table().find(c); }

char32_t compose(char32_t first, char32_t second) {
  if (first - kHangulL < kHangulLCount && second - kHangulV < kHangulVCount) {
    return kHangulS + ((first - kHangulL) * kHangulVCount + (second - kHangulV)) * kHangulTCount;
  }
  if (is_hangul_syllable(first) && (first - kHangulS) % kHangulTCount == 0 && second > kHangulT &&
      second < kHangulT + kHangulTCount) {
    return first + (second - kHangulT);
  }
  const auto found = compositions().find(uint64_t{first} << 32 | second);
  return found == compositions().end() ? 0 : found->second;
}

size_t decompose_hangul(char32_t syllable, char32_t out[3]) {
  const uint32_t index = syllable - kHangulS;
  out[0] = kHangulL + index / (kHangulVCount * kHangulTCount);
  out[1] = kHangulV + index % (kHangulVCount * kHangulTCount) / kHangulTCount;
  if (index % kHangulTCount == 0) return 2;
  out[2] = kHangulT + index % kHangulTCount;
  return 3;
}

}  // namespace vsr::text
