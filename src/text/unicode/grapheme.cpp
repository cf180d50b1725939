// Extended grapheme clusters: Unicode Standard Annex 29, rules GB3 to GB13.

#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

using Class = GraphemeClass;

// What the rules need to know about a cluster that is being read.
struct Cluster {
  Class last = Class::kOther;
  bool pictographic_extend = false;  // pictographic Extend*
  bool pictographic_zwj = false;     // ... ZWJ
  bool indic = false;                // consonant [Extend Linker]*
  bool linker = false;               // ... with a linker
  bool odd_indicator = false;        // an unpaired regional indicator

  void add(CharInfo c) {
    const Class kind = c.grapheme();
    pictographic_zwj = pictographic_extend && kind == Class::kZwj;
    pictographic_extend = c.in(kPictographic) || (pictographic_extend && kind == Class::kExtend);
    if (c.in(kInCbConsonant)) {
      indic = true;
      linker = false;
    } else if (indic && c.in(kInCbLinker)) {
      linker = true;
    } else if (!c.in(kInCbExtend)) {
      indic = linker = false;
    }
    odd_indicator = kind == Class::kRegionalIndicator && !odd_indicator;
    last = kind;
  }

  bool continues_with(CharInfo c) const {
    const Class kind = c.grapheme();
    const auto is_control = [](Class k) { return k == Class::kControl || k == Class::kCr || k == Class::kLf; };
    if (last == Class::kCr && kind == Class::kLf) return true;
    if (is_control(last) || is_control(kind)) return false;
    if (last == Class::kL) {
      if (kind == Class::kL || kind == Class::kV || kind == Class::kLv || kind == Class::kLvt) return true;
    } else if (last == Class::kLv || last == Class::kV) {
      if (kind == Class::kV || kind == Class::kT) return true;
    } else if (last == Class::kLvt || last == Class::kT) {
      if (kind == Class::kT) return true;
    }
    if (kind == Class::kExtend || kind == Class::kZwj || kind == Class::kSpacingMark) return true;
    if (last == Class::kPrepend) return true;
    if (indic && linker && c.in(kInCbConsonant)) return true;
    if (pictographic_zwj && c.in(kPictographic)) return true;
    return odd_indicator && kind == Class::kRegionalIndicator;
  }
};

}  // namespace

size_t grapheme_end(std::string_view text, size_t position) {
  const auto is_plain = [&](size_t i) { return text[i] >= 0x20 && text[i] < 0x7F; };
  if (is_plain(position) && (position + 1 == text.size() || is_plain(position + 1))) return position + 1;
  Cluster cluster;
  const base::Decoded first = base::decode_utf8(text.substr(position));
  cluster.add(char_info(first.code_point));
  position += first.size;
  while (position < text.size()) {
    const base::Decoded c = base::decode_utf8(text.substr(position));
    const CharInfo info = char_info(c.code_point);
    if (!cluster.continues_with(info)) break;
    cluster.add(info);
    position += c.size;
  }
  return position;
}

}  // namespace vsr::text
