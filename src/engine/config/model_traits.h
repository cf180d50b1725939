// What a config file says of a model beyond what its own files do; it serves to choose among several.
//
//   vsr:
//     models:
//       gemma: {path: models/embeddinggemma, languages: [de, en, pt-BR], matryoshka_dims: [128, 256, 512]}
//       mmbert: {path: models/mmbert, languages: ["*"], quality: 0.7}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.h"

namespace vsr::engine {

struct ModelTraits {
  std::vector<std::string> languages;    // BCP 47 tags in lower case, or "*" for any
  std::optional<double> quality;         // 0 to 1
  std::vector<int64_t> matryoshka_dims;  // ascending; lengths to which its vectors may be cut
  std::string where;                     // of matryoshka_dims: "file:line:column"
  friend bool operator==(const ModelTraits&, const ModelTraits&) = default;

  // A language covers its regions and scripts: "pt" lists "pt-br", and not the other way round.
  bool lists(std::string_view language) const;
};

// Reads the keys "languages", "quality" and "matryoshka_dims" of a model's entry. Throws kParse with file, line and
// column.
ModelTraits read_model_traits(const base::YamlNode& model);
// Throws kParse for a length beyond that of the model's vectors.
void check_matryoshka_dims(const ModelTraits& traits, int64_t dim);

// The tag in lower case, or nothing where it cannot be one: letters, then groups of letters and digits.
std::optional<std::string> language_tag(std::string_view text);

}  // namespace vsr::engine
