// What each kind of task runs, and how the windows of a text become its answer. The rules are in include/vsr/infer.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/spans.h"
#include "engine/calls/result.h"
#include "engine/run/task.h"
#include "engine/run/task_run.h"
#include "engine/run/window_output.h"
#include "text/tokens/tokenizer.h"

namespace vsr::engine {

// Each fills `result` [texts, ...] while it runs; `result` and `task` outlive it. Rows of texts that are not read are
// NaN.
TaskRun classify_run(const Task& task, size_t texts, Result& result);
TaskRun classify_windows_run(const Task& task, Result& result);  // a row for each window, none for texts not read
TaskRun token_probs_run(const Task& task, Result& result);       // of one text
TaskRun entities_run(const Task& task, std::optional<float> threshold, Result& result);

struct VectorForm {
  int64_t dim = 0;  // 0: all
  bool normalize = true;
  size_t unpooled_tokens = 0;  // see Prompt
  size_t unpooled_content = 0;
};
TaskRun embed_run(const Task& task, const VectorForm& form, size_t texts, Result& result);

// Least score of an entity: the caller's, else the task's, else 0.5. Throws kInvalidArgument out of range.
float entity_threshold(const Task& task, std::optional<float> given);

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
