// core::spans: spans of any labels and scores lie in the text, in order, and united ones of a label never overlap.
#include "core/nn/spans.h"

#include "fuzz_target.h"
#include "support/byte_tokenizer.h"

using namespace vsr;

namespace {

const std::vector<std::string> kLabels{"O",     "B-PER",  "I-PER", "E-PER", "S-PER", "U-ORG", "L-ORG", "B-ORG",
                                       "I-ORG", "E-MAIL", "PER",   "B-",    "-",     "",      "S-X",   "I-"};

std::vector<std::string> some_labels(fuzz::Bytes& bytes) {
  std::vector<std::string> labels;
  for (size_t n = 1 + bytes.below(6); n > 0; --n) labels.push_back(kLabels[bytes.below(kLabels.size())]);
  return labels;
}

void check_found(const std::vector<core::LabelledSpan>& spans, const core::SpanLabels& labels, size_t length) {
  size_t before = 0;
  for (const core::LabelledSpan& span : spans) {
    fuzz::demand(span.begin < span.end && span.end <= length, "spans lie in the text");
    fuzz::demand(span.begin >= before, "spans of one window do not overlap");
    fuzz::demand(span.label < labels.names().size(), "labels have names");
    fuzz::demand(span.score >= 0 && span.score <= 1, "a mean of scores is a score");
    before = span.end;
  }
}

void check_united(const std::vector<core::LabelledSpan>& spans) {
  for (size_t i = 0; i < spans.size(); ++i) {
    fuzz::demand(i == 0 || spans[i - 1].begin <= spans[i].begin, "united spans are in order");
    for (size_t j = 0; j < i; ++j) {
      fuzz::demand(spans[j].label != spans[i].label || spans[j].end <= spans[i].begin, "united spans do not overlap");
    }
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {std::string("\x00\x03\x00\x00\x00\x01\x00\x02\x00\x07\x00\x10", 12) + std::string(80, '\x55'),
          std::string("\x00\x05\x00\x00\x00\x01\x00\x03\x00\x04\x00\x05\x00\x20", 14) +
              "0123456789abcdefghijklmnopqrstuvwxyz"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes bytes(data, size);
  const core::SpanLabels labels(some_labels(bytes));
  const test::ByteTokenizer tokenizer;
  std::vector<core::LabelledSpan> all;
  for (size_t windows = 1 + bytes.below(3); windows > 0; --windows) {
    const std::string text(bytes.below(20), 'x');
    const auto sequence = tokenizer.tokenize(text);
    const auto encoding = tokenizer.apply_template({&sequence, 0, text.size()}, nullptr, true);
    std::vector<float> probs;
    while (probs.size() < encoding.size() * labels.size()) probs.push_back(static_cast<float>(bytes.next()) / 255.0F);
    const auto spans = core::find_spans(labels, encoding, probs);
    check_found(spans, labels, text.size());
    all.insert(all.end(), spans.begin(), spans.end());
  }
  check_united(core::unite_spans(all));
  return 0;
}
