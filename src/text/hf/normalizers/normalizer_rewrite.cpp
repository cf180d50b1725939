// Normalizers that add, remove or exchange characters: Prepend, Replace, Strip, Nmt, ByteLevel.
#include "text/hf/normalizers/normalizer_rewrite.h"

#include <algorithm>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/hf/normalizers/growth.h"
#include "text/unicode/byte_alphabet.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : prefix_(std::move(prefix)) {}
  void normalize(NormalizedText& text) const override {
    if (text.empty() || prefix_.empty()) return;
    check_growth(text, text.view().size() + prefix_.size());
    TextBuilder out(text);
    const Span source = text.source(size_t{0});
    for (size_t i = 0; i < prefix_.size();) {
      const base::Decoded c = base::decode_utf8(std::string_view(prefix_).substr(i));
      out.append(std::string_view(prefix_).substr(i, c.size), source);
      i += c.size;
    }
    out.copy(0, text.view().size());
    text = out.take();
  }

 private:
  std::string prefix_;
};

// What replaces a match represents the match's last character.
class Replace : public Normalizer {
 public:
  Replace(PatternPtr pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}
  bool only_marks_spaces() const override { return pattern_->fixed() == " " && content_ == "\xE2\x96\x81"; }
  void normalize(NormalizedText& text) const override {
    std::vector<Span> matches;
    pattern_->find(text.view(), 0, matches);
    if (matches.empty()) return;
    size_t size = text.view().size() + matches.size() * content_.size();
    for (const Span match : matches) size -= match.end - match.begin;
    check_growth(text, size);
    TextBuilder out(text);
    size_t done = 0;
    base::Checkpoint checkpoint;
    for (const Span match : matches) {
      checkpoint(match.begin);
      out.copy(done, match.begin);
      const Span source = text.source(size_t{match.end} - 1);
      for (size_t i = 0; i < content_.size();) {
        const base::Decoded c = base::decode_utf8(std::string_view(content_).substr(i));
        out.append(std::string_view(content_).substr(i, c.size), source);
        i += c.size;
      }
      done = match.end;
    }
    out.copy(done, text.view().size());
    text = out.take();
  }

 private:
  PatternPtr pattern_;
  std::string content_;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  void normalize(NormalizedText& text) const override {
    const std::string_view view = text.view();
    size_t begin = 0, end = view.size();
    while (left_ && begin < end) {
      const base::Decoded c = base::decode_utf8(view.substr(begin));
      if (!char_info(c.code_point).in(kWhitespace)) break;
      begin += c.size;
    }
    while (right_ && end > begin) {
      size_t last = end - 1;
      while (last > begin && base::is_continuation(view[last])) --last;
      if (!char_info(base::decode_utf8(view.substr(last)).code_point).in(kWhitespace)) break;
      end = last;
    }
    if (begin == 0 && end == view.size()) return;
    TextBuilder out(text);
    out.copy(begin, end);
    text = out.take();
  }

 private:
  bool left_, right_;
};

// Sentencepiece's rules for control characters and spaces.
class Nmt : public Normalizer {
 public:
  void normalize(NormalizedText& text) const override {
    TextBuilder out(text);
    const std::string_view view = text.view();
    base::Checkpoint checkpoint;
    for (size_t i = 0; i < view.size();) {
      checkpoint(i);
      const base::Decoded c = base::decode_utf8(view.substr(i));
      if (is_space(c.code_point)) {
        out.append(U' ', text.source(i));
      } else if (!is_control(c.code_point)) {
        out.append(view.substr(i, c.size), text.source(i));
      }
      i += c.size;
    }
    text = out.take();
  }

 private:
  static bool is_control(char32_t c) {
    return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
  }
  static bool is_space(char32_t c) {
    return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
           c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
  }
};

// Writes each byte as its character of GPT-2's alphabet.
class ByteLevelNormalizer : public Normalizer {
 public:
  void normalize(NormalizedText& text) const override {
    TextBuilder out(text);
    base::Checkpoint checkpoint;
    for (size_t i = 0; i < text.view().size(); ++i) {
      checkpoint(i);
      out.append(character_of_byte(static_cast<uint8_t>(text.view()[i])), text.source(i));
    }
    text = out.take();
  }
};

}  // namespace

NormalizerPtr make_prepend(const std::string& prefix) { return std::make_unique<Prepend>(prefix); }
NormalizerPtr make_replace(PatternPtr pattern, const std::string& content) {
  return std::make_unique<Replace>(std::move(pattern), content);
}
NormalizerPtr make_strip(bool left, bool right) { return std::make_unique<Strip>(left, right); }
NormalizerPtr make_nmt() { return std::make_unique<Nmt>(); }
NormalizerPtr make_byte_level_normalizer() { return std::make_unique<ByteLevelNormalizer>(); }

}  // namespace vsr::text
