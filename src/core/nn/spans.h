// From scores per token to labelled spans of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/tokens/encoding.h"

namespace vsr::core {

// What the labels of a token head mean: "B-PER" is the beginning of "PER", "O" is nothing, "PER" alone is plain.
class SpanLabels {
 public:
  explicit SpanLabels(const std::vector<std::string>& labels);
  // The labels of spans, without prefixes, in order of first appearance; "O" is none of them.
  const std::vector<std::string>& names() const { return names_; }

  enum class Part { kOutside, kBegin, kInside, kEnd, kSingle, kPlain };
  struct Meaning {
    Part part;
    size_t name;  // index into names(); unused for kOutside
  };
  Meaning meaning(size_t label) const { return meanings_[label]; }
  size_t size() const { return meanings_.size(); }

 private:
  std::vector<std::string> names_;
  std::vector<Meaning> meanings_;
};

struct LabelledSpan {
  size_t begin;  // bytes
  size_t end;
  float score;   // mean of the tokens' best scores
  size_t label;  // index into SpanLabels::names()
};

// Joins neighbouring tokens of one side (as Encoding::sides has them); any other token ends a span. `probs` is
// [tokens, labels], of all tokens.
std::vector<LabelledSpan> find_spans(const SpanLabels& labels, const text::Encoding& encoding,
                                     std::span<const float> probs, int32_t side = 0);

// The union of what overlapping windows found: overlapping spans of one label become one, with the higher score.
// Returned in order of their start.
std::vector<LabelledSpan> unite_spans(std::vector<LabelledSpan> spans);

}  // namespace vsr::core
