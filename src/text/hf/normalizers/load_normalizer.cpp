#include "text/hf/normalizers/load_normalizer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/base64.h"
#include "text/hf/normalizers/growth.h"
#include "text/hf/normalizers/normalizer_bert.h"
#include "text/hf/normalizers/normalizer_precompiled.h"
#include "text/hf/normalizers/normalizer_rewrite.h"
#include "text/hf/normalizers/normalizer_unicode.h"
#include "text/parts/step_limit.h"

namespace vsr::text {
namespace {

class SequenceOfNormalizers : public Normalizer {
 public:
  explicit SequenceOfNormalizers(std::vector<NormalizerPtr> steps) : steps_(std::move(steps)) {}
  void normalize(NormalizedText& text) const override {
    for (const NormalizerPtr& step : steps_) {
      step->normalize(text);
      check_growth(text, text.view().size());  // a step may double its text, and 64 of them double what that gives
    }
  }
  bool is_local() const override {
    return std::all_of(steps_.begin(), steps_.end(), [](const NormalizerPtr& step) { return step->is_local(); });
  }

 private:
  std::vector<NormalizerPtr> steps_;
};

NormalizerPtr load_bert(const base::JsonObject& json) {
  BertNormalizerOptions options;
  options.clean_text = json.required<bool>("clean_text");
  options.handle_chinese_chars = json.required<bool>("handle_chinese_chars");
  options.lowercase = json.required<bool>("lowercase");
  options.strip_accents = json.optional<bool>("strip_accents", options.lowercase);
  return make_bert_normalizer(options);
}

// Sequences inside of sequences become one row of steps.
void load_steps(const base::JsonObject& json, std::vector<NormalizerPtr>& steps) {
  for (const base::JsonValue& item : json.at("normalizers").items()) {
    const base::JsonObject step = item.as<base::JsonObject>();
    if (step.required<std::string>("type") == "Sequence") {
      load_steps(step, steps);
    } else {
      steps.push_back(load_normalizer(step));
    }
    if (steps.size() > kMostSteps) json.fail("has more than " + std::to_string(kMostSteps) + " steps");
  }
}

NormalizerPtr load_sequence(const base::JsonObject& json) {
  std::vector<NormalizerPtr> steps;
  load_steps(json, steps);
  return std::make_unique<SequenceOfNormalizers>(std::move(steps));
}

NormalizerPtr load_precompiled(const base::JsonObject& json) {
  const base::JsonValue value = json.at("precompiled_charsmap");
  const std::optional<std::string> charsmap = base::decode_base64(value.as<std::string>());
  if (!charsmap) value.fail("is no Base64");
  return make_precompiled(*charsmap, value);
}

}  // namespace

NormalizerPtr load_normalizer(const base::JsonObject& json) {
  const std::string type = json.required<std::string>("type");
  if (type == "Sequence") return load_sequence(json);
  if (type == "BertNormalizer") return load_bert(json);
  if (type == "Lowercase") return make_lowercase_normalizer();
  if (type == "StripAccents") return make_strip_accents_normalizer();
  if (type == "NFC") return make_unicode_normalizer(UnicodeForm::kNfc);
  if (type == "NFD") return make_unicode_normalizer(UnicodeForm::kNfd);
  if (type == "NFKC") return make_unicode_normalizer(UnicodeForm::kNfkc);
  if (type == "NFKD") return make_unicode_normalizer(UnicodeForm::kNfkd);
  if (type == "Prepend") return make_prepend(json.required<std::string>("prepend"));
  if (type == "Replace") {
    return make_replace(load_pattern(json.required<base::JsonObject>("pattern")),
                        json.required<std::string>("content"));
  }
  if (type == "Strip") return make_strip(json.required<bool>("strip_left"), json.required<bool>("strip_right"));
  if (type == "Precompiled") return load_precompiled(json);
  if (type == "Nmt") return make_nmt();
  if (type == "ByteLevel") return make_byte_level_normalizer();
  json.at("type").fail_unsupported("is \"" + type + "\", a normalizer that vsr does not implement");
}

}  // namespace vsr::text
