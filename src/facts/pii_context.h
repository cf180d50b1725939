// Words beside a number that say what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vsr::facts {

// Where some words are in a text, whole as far as ASCII goes. Immutable.
class ContextWords {
 public:
  // `lower_text`: the text with ASCII letters in lower case, as the words are. Takes linear time.
  ContextWords(std::string_view lower_text, std::span<const std::string_view> words);

  // Whether one of them begins at most 48 bytes before `begin` or 16 after `end`.
  bool near(size_t begin, size_t end) const;

 private:
  bool any_within(size_t first, size_t last) const;

  std::vector<uint32_t> positions_;  // ascending; texts are below 4 GiB
};

}  // namespace vsr::facts
