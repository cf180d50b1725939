#include "engine/run/task_answers.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "engine/run/merge.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

constexpr float kNotRead = std::numeric_limits<float>::quiet_NaN();

TaskRun start(const Task& task) {
  TaskRun run;
  run.name = task.name;
  run.model = task.model;
  run.adapter = task.adapter;
  return run;
}

// How the head's logits become scores.
at::Tensor to_probs(const models::Labels& labels, const at::Tensor& logits) {
  return labels.multi_label ? at::sigmoid(logits) : at::softmax(logits, -1);
}

TaskRun start_head(const Task& task) {
  TaskRun run = start(task);
  run.rows_per_token = task.kind == TaskKind::kTokenClassification;
  run.head_identity = {&task.head(), false};
  run.head = [&task](const at::Tensor& hidden, const core::PackedBatch& batch) {
    return to_probs(task.labels(), task.head().forward(hidden, batch));
  };
  run.tokens_read = [&task](const core::PackedBatch& batch, int64_t i) { return task.head().tokens_read(batch, i); };
  return run;
}

void start_rows(Result& result, size_t rows, size_t cols) {
  result.rows = rows;
  result.cols = cols;
  result.values.assign(rows * cols, kNotRead);
}

}  // namespace

TaskRun classify_run(const Task& task, size_t texts, Result& result) {
  result.labels = task.labels().names;
  start_rows(result, texts, result.labels.size());
  TaskRun run = start_head(task);
  run.merge = [&task, &result](size_t text, const ReadText& read) {
    const std::vector<float> probs = merge_probs(read, task.merge);
    std::copy(probs.begin(), probs.end(), result.values.begin() + static_cast<ptrdiff_t>(text * result.cols));
  };
  return run;
}

TaskRun classify_windows_run(const Task& task, Result& result) {
  result.labels = task.labels().names;
  result.cols = result.labels.size();
  TaskRun run = start_head(task);
  run.merge = [&result](size_t, const ReadText& read) {
    for (const WindowOutput& window : read.windows) {
      result.values.insert(result.values.end(), window.values.begin(), window.values.end());
      ++result.rows;
    }
  };
  return run;
}

TaskRun token_probs_run(const Task& task, Result& result) {
  result.labels = task.labels().names;
  TaskRun run = start_head(task);
  run.merge = [&task, &result](size_t, const ReadText& read) {
    result.values = merge_token_rows(read, *task.model->tokenizer);
    result.cols = result.labels.size();
    result.rows = result.values.size() / result.cols;
  };
  return run;
}

float entity_threshold(const Task& task, std::optional<float> given) {
  const float threshold = given.value_or(task.threshold.value_or(0.5f));
  if (!(threshold > 0 && threshold <= 1)) {
    fail(Status::kInvalidArgument, "threshold is ", threshold, ", expected above 0 and at most 1");
  }
  return threshold;
}

TaskRun entities_run(const Task& task, std::optional<float> given, Result& result) {
  const float threshold = entity_threshold(task, given);
  const core::SpanLabels labels(task.labels().names);
  result.labels = labels.names();
  TaskRun run = start_head(task);
  run.merge = [&task, &result, labels, threshold](size_t text, const ReadText& read) {
    for (const core::LabelledSpan& span : merge_spans(read, *task.model->tokenizer, labels)) {
      if (span.score >= threshold) result.entities.push_back({text, span.start, span.end, span.score, span.label});
    }
  };
  return run;
}

TaskRun embed_run(const Task& task, const VectorForm& form, size_t texts, Result& result) {
  const EmbeddingPipeline& pipeline = *task.model->embedding;
  const auto full_dim = static_cast<size_t>(pipeline.dim());
  start_rows(result, texts, form.dim == 0 ? full_dim : static_cast<size_t>(form.dim));
  TaskRun run = start(task);
  run.unpooled_tokens = form.unpooled_tokens;
  run.head_identity = {&pipeline, form.normalize};
  run.head = [&pipeline, wanted = form.normalize](const at::Tensor& hidden, const core::PackedBatch& batch) {
    return pipeline.forward(hidden, batch, wanted);
  };
  run.tokens_read = [&pipeline](const core::PackedBatch& batch, int64_t i) { return pipeline.tokens_read(batch, i); };
  run.merge = [&pipeline, &result, form, whole = std::vector<float>(full_dim)](size_t text,
                                                                               const ReadText& read) mutable {
    merge_vectors(read, whole, form.unpooled_content);
    if (read.windows.size() > 1 && pipeline.normalizes(form.normalize)) normalize(whole);
    const auto row = std::span(result.values).subspan(text * result.cols, result.cols);
    std::copy_n(whole.begin(), result.cols, row.begin());
    if (form.normalize) normalize(row);
  };
  return run;
}

}  // namespace vsr::engine
