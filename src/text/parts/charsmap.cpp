#include "text/parts/charsmap.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace vsr::text {
namespace {

constexpr size_t kMostReplacement = 256;  // the longest of Unicode has 33 bytes

// The most bytes without a NUL between them.
size_t longest_run(std::string_view text) {
  size_t longest = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\0'), text.size());
    longest = std::max(longest, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

}  // namespace

std::optional<CharsMap> CharsMap::read(std::string_view blob, std::string& problem) {
  uint32_t size = 0;
  if (blob.size() >= 4) std::memcpy(&size, blob.data(), 4);
  if (blob.size() < 8 || size % 4 != 0 || size < 4 || size > blob.size() - 4) {
    problem = "its trie does not fit";
    return std::nullopt;
  }
  CharsMap map;
  map.units_.resize(size / 4);
  std::memcpy(map.units_.data(), blob.data() + 4, size);
  map.replacements_ = blob.substr(4 + size);
  if (base::CleanText(map.replacements_).replaced_bytes() > 0) {
    problem = "it is not UTF-8";
    return std::nullopt;
  }
  if (longest_run(map.replacements_) > kMostReplacement) {
    problem = "it replaces a character by more than " + std::to_string(kMostReplacement) + " bytes";
    return std::nullopt;
  }
  return map;
}

}  // namespace vsr::text
