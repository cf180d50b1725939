#include "text/tokens/tokenizer.h"

namespace vsr::text {

Encoding Tokenizer::encode(std::string_view text, const std::string_view* pair, bool add_special_tokens) const {
  const TokenSequence first = tokenize(text);
  const SequenceView view{&first, 0, first.ids.size()};
  if (pair == nullptr) return apply_template(view, nullptr, add_special_tokens);
  const TokenSequence second = tokenize(*pair);
  const SequenceView pair_view{&second, 0, second.ids.size()};
  return apply_template(view, &pair_view, add_special_tokens);
}

}  // namespace vsr::text
