// Turns pieces back into text as sentencepiece does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/sentencepiece/spm_file.h"
#include "text/sentencepiece/spm_normalizer.h"

namespace vsr::text {

class SpmDecoder {
 public:
  // The model is borrowed.
  explicit SpmDecoder(const SpmModel& model);
  // Ids must be of the model. Control symbols give nothing, the unknown piece its surface, bytes their characters.
  std::string decode(const std::vector<int32_t>& ids) const;

 private:
  const SpmModel& model_;
  std::vector<int16_t> bytes_;  // by id: the byte of a byte piece, else -1
  std::optional<SpmNormalizer> denormalizer_;
};

}  // namespace vsr::text
