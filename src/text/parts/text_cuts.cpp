#include "text/parts/text_cuts.h"

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

bool is_visible(char c) { return c > ' ' && c < 0x7F; }
bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool is_ideograph(char32_t c) { return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF); }
// No normal form changes it, whatever is beside it, unless marks follow.
bool is_stable(CharInfo c) {
  return c.combining_class() == 0 && !c.may_compose() && !c.has_canonical() && !c.has_compatible();
}

CharInfo info_before(std::string_view text, size_t at) {
  const size_t begin = base::floor_boundary(text, at - 1);
  return char_info(base::decode_utf8(text.substr(begin)).code_point);
}

}  // namespace

size_t TextCuts::next(std::string_view text, size_t begin, size_t size) const {
  if (rules_.ends == WordEnds::kUnknown || text.size() - begin <= size) return text.size();
  base::Checkpoint checkpoint(begin);
  for (size_t at = begin + size; at < text.size(); ++at) {
    checkpoint(at);
    if (cuts_at(text, at)) return at;
  }
  return text.size();
}

bool TextCuts::cuts_at(std::string_view text, size_t at) const {
  const char before = text[at - 1], after = text[at];
  if (base::is_continuation(after)) return false;
  if (after == ' ' && is_visible(before) && at + 1 < text.size() && is_visible(text[at + 1])) {
    return rules_.joined_to_space == nullptr || !(*rules_.joined_to_space)[static_cast<unsigned char>(before)];
  }
  if (rules_.ends == WordEnds::kLetters) return ends_letters(text, at);
  if (rules_.ends != WordEnds::kPunctuation) return false;
  if (rules_.ideographs && static_cast<unsigned char>(after) >= 0xE0) {
    return is_ideograph(base::decode_utf8(text.substr(at)).code_point);
  }
  const bool plain = (is_visible(before) || before == ' ') && (is_visible(after) || after == ' ');
  return plain && !(is_alphanumeric(before) && is_alphanumeric(after));
}

bool TextCuts::ends_letters(std::string_view text, size_t at) const {
  const CharInfo after = char_info(base::decode_utf8(text.substr(at)).code_point);
  // Control characters may be removed, and what they part be one word.
  constexpr uint32_t kUncertain = kLetterCategories | kMarkCategories | kOtherCategories;
  if (after.in_categories(kUncertain) || !is_stable(after)) return false;
  const CharInfo before = info_before(text, at);
  return before.in_categories(kLetterCategories) && is_stable(before);
}

}  // namespace vsr::text
