#include "text/hf/charsmap.h"

#include <cstring>

#include "base/utf8.h"

namespace vsr::text {

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
  return map;
}

}  // namespace vsr::text
