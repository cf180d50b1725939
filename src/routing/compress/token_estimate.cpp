#include "routing/compress/token_estimate.h"

#include <array>

namespace vsr::routing {
namespace {

using text::Script;

// A word of n characters takes 1 + (n - 1) / `per_token` tokens. Vocabularies hold most Latin words whole or in two
// parts; what they hold of other scripts is shorter the rarer the script.
constexpr std::array<size_t, text::kScripts> characters_per_token() {
  std::array<size_t, text::kScripts> per{};
  per.fill(1);
  per[static_cast<size_t>(Script::kLatin)] = 5;
  per[static_cast<size_t>(Script::kCyrillic)] = 2;
  per[static_cast<size_t>(Script::kKatakana)] = 1;
  return per;
}
constexpr std::array<size_t, text::kScripts> kCharactersPerToken = characters_per_token();

}  // namespace

size_t estimated_tokens(const text::Word& word) {
  if (word.kind == text::WordKind::kSymbol) return 1;
  if (word.kind == text::WordKind::kNumber) return (word.characters + 1) / 2;
  return 1 + (word.characters - 1) / kCharactersPerToken[static_cast<size_t>(word.script)];
}

size_t estimate_tokens(std::string_view text) {
  size_t tokens = 0;
  text::Word word;
  for (text::WordReader reader(text, {0, text.size()}); reader.next(word);) tokens += estimated_tokens(word);
  return tokens;
}

}  // namespace vsr::routing
