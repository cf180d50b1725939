// BertNormalizer, and two of its four steps by themselves.
#pragma once

#include "text/hf/normalizers/normalizer.h"

namespace vsr::text {

struct BertNormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};
NormalizerPtr make_bert_normalizer(const BertNormalizerOptions& options);

NormalizerPtr make_lowercase_normalizer();
NormalizerPtr make_strip_accents_normalizer();

}  // namespace vsr::text
