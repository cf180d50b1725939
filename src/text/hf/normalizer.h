// Normalizers: the first step of tokenization. One class per `type` of tokenizer.json's "normalizer".
#pragma once

#include <memory>
#include <string>

#include "base/json.h"
#include "text/hf/normalized_text.h"

namespace vsr::text {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // Replaces `text` by its normal form; leaves it alone when nothing changes.
  virtual void normalize(NormalizedText& text) const = 0;
  // Whether it changes each character by itself, or marks with what they stand on, and leaves visible characters of ASCII
  // visible and spaces spaces: then a text may be cut before it is normalized (text_cuts.h).
  virtual bool is_local() const { return false; }
  // Whether it puts spaces around ideographs.
  virtual bool parts_ideographs() const { return false; }
  // Whether all that it does is to write U+2581 for each space.
  virtual bool only_marks_spaces() const { return false; }
};

using NormalizerPtr = std::unique_ptr<const Normalizer>;

// Reads the value of "normalizer". Throws kParse, or kUnsupported naming the type.
NormalizerPtr load_normalizer(const base::JsonObject& json);

struct BertNormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};
NormalizerPtr make_bert_normalizer(const BertNormalizerOptions& options);

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };
NormalizerPtr make_unicode_normalizer(UnicodeForm form);
void normalize_unicode(UnicodeForm form, NormalizedText& text);

// Of normalizers, pre-tokenizers and decoders, each of which goes over the text.
constexpr size_t kMostSteps = 64;

}  // namespace vsr::text
