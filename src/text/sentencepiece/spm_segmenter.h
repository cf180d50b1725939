// Cuts normalized texts into pieces, one class per model_type of sentencepiece.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "text/sentencepiece/spm_file.h"
#include "text/sentencepiece/spm_normalizer.h"

namespace vsr::text {

// Pieces follow each other without gaps.
struct SpmPiece {
  uint32_t length;
  int32_t id;
};

class SpmSegmenter {
 public:
  virtual ~SpmSegmenter() = default;
  // Appends the pieces of `text`, which is mostly UTF-8 and may be anything.
  virtual void segment(std::string_view text, std::vector<SpmPiece>& pieces) const = 0;
  virtual std::string_view kind() const = 0;
};

using SpmSegmenterPtr = std::unique_ptr<const SpmSegmenter>;

// What they take is borrowed. Throw kParse, calling the file `path`, for a model without pieces to cut into.
SpmSegmenterPtr make_spm_unigram(const SpmModel& model, const std::string& path);
SpmSegmenterPtr make_spm_bpe(const SpmModel& model, const SpmSymbols& symbols);
SpmSegmenterPtr make_spm_word(const SpmModel& model);
SpmSegmenterPtr make_spm_char(const SpmModel& model, const SpmSymbols& symbols);

// The bytes of the character at the front of `text` by its first byte alone, which is how the library counts.
inline size_t spm_character_size(std::string_view text) {
  constexpr unsigned char kSizes[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  return std::min<size_t>(kSizes[static_cast<unsigned char>(text[0]) >> 4], text.size());
}

}  // namespace vsr::text
