// How the windows of one text become one answer. The rules are in include/vsr/infer.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/nn/spans.h"
#include "engine/run/window_output.h"
#include "text/tokens/tokenizer.h"

namespace vsr::engine {

// How a sequence-classification task joins its windows.
struct MergePolicy {
  // Empty: the mean of each label. Else the window in which these labels have the largest sum decides alone, so that
  // one unsafe passage in a long text is not averaged away.
  std::vector<size_t> max_of_labels;
};

std::vector<float> merge_probs(const ReadText& read, const MergePolicy& policy);
// Mean weighted with the windows' tokens of the text, of which the first `unpooled` do not count; not normalised. `out`
// has the width of a window's row.
void merge_vectors(const ReadText& read, std::span<float> out, size_t unpooled = 0);
// One row per token of the whole encoding, row-major. Of a pair in several windows, the side that is in each of them
// has the mean of its rows.
std::vector<float> merge_token_rows(const ReadText& read, const text::Tokenizer& tokenizer);
// The union of the windows' spans; of a pair those of its second text.
std::vector<core::LabelledSpan> merge_spans(const ReadText& read, const text::Tokenizer& tokenizer,
                                            const core::SpanLabels& labels);

// Scales to Euclidean length 1; a vector of length 0 stays.
void normalize(std::span<float> vector);

}  // namespace vsr::engine
