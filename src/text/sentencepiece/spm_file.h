// A sentencepiece model file (.model, .spm) as it was read: pieces and the settings that matter once trained. Field
// names are those of sentencepiece_model.proto.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/parts/charsmap.h"
#include "text/parts/vocabulary.h"

namespace vsr::text {

enum class SpmType : uint8_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
enum class SpmAlgorithm : uint8_t { kUnigram = 1, kBpe = 2, kWord = 3, kChar = 4 };

struct SpmNormalization {
  std::optional<CharsMap> rules;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
  bool treat_whitespace_as_suffix = false;  // is in the trainer's settings
};

// Pieces by id. Immutable.
struct SpmModel {
  SpmAlgorithm algorithm = SpmAlgorithm::kUnigram;
  Vocabulary pieces{{}};
  std::vector<float> scores;
  std::vector<SpmType> types;
  int32_t unk_id = -1;
  bool byte_fallback = false;
  std::array<int32_t, 256> byte_ids{};         // with byte_fallback
  std::string unk_surface = " \xE2\x81\x87 ";  // what decoding gives for the unknown piece
  SpmNormalization normalization;
  std::optional<SpmNormalization> denormalization;  // of decoded texts

  SpmType type(int32_t id) const { return types[static_cast<size_t>(id)]; }
  float score(int32_t id) const { return scores[static_cast<size_t>(id)]; }
  // Pieces that a text may be cut into; control symbols and the like are written the same but not meant.
  bool is_text(int32_t id) const {
    return type(id) == SpmType::kNormal || type(id) == SpmType::kUserDefined || type(id) == SpmType::kUnused;
  }
  bool has(SpmType wanted) const;
  // All user-defined symbols with their ids.
  std::vector<std::pair<std::string_view, int32_t>> user_defined() const;
};

// Throws kNotFound, kIo, or kParse naming what is wrong.
SpmModel read_spm_file(const std::string& path);

}  // namespace vsr::text
