// Normalizers: the first step of tokenization. One class per `type` of tokenizer.json's "normalizer".
#pragma once

#include <memory>

#include "text/parts/normalized_text.h"

namespace vsr::text {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // Replaces `text` by its normal form; leaves it alone when nothing changes.
  virtual void normalize(NormalizedText& text) const = 0;
  // Whether it changes each character by itself, or marks with what they are on, and leaves visible characters of
  // ASCII visible and spaces spaces: then a text may be cut before it is normalized (text_cuts.h).
  virtual bool is_local() const { return false; }
  // Whether it puts spaces around ideographs.
  virtual bool parts_ideographs() const { return false; }
  // Whether all that it does is to write U+2581 for each space.
  virtual bool only_marks_spaces() const { return false; }
};

using NormalizerPtr = std::unique_ptr<const Normalizer>;

}  // namespace vsr::text
