#include "routing/request/tag_text.h"

#include <algorithm>
#include <cstddef>

#include "base/characters.h"
#include "base/checkpoint.h"

namespace vsr::routing {
namespace {

constexpr size_t kReach = 1024;
constexpr std::string_view kBlock = "\xF3\xA0";  // U+E0000..U+E0FFF in UTF-8
constexpr size_t kTagBytes = 4;

// Whether a character of the block of tags (U+E0000..U+E007F) begins here.
bool is_tag_character(std::string_view text, size_t at) {
  if (at + kTagBytes > text.size() || !text.substr(at).starts_with(kBlock)) return false;
  const auto third = static_cast<unsigned char>(text[at + 2]);
  return third == 0x80 || third == 0x81;
}

size_t find_tag(std::string_view text, size_t from) {
  size_t at = text.find(kBlock, from);
  while (at != std::string_view::npos && !is_tag_character(text, at)) at = text.find(kBlock, at + kBlock.size());
  return std::min(at, text.size());
}

// The ASCII character that a tag stands for; 0 for those that say nothing (language tag, cancel tag, controls).
char ascii_of_tag(std::string_view text, size_t at) {
  const auto low = (static_cast<unsigned char>(text[at + 2]) & 1U) << 6U;
  const auto code = static_cast<char>(low | (static_cast<unsigned char>(text[at + 3]) & 0x3FU));
  return code >= 0x20 && code < 0x7F ? code : '\0';
}

// The end of the stretch around the tag at `tag`: a kilobyte after the last tag that is no further than that from
// another.
size_t stretch_end(std::string_view text, size_t tag) {
  size_t end = tag;
  for (size_t next = tag; next < text.size() && next <= end; next = find_tag(text, next + kTagBytes))
    end = next + kTagBytes + kReach;
  return base::ceil_boundary(text, std::min(end, text.size()));
}

void append_stretch(std::string_view stretch, std::string& out) {
  if (!out.empty()) out += '\n';
  for (size_t i = 0; i < stretch.size();) {
    const size_t tag = find_tag(stretch, i);
    out += stretch.substr(i, tag - i);
    if (tag == stretch.size()) return;
    if (const char c = ascii_of_tag(stretch, tag)) out += c;
    i = tag + kTagBytes;
  }
}

}  // namespace

std::string read_tag_text(std::string_view text) {
  std::string read;
  base::Checkpoint checkpoint;
  for (size_t tag = find_tag(text, 0), done = 0; tag < text.size(); tag = find_tag(text, done)) {
    const size_t begin = std::max(done, base::floor_boundary(text, tag - std::min(tag, kReach)));
    done = stretch_end(text, tag);
    checkpoint.add(done - begin);
    append_stretch(text.substr(begin, done - begin), read);
  }
  return read;
}

}  // namespace vsr::routing
