// Precompiled: sentencepiece's rules, a double-array trie from byte strings to replacements. Rules are looked up for
// whole grapheme clusters of less than six bytes, then for single characters; of several rules that fit, the shortest
// counts. That is what the reference does, and sentencepiece itself does not.

#include <optional>
#include <vector>

#include "base/utf8.h"
#include "text/charsmap.h"
#include "text/normalizer_types.h"
#include "text/unicode.h"

namespace vsr::text {
namespace {

constexpr size_t kLongestCluster = 5;

class Precompiled : public Normalizer {
 public:
  explicit Precompiled(CharsMap rules) : rules_(std::move(rules)) {}

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
  bool replace(std::string_view part, std::vector<Edit>& edits) const {
    std::optional<std::string_view> found;
    rules_.each_rule(part.substr(0, part.find('\0')), [&](size_t, std::string_view replacement) {
      found = replacement;
      return false;
    });
    if (!found) return false;
    const std::string_view content = *found;
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

  CharsMap rules_;
};

}  // namespace

NormalizerPtr make_precompiled(const std::string& charsmap, const base::JsonValue& where) {
  std::string problem;
  std::optional<CharsMap> rules = CharsMap::read(charsmap, problem);
  if (!rules) where.fail("is no precompiled map: " + problem);
  return std::make_unique<Precompiled>(std::move(*rules));
}

}  // namespace vsr::text
