// Unicode's normal forms.
#pragma once

#include "text/hf/normalizers/normalizer.h"
#include "text/parts/normalized_text.h"

namespace vsr::text {

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };
NormalizerPtr make_unicode_normalizer(UnicodeForm form);
void normalize_unicode(UnicodeForm form, NormalizedText& text);

}  // namespace vsr::text
