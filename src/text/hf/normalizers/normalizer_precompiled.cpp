// Precompiled: sentencepiece's rules, a double-array trie from byte strings to replacements. Rules are looked up for
// whole grapheme clusters of less than six bytes, then for single characters; of several rules that fit, the shortest
// counts. That is what the reference does, and sentencepiece itself does not.
#include "text/hf/normalizers/normalizer_precompiled.h"

#include <array>
#include <optional>
#include <vector>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/hf/normalizers/growth.h"
#include "text/parts/charsmap.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

constexpr size_t kLongestCluster = 5;

ptrdiff_t count_characters(std::string_view text) {
  ptrdiff_t characters = 0;
  for (const char byte : text) characters += !base::is_continuation(byte);
  return characters;
}

// The edits of one text in order.
class Edits {
 public:
  explicit Edits(std::string_view text) : text_(text) {}

  // A character that no rule touches.
  void keep(char32_t character) { steps_.push_back({{character, 0}, 0}); }

  // A run of ASCII characters that no rule touches; its last one may yet take in what follows.
  void keep_run(size_t begin, size_t end) {
    if (end - begin > 1 && keeps_step_) {
      steps_.push_back({{0, 0}, end - 1});
      begin = end - 1;
    }
    for (; begin < end; ++begin) keep(static_cast<unsigned char>(text_[begin]));
  }

  void replace(std::string_view part, std::string_view replacement) {
    modified_ = true;
    made_ += replacement.size();
    ptrdiff_t change = -count_characters(part);
    for (size_t i = 0; i < replacement.size();) {
      const base::Decoded c = base::decode_utf8(replacement.substr(i));
      // The first characters replace, the others are added.
      steps_.push_back({{c.code_point, change < 0 ? 0 : 1}, 0});
      ++change;
      i += c.size;
    }
    if (change >= 0) return;
    // What is left over goes with the character before, whichever that is. Without one it is forgotten, and from there
    // on the reference takes each character for an earlier one.
    if (steps_.empty()) {
      keeps_step_ = false;
    } else {
      steps_.back().edit.change += change;
    }
  }

  // Bytes that rules made.
  size_t made() const { return made_; }

  void apply(NormalizedText& text) const {
    if (!modified_) return;
    TextTransform transform(text);
    for (const Step& step : steps_) {
      if (step.kept_end != 0) {
        transform.keep(step.kept_end);
      } else {
        transform.emit(step.edit.character, step.edit.change);
      }
    }
    text = transform.take();
  }

 private:
  struct Step {
    Edit edit;
    size_t kept_end;  // not 0: keep everything up to here
  };
  std::string_view text_;
  std::vector<Step> steps_;
  size_t made_ = 0;
  bool modified_ = false;
  bool keeps_step_ = true;  // the characters of text and edits are side by side
};

class Precompiled : public Normalizer {
 public:
  explicit Precompiled(CharsMap rules) : rules_(std::move(rules)) {
    for (size_t c = 0; c < plain_.size(); ++c) {
      const char ascii = static_cast<char>(c);
      plain_[c] = c != '\r' && !find({&ascii, 1});
    }
  }

  void normalize(NormalizedText& text) const override {
    const std::string_view view = text.view();
    size_t begin = plain_end(view, 0);
    if (begin == view.size()) return;
    Edits edits(view);
    edits.keep_run(0, begin);
    base::Checkpoint checkpoint;
    while (begin < view.size()) {
      checkpoint(begin);
      const size_t end = grapheme_end(view, begin);
      normalize_cluster(view, begin, end, edits);
      check_growth(text, edits.made());
      begin = plain_end(view, end);
      edits.keep_run(end, begin);
    }
    edits.apply(text);
  }

 private:
  void normalize_cluster(std::string_view view, size_t begin, size_t end, Edits& edits) const {
    if (end - begin <= kLongestCluster && replace(view.substr(begin, end - begin), edits)) return;
    while (begin < end) {
      const base::Decoded c = base::decode_utf8(view.substr(begin));
      if (!replace(view.substr(begin, c.size), edits)) edits.keep(c.code_point);
      begin += c.size;
    }
  }

  // The end of the run of ASCII characters that no rule touches and that are clusters of their own.
  size_t plain_end(std::string_view text, size_t i) const {
    const auto is_plain = [&](size_t at) {
      const unsigned char byte = static_cast<unsigned char>(text[at]);
      return byte < 0x80 && plain_[byte];
    };
    while (i < text.size() && is_plain(i) && (i + 1 == text.size() || static_cast<unsigned char>(text[i + 1]) < 0x80)) {
      ++i;
    }
    return i;
  }

  // What the shortest rule that `part` begins with gives.
  std::optional<std::string_view> find(std::string_view part) const {
    std::optional<std::string_view> found;
    rules_.each_rule(part.substr(0, part.find('\0')), [&](size_t, std::string_view replacement) {
      found = replacement;
      return false;
    });
    return found;
  }

  bool replace(std::string_view part, Edits& edits) const {
    const std::optional<std::string_view> replacement = find(part);
    if (replacement) edits.replace(part, *replacement);
    return replacement.has_value();
  }

  CharsMap rules_;
  std::array<bool, 128> plain_{};
};

}  // namespace

NormalizerPtr make_precompiled(const std::string& charsmap, const base::JsonValue& where) {
  std::string problem;
  std::optional<CharsMap> rules = CharsMap::read(charsmap, problem);
  if (!rules) where.fail("is no precompiled map: " + problem);
  return std::make_unique<Precompiled>(std::move(*rules));
}

}  // namespace vsr::text
