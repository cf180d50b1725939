// Which languages a text is written in, by the Compact Language Detector 2: 80 languages, tables of letter groups.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::facts {

struct LanguageShare {
  std::string language;  // ISO 639-1 where there is one, else 639-3; "zh" for both Chinese scripts
  double confidence;     // share of the text's letters, 0 .. 1; halved when the detector calls its guess unreliable
};

// At most three, the greatest share first; none for a text without letters. Of a long text the beginning, the middle
// and the end are read, 16 KB each. `text` is well-formed UTF-8. Thread-safe.
std::vector<LanguageShare> detect_languages(std::string_view text);

// How rules and detector name a language alike: lower case, without region and script ("pt-BR" is "pt"), old codes by
// their new ones ("iw" is "he").
std::string canonical_language(std::string_view code);

}  // namespace vsr::facts
