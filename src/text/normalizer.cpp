// Reads the "normalizer" of a tokenizer.json.
#include "text/normalizer.h"

#include <vector>

namespace vsr::text {
namespace {

class SequenceOfNormalizers : public Normalizer {
 public:
  explicit SequenceOfNormalizers(std::vector<NormalizerPtr> steps) : steps_(std::move(steps)) {}
  void normalize(NormalizedText& text) const override {
    for (const NormalizerPtr& step : steps_) step->normalize(text);
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

NormalizerPtr load_sequence(const base::JsonObject& json) {
  std::vector<NormalizerPtr> steps;
  for (const base::JsonValue& item : json.at("normalizers").items()) {
    steps.push_back(load_normalizer(item.as<base::JsonObject>()));
  }
  return std::make_unique<SequenceOfNormalizers>(std::move(steps));
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
  json.at("type").fail_unsupported("is \"" + type + "\", a normalizer that vsr does not implement");
}

}  // namespace vsr::text
