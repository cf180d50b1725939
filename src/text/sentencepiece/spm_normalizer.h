// What sentencepiece does to a text before it cuts it: rules, spaces, the dummy prefix.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/parts/byte_trie.h"
#include "text/sentencepiece/spm_file.h"

namespace vsr::text {

// The user-defined symbols of a model: found as they are, before rules and merges, the longest first.
class SpmSymbols {
 public:
  explicit SpmSymbols(const SpmModel& model);
  // How many bytes of the front of `text` are a symbol; 0 when none is.
  size_t match(std::string_view text) const;

 private:
  std::unique_ptr<const ByteTrie> trie_;  // null without symbols
};

struct SpmText {
  std::string text;
  std::vector<uint32_t> origins;  // by byte of `text`, and for its end: where in the original it comes from
};

class SpmNormalizer {
 public:
  // Both are borrowed; `symbols` may be null.
  SpmNormalizer(const SpmNormalization& options, const SpmSymbols* symbols);

  // `text` is well-formed UTF-8 below 4 GiB. Throws kLimit where the result is not below 4 GiB.
  SpmText normalize(std::string_view text) const;

 private:
  struct Step {
    std::string_view replacement;
    size_t length;  // of what it replaces
  };
  Step step(std::string_view rest) const;
  void add_space(SpmText& out, size_t origin) const;
  void add(std::string_view replacement, SpmText& out, size_t origin) const;
  void drop_trailing_spaces(SpmText& out, size_t& origin) const;

  const SpmNormalization& options_;
  const SpmSymbols* symbols_;
  std::string_view space_;
};

}  // namespace vsr::text
