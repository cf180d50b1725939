// routing: every evaluator that reads a prompt gives confidences within 0 .. 1 and entities inside the text.
#include "base/utf8.h"
#include "facts/language_detector.h"
#include "facts/pii_patterns.h"
#include "fuzz_target.h"
#include "routing/signals/signal_keyword.h"
#include "routing/signals/signal_structure.h"

using namespace vsr;
using namespace vsr::facts;
using namespace vsr::routing;

namespace {

std::vector<KeywordRule> keyword_rules() {
  KeywordRule literal{.name = "literal", .keywords = {"urgent", "credit card", "\u7D27\u6025", "a", "aa"}};
  KeywordRule fuzzy = literal;
  fuzzy.fuzzy_match = true;
  KeywordRule exact = literal;
  exact.case_sensitive = true;
  KeywordRule ngram = literal;
  ngram.method = KeywordRule::Method::kNgram;
  KeywordRule bm25 = literal;
  bm25.method = KeywordRule::Method::kBm25;
  return {literal, fuzzy, exact, ngram, bm25};
}

bool is_share(double value) { return value >= 0 && value <= 1; }

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"Urgent: my credit card 4111 1111 1111 1111 was stolen, call +1 (555) 123-4567 x89!",
          "DE89 3704 0044 0532 0130 00, a@b.io, 10.0.0.1, fe80::1, https://example.com/, ssn 123-45-6789",
          "\u7D27\u6025\uFF1F \uFF41\u0301\u200Ba \uAE34\uAE09\uD569\uB2C8\uB2E4"};
}

int fuzz::runs() { return 10000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const KeywordSignals keywords(keyword_rules());
  static const StructureSignal density({.name = "density",
                                        .feature = StructureRule::Feature::kDensity,
                                        .source = StructureRule::Source::kKeywordSet,
                                        .keywords = {"a", "aa", "b"}});
  static const StructureSignal questions(
      {.name = "questions", .feature = StructureRule::Feature::kCount, .pattern = "(?s)[?\uFF1F]|a.*b|x*"});
  const base::CleanText clean(fuzz::text_of(data, size));
  const std::string_view text = clean.view();
  for (const SignalValue& value : keywords.evaluate(text)) fuzz::demand(is_share(value.confidence), "a confidence");
  fuzz::demand(is_share(density.evaluate(text).value), "every keyword of the set is a word");
  fuzz::demand(questions.evaluate(text).value <= static_cast<double>(text.size()), "matches do not overlap");
  for (const LanguageShare& share : detect_languages(text)) fuzz::demand(is_share(share.confidence), "a share");
  for (const PiiEntity& entity : scan_pii_patterns(text)) {
    fuzz::demand(entity.begin < entity.end && entity.end <= text.size(), "entities lie in the text");
    fuzz::demand(is_share(entity.score), "a score");
  }
  return 0;
}
