// Precompiled: sentencepiece's rules, a double-array trie from byte strings to replacements. Rules are looked up for
// whole grapheme clusters of less than six bytes, then for single characters; of several rules that fit, the shortest
// counts. That is what the reference does, and sentencepiece itself does not.

#include <cstring>
#include <vector>

#include "base/utf8.h"
#include "text/normalizer_types.h"
#include "text/unicode.h"

namespace vsr::text {
namespace {

constexpr size_t kLongestCluster = 5;

class Precompiled : public Normalizer {
 public:
  Precompiled(const std::string& charsmap, const base::JsonValue& where) {
    uint32_t size = 0;
    if (charsmap.size() >= 4) std::memcpy(&size, charsmap.data(), 4);
    if (charsmap.size() < 8 || size % 4 != 0 || size < 4 || size > charsmap.size() - 4) {
      where.fail("is no precompiled map: its trie does not fit");
    }
    units_.resize(size / 4);
    std::memcpy(units_.data(), charsmap.data() + 4, size);
    replacements_ = charsmap.substr(4 + size);
    if (base::CleanText(replacements_).replaced_bytes() > 0) where.fail("is no precompiled map: it is not UTF-8");
  }

  void normalize(NormalizedText& text) const override {
    const std::string_view view = text.view();
    std::vector<Edit> edits;
    edits.reserve(view.size());
    bool modified = false;
    for (size_t begin = 0; begin < view.size();) {
      const size_t end = grapheme_end(view, begin);
      if (end - begin > kLongestCluster || !replace(view.substr(begin, end - begin), edits)) {
        for (size_t i = begin; i < end;) {
          const base::Decoded c = base::decode_utf8(view.substr(i));
          if (replace(view.substr(i, c.size), edits)) {
            modified = true;
          } else {
            edits.push_back({c.code_point, 0});
          }
          i += c.size;
        }
      } else {
        modified = true;
      }
      begin = end;
    }
    if (!modified) return;
    TextTransform transform(text);
    for (const Edit edit : edits) transform.emit(edit.character, edit.change);
    text = transform.take();
  }

 private:
  // A unit of the double array holds a label, an offset to the children and whether a value follows.
  static bool has_leaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
  static uint32_t label(uint32_t unit) { return unit & (1u << 31 | 0xFF); }
  static uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit & 1u << 9) >> 6); }

  // The value of the shortest rule that `part` begins with.
  bool find(std::string_view part, uint32_t& value) const {
    size_t node = offset(units_[0]);
    for (const char byte : part) {
      const uint32_t key = static_cast<unsigned char>(byte);
      if (key == 0) return false;
      node ^= key;
      if (node >= units_.size() || label(units_[node]) != key) return false;
      const uint32_t unit = units_[node];
      node ^= offset(unit);
      if (has_leaf(unit)) {
        if (node >= units_.size()) return false;
        value = units_[node] & ~(1u << 31);
        return true;
      }
    }
    return false;
  }

  bool replace(std::string_view part, std::vector<Edit>& edits) const {
    uint32_t value = 0;
    if (!find(part, value) || value > replacements_.size()) return false;
    const std::string_view rest = std::string_view(replacements_).substr(value);
    const std::string_view content = rest.substr(0, rest.find('\0'));
    ptrdiff_t change = -count(part);
    for (size_t i = 0; i < content.size();) {
      const base::Decoded c = base::decode_utf8(content.substr(i));
      // The first characters replace, the others are added.
      edits.push_back({c.code_point, change < 0 ? 0 : 1});
      ++change;
      i += c.size;
    }
    // What is left over goes with the character before, whichever that is.
    if (change < 0 && !edits.empty()) edits.back().change += change;
    return true;
  }

  static ptrdiff_t count(std::string_view text) {
    ptrdiff_t characters = 0;
    for (const char byte : text) characters += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    return characters;
  }

  std::vector<uint32_t> units_;
  std::string replacements_;  // each ends with a NUL
};

}  // namespace

NormalizerPtr make_precompiled(const std::string& charsmap, const base::JsonValue& where) {
  return std::make_unique<Precompiled>(charsmap, where);
}

}  // namespace vsr::text
