// What a tokenizer that was accepted must keep, whatever its file says.
#pragma once

#include "base/json.h"
#include "fuzz_target.h"
#include "text/hf/tokenizer_json.h"
#include "text/regex/match_work.h"
#include "text/tokens/tokenizer.h"

namespace vsr::fuzz {

inline const std::string_view kTexts[] = {"", "Where is my card?",
                                          "caf\xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x99\x82 [SEP]",
                                          "\xFF\xE2\x82 x", std::string_view("a\0b", 3)};

inline void check_encoding(const text::Tokenizer& tokenizer, const text::Encoding& encoding, std::string_view text,
                           std::string_view pair) {
  const size_t size = encoding.size();
  demand(encoding.type_ids.size() == size && encoding.offsets.size() == size && encoding.sides.size() == size,
         "an encoding's vectors are of one length");
  for (size_t i = 0; i < size; ++i) {
    demand(encoding.ids[i] >= 0 && static_cast<size_t>(encoding.ids[i]) < tokenizer.vocab_size(),
           "ids are of the vocabulary");
    demand(encoding.type_ids[i] >= 0, "type ids are not negative");
    const size_t limit = encoding.sides[i] == 1 ? pair.size() : text.size();
    demand(encoding.offsets[i].begin <= encoding.offsets[i].end && encoding.offsets[i].end <= limit,
           "offsets lie in the text");
  }
  accept_errors([&] { static_cast<void>(tokenizer.decode(encoding.ids, true)); });
}

// Any tokenizer.json is a tokenizer or an error, and an accepted one keeps its promises on texts.
inline void check_tokenizer_json(std::string_view bytes) {
  constexpr size_t kSteps = 20'000;  // of expressions, for one input
  const text::MatchWork work(kSteps);
  accept_errors([&] {
    const auto tokenizer = text::load_tokenizer_json(base::JsonObject(base::parse_json(bytes, "tokenizer.json")));
    for (const std::string_view text : kTexts) {
      accept_errors([&] { check_encoding(*tokenizer, tokenizer->encode(text, nullptr, true), text, ""); });
      accept_errors([&] { check_encoding(*tokenizer, tokenizer->encode(text, &kTexts[1], true), text, kTexts[1]); });
    }
  });
}

}  // namespace vsr::fuzz
