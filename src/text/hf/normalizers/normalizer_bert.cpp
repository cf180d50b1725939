// BertNormalizer, Lowercase and StripAccents. BertNormalizer's four steps are one pass over the text: each of them
// looks at one character at a time, except for the canonical order of marks, for which the text goes through NFD first.
#include "text/hf/normalizers/normalizer_bert.h"

#include <array>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/hf/normalizers/normalizer_unicode.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

bool is_cjk(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

// Whether two marks of the text are out of canonical order once it is cleaned and decomposed.
bool needs_reordering(std::string_view text, bool clean_text) {
  const CharTable& table = char_table();
  uint8_t last = 0;
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < text.size();) {
    checkpoint(i);
    const base::Decoded c = base::decode_utf8(text.substr(i));
    const CharInfo info = table[c.code_point];
    i += c.size;
    if (clean_text && info.in(kBertControl)) continue;
    if (info.has_canonical() && !is_hangul_syllable(c.code_point)) {
      for (const uint32_t part : canonical_decomposition(c.code_point)) {
        const uint8_t k = table[part].combining_class();
        if (k != 0 && k < last) return true;
        last = k;
      }
    } else {
      const uint8_t k = info.combining_class();
      if (k != 0 && k < last) return true;
      last = k;
    }
  }
  return false;
}

class BertNormalizer : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalizerOptions& options) : options_(options) {
    for (char32_t c = 0; c < 128; ++c) {
      const CharInfo info = char_info(c);
      ascii_[c] = static_cast<char>(c);
      if (options.lowercase && c >= 'A' && c <= 'Z') ascii_[c] = static_cast<char>(c + 32);
      if (options.clean_text && info.in(kWhitespace)) ascii_[c] = ' ';
      removed_[c] = options.clean_text && info.in(kBertControl);
    }
  }

  bool is_local() const override { return true; }
  bool parts_ideographs() const override { return options_.handle_chinese_chars; }

  void normalize(NormalizedText& text) const override {
    if (options_.strip_accents && needs_reordering(text.view(), options_.clean_text)) {
      // The reference decomposes after cleaning, which may bring marks together; so does this.
      BertNormalizerOptions first = options_, rest = options_;
      first.strip_accents = first.lowercase = false;
      rest.clean_text = rest.handle_chinese_chars = false;
      rewrite(text, first);
      normalize_unicode(UnicodeForm::kNfd, text);
      rewrite(text, rest);
      return;
    }
    rewrite(text, options_);
  }

 private:
  void rewrite(NormalizedText& text, const BertNormalizerOptions& options) const {
    const std::string_view in = text.view();
    const CharTable& table = char_table();
    TextBuilder out(text);
    const bool ascii_as_configured =
        options.clean_text == options_.clean_text && options.lowercase == options_.lowercase;
    base::Checkpoint checkpoint;
    for (size_t i = 0; i < in.size();) {
      checkpoint(i);
      const unsigned char byte = static_cast<unsigned char>(in[i]);
      if (byte < 0x80 && ascii_as_configured) {
        if (!removed_[byte]) out.append(std::string_view(&ascii_[byte], 1), text.source(i));
        ++i;
        continue;
      }
      const base::Decoded c = base::decode_utf8(in.substr(i));
      rewrite_character(c.code_point, table[c.code_point], text.source(i), options, out);
      i += c.size;
    }
    text = out.take();
  }

  static void rewrite_character(char32_t c, CharInfo info, Span source, const BertNormalizerOptions& options,
                                TextBuilder& out) {
    if (options.clean_text) {
      if (info.in(kBertControl)) return;
      if (info.in(kWhitespace)) {
        out.append(U' ', source);
        return;
      }
    }
    const bool spaced = options.handle_chinese_chars && is_cjk(c);
    if (spaced) out.append(U' ', source);
    if (options.strip_accents) {
      strip_accents(c, info, source, options, out);
    } else {
      append_lowercase(c, info, source, options, out);
    }
    if (spaced) out.append(U' ', source);
  }

  static void strip_accents(char32_t c, CharInfo info, Span source, const BertNormalizerOptions& options,
                            TextBuilder& out) {
    if (!info.has_canonical()) {
      if (!info.in(kNonspacingMark)) append_lowercase(c, info, source, options, out);
      return;
    }
    if (is_hangul_syllable(c)) {
      char32_t jamo[3];
      const size_t count = decompose_hangul(c, jamo);
      for (size_t k = 0; k < count; ++k) out.append(jamo[k], source);
      return;
    }
    for (const uint32_t part : canonical_decomposition(c)) {
      const CharInfo part_info = char_info(part);
      if (!part_info.in(kNonspacingMark)) append_lowercase(part, part_info, source, options, out);
    }
  }

  static void append_lowercase(char32_t c, CharInfo info, Span source, const BertNormalizerOptions& options,
                               TextBuilder& out) {
    if (!options.lowercase || !info.has_lowercase()) {
      out.append(c, source);
      return;
    }
    for (const uint32_t part : lowercase(c)) out.append(part, source);
  }

  BertNormalizerOptions options_;
  std::array<char, 128> ascii_{};
  std::array<bool, 128> removed_{};
};

// Writes the text anew by `write(out, character, bytes, source)`, called for each of its characters.
template <class Write>
void rewrite_each(NormalizedText& text, const Write& write) {
  const std::string_view in = text.view();
  TextBuilder out(text);
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < in.size();) {
    checkpoint(i);
    const base::Decoded c = base::decode_utf8(in.substr(i));
    write(out, c.code_point, in.substr(i, c.size), text.source(i));
    i += c.size;
  }
  text = out.take();
}

class Lowercase : public Normalizer {
 public:
  bool is_local() const override { return true; }
  void normalize(NormalizedText& text) const override {
    rewrite_each(text, [](TextBuilder& out, char32_t c, std::string_view bytes, Span source) {
      if (!char_info(c).has_lowercase()) return out.append(bytes, source);
      for (const uint32_t part : lowercase(c)) out.append(part, source);
    });
  }
};

class StripAccents : public Normalizer {
 public:
  bool is_local() const override { return true; }
  void normalize(NormalizedText& text) const override {
    rewrite_each(text, [](TextBuilder& out, char32_t c, std::string_view bytes, Span source) {
      if (!char_info(c).in(kCombiningMark)) out.append(bytes, source);
    });
  }
};

}  // namespace

NormalizerPtr make_bert_normalizer(const BertNormalizerOptions& options) {
  return std::make_unique<BertNormalizer>(options);
}
NormalizerPtr make_lowercase_normalizer() { return std::make_unique<Lowercase>(); }
NormalizerPtr make_strip_accents_normalizer() { return std::make_unique<StripAccents>(); }

}  // namespace vsr::text
