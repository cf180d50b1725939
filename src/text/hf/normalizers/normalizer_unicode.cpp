// NFC, NFD, NFKC and NFKD. Decomposition puts marks in canonical order together with their edits, as the reference
// does, so that sources come out equal even where marks change places.
#include "text/hf/normalizers/normalizer_unicode.h"

#include <algorithm>
#include <vector>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

struct Mark {
  char32_t character;
  ptrdiff_t change;
  uint8_t combining_class;
};

// Splits a text into characters that are decomposed and in canonical order, handed to `Sink(character, change, class)`.
template <class Sink>
class Decomposer {
 public:
  Decomposer(bool compatible, Sink& sink) : compatible_(compatible), sink_(sink) {}

  void add(char32_t c) {
    const CharInfo info = char_info(c);
    if (compatible_ ? !info.has_compatible() : !info.has_canonical()) {
      push(c, 0, info.combining_class());
      return;
    }
    if (is_hangul_syllable(c)) {
      char32_t jamo[3];
      const size_t count = decompose_hangul(c, jamo);
      for (size_t i = 0; i < count; ++i) push(jamo[i], i > 0, 0);
      return;
    }
    ptrdiff_t change = 0;
    for (const uint32_t part : compatible_ ? compatible_decomposition(c) : canonical_decomposition(c)) {
      push(part, change, char_info(part).combining_class());
      change = 1;
    }
  }

  // Hands out the marks that wait for their order.
  void flush() {
    const auto by_class = [](const Mark& a, const Mark& b) { return a.combining_class < b.combining_class; };
    if (!std::is_sorted(pending_.begin(), pending_.end(), by_class)) {
      std::stable_sort(pending_.begin(), pending_.end(), by_class);
    }
    for (const Mark& mark : pending_) sink_(mark.character, mark.change, mark.combining_class);
    pending_.clear();
  }

 private:
  void push(char32_t c, ptrdiff_t change, uint8_t combining_class) {
    if (combining_class != 0) {
      pending_.push_back({c, change, combining_class});
      return;
    }
    if (!pending_.empty()) flush();
    sink_(c, change, uint8_t{0});
  }

  bool compatible_;
  Sink& sink_;
  std::vector<Mark> pending_;
};

// Composes what a Decomposer hands out. A composite's edit is the sum of its parts' edits.
class Composer {
 public:
  explicit Composer(TextTransform& out) : out_(out) {}

  void operator()(char32_t c, ptrdiff_t change, uint8_t combining_class) {
    if (!has_starter_) {
      if (combining_class != 0) {
        out_.emit(c, change);
      } else {
        start(c, change);
      }
      return;
    }
    const bool blocked = last_class_ >= 0 && last_class_ >= combining_class;
    const char32_t composite = blocked ? 0 : compose(starter_.character, c);
    if (composite != 0) {
      starter_ = {composite, starter_.change + change - 1};
    } else if (combining_class == 0) {
      finish();
      start(c, change);
    } else {
      marks_.push_back({c, change});
      last_class_ = combining_class;
    }
  }

  void finish() {
    if (has_starter_) out_.emit(starter_.character, starter_.change);
    for (const Edit& mark : marks_) out_.emit(mark.character, mark.change);
    marks_.clear();
    has_starter_ = false;
  }

 private:
  void start(char32_t c, ptrdiff_t change) {
    starter_ = {c, change};
    has_starter_ = true;
    last_class_ = -1;
  }

  TextTransform& out_;
  Edit starter_{};
  bool has_starter_ = false;
  int last_class_ = -1;  // of the last mark that did not compose
  std::vector<Edit> marks_;
};

template <class Wanted>
bool any_character(std::string_view text, Wanted&& wanted) {
  const CharTable& table = char_table();
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < text.size();) {
    checkpoint(i);
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const base::Decoded c = base::decode_utf8(text.substr(i));
    if (wanted(table[c.code_point])) return true;
    i += c.size;
  }
  return false;
}

bool may_change(UnicodeForm form, std::string_view text) {
  switch (form) {
    case UnicodeForm::kNfc:
      return any_character(text, [](CharInfo c) { return c.may_compose(); });
    case UnicodeForm::kNfd:
      return any_character(text, [](CharInfo c) { return c.has_canonical() || c.combining_class() != 0; });
    case UnicodeForm::kNfkc:
      return any_character(text, [](CharInfo c) { return c.may_compose() || c.has_compatible(); });
    default:
      return any_character(text, [](CharInfo c) { return c.has_compatible() || c.combining_class() != 0; });
  }
}

template <class Sink>
void decompose(std::string_view text, bool compatible, Sink& sink) {
  Decomposer<Sink> decomposer(compatible, sink);
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < text.size();) {
    checkpoint(i);
    const base::Decoded c = base::decode_utf8(text.substr(i));
    decomposer.add(c.code_point);
    i += c.size;
  }
  decomposer.flush();
}

class UnicodeNormalizer : public Normalizer {
 public:
  explicit UnicodeNormalizer(UnicodeForm form) : form_(form) {}
  void normalize(NormalizedText& text) const override { normalize_unicode(form_, text); }
  bool is_local() const override { return true; }

 private:
  UnicodeForm form_;
};

}  // namespace

void normalize_unicode(UnicodeForm form, NormalizedText& text) {
  if (!may_change(form, text.view())) return;
  const bool compatible = form == UnicodeForm::kNfkc || form == UnicodeForm::kNfkd;
  TextTransform transform(text);
  if (form == UnicodeForm::kNfd || form == UnicodeForm::kNfkd) {
    auto sink = [&](char32_t c, ptrdiff_t change, uint8_t) { transform.emit(c, change); };
    decompose(text.view(), compatible, sink);
  } else {
    Composer composer(transform);
    decompose(text.view(), compatible, composer);
    composer.finish();
  }
  text = transform.take();
}

NormalizerPtr make_unicode_normalizer(UnicodeForm form) { return std::make_unique<UnicodeNormalizer>(form); }

}  // namespace vsr::text
