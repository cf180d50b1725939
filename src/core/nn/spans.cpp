#include "core/nn/spans.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace vsr::core {
namespace {

struct ParsedLabel {
  SpanLabels::Part part;
  std::string_view name;
};

// Prefixes of the BIO, BIOES and BILOU schemes. The letters of ends and single tokens count only beside a B or I of the
// same name, so that "E-MAIL" is a name.
ParsedLabel parse_label(std::string_view label, const std::vector<std::string>& all) {
  using Part = SpanLabels::Part;
  if (label == "O") return {Part::kOutside, {}};
  if (label.size() < 3 || label[1] != '-') return {Part::kPlain, label};
  const std::string_view name = label.substr(2);
  const auto has = [&](char prefix) {
    return std::find(all.begin(), all.end(), std::string{prefix, '-'} + std::string(name)) != all.end();
  };
  switch (label[0]) {
    case 'B':
      return {Part::kBegin, name};
    case 'I':
      return {Part::kInside, name};
    case 'S':
    case 'U':
      return has('B') || has('I') ? ParsedLabel{Part::kSingle, name} : ParsedLabel{Part::kPlain, label};
    case 'E':
    case 'L':
      return has('B') || has('I') ? ParsedLabel{Part::kEnd, name} : ParsedLabel{Part::kPlain, label};
    default:
      return {Part::kPlain, label};
  }
}

}  // namespace

SpanLabels::SpanLabels(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const ParsedLabel parsed = parse_label(label, labels);
    size_t name = 0;
    if (parsed.part != Part::kOutside) {
      const auto found = std::find(names_.begin(), names_.end(), parsed.name);
      name = static_cast<size_t>(found - names_.begin());
      if (found == names_.end()) names_.emplace_back(parsed.name);
    }
    meanings_.push_back({parsed.part, name});
  }
}

std::vector<LabelledSpan> find_spans(const SpanLabels& labels, const text::Encoding& encoding,
                                     std::span<const float> probs, int32_t side) {
  std::vector<LabelledSpan> spans;
  size_t tokens_in_span = 0;  // 0: no span is open
  const auto close = [&] {
    if (tokens_in_span != 0) spans.back().score /= static_cast<float>(tokens_in_span);
    tokens_in_span = 0;
  };
  for (size_t token = 0; token < encoding.size(); ++token) {
    const auto row = probs.subspan(token * labels.size(), labels.size());
    const auto best = std::max_element(row.begin(), row.end());
    const SpanLabels::Meaning meaning = labels.meaning(static_cast<size_t>(best - row.begin()));
    if (encoding.sides[token] != side || meaning.part == SpanLabels::Part::kOutside) {
      close();
      continue;
    }
    const bool begins = meaning.part == SpanLabels::Part::kBegin || meaning.part == SpanLabels::Part::kSingle;
    const bool goes_on = tokens_in_span != 0 && !begins && spans.back().label == meaning.name;
    if (!goes_on) {
      close();
      spans.push_back({encoding.offsets[token].begin, encoding.offsets[token].end, 0, meaning.name});
    }
    spans.back().end = encoding.offsets[token].end;
    spans.back().score += *best;
    ++tokens_in_span;
    if (meaning.part == SpanLabels::Part::kEnd || meaning.part == SpanLabels::Part::kSingle) close();
  }
  close();
  return spans;
}

std::vector<LabelledSpan> unite_spans(std::vector<LabelledSpan> spans) {
  std::sort(spans.begin(), spans.end(), [](const LabelledSpan& a, const LabelledSpan& b) {
    return std::tie(a.label, a.begin, a.end) < std::tie(b.label, b.begin, b.end);
  });
  std::vector<LabelledSpan> united;
  for (const LabelledSpan& span : spans) {
    if (!united.empty() && united.back().label == span.label && span.begin < united.back().end) {
      united.back().end = std::max(united.back().end, span.end);
      united.back().score = std::max(united.back().score, span.score);
    } else {
      united.push_back(span);
    }
  }
  std::sort(united.begin(), united.end(), [](const LabelledSpan& a, const LabelledSpan& b) {
    return std::tie(a.begin, a.end, a.label) < std::tie(b.begin, b.end, b.label);
  });
  return united;
}

}  // namespace vsr::core
