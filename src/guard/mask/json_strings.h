// The strings and numbers of a JSON document where they are, so that some can be changed and all else stays byte for
// byte.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::guard {

struct JsonPiece {
  enum class Kind { kKey, kString, kNumber };
  Kind kind = Kind::kString;
  size_t begin = 0, end = 0;  // bytes of the document, quotes included
  std::string text = {};      // decoded; of a number as it is written
  std::string key = {};       // of the member that this is the value of, or an item of its list; empty: none
  std::string parent = {};    // the same of the object around that
};

// In order. `json` is whole and well-formed UTF-8. Throws kParse for what is no JSON, kLimit for absurd nesting.
std::vector<JsonPiece> json_pieces(std::string_view json);
// With other text in the place of each piece that has one: a string or key keeps its quotes, a number becomes a string.
std::string with_pieces(std::string_view json, const std::vector<JsonPiece>& pieces,
                        const std::vector<std::optional<std::string>>& texts);
// A text as it is between the quotes of a JSON string.
std::string json_escaped(std::string_view text);

}  // namespace vsr::guard
