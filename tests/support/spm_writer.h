// Writes sentencepiece models field by field, good ones and bad ones.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::test {

inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

inline std::string number_field(uint32_t field, uint64_t value) { return varint(field << 3) + varint(value); }

inline std::string bytes_field(uint32_t field, std::string_view bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

inline std::string float_field(uint32_t field, float value) {
  std::string bytes = varint(field << 3 | 5);
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(bits >> shift & 0xFF));
  return bytes;
}

struct SpmPieceText {
  std::string_view piece;
  float score = 0;
  uint64_t type = 1;  // 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte
};

inline std::string spm_piece(const SpmPieceText& piece) {
  return bytes_field(1, bytes_field(1, piece.piece) + float_field(2, piece.score) + number_field(3, piece.type));
}

// `model_type`: 1 Unigram, 2 BPE, 3 Word, 4 Char. `normalizer`: fields of normalizer_spec.
inline std::string spm_model(uint64_t model_type, const std::vector<SpmPieceText>& pieces,
                             std::string_view normalizer = "") {
  std::string model;
  for (const SpmPieceText& piece : pieces) model += spm_piece(piece);
  return model + bytes_field(2, number_field(3, model_type)) + bytes_field(3, normalizer);
}

}  // namespace vsr::test
