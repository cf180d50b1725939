#include "engine/run/task_answers.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

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

// out += weight * row, in double so that the number of windows costs no precision.
void add_scaled(std::vector<double>& out, std::span<const float> row, double weight) {
  for (size_t i = 0; i < out.size(); ++i) out[i] += weight * row[i];
}

std::vector<float> to_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }

const WindowOutput& most_of_labels(std::span<const WindowOutput> windows, const std::vector<size_t>& labels) {
  const auto sum = [&](const WindowOutput& window) {
    double total = 0;
    for (const size_t label : labels) total += window.values[label];
    return total;
  };
  return *std::max_element(windows.begin(), windows.end(),
                           [&](const WindowOutput& a, const WindowOutput& b) { return sum(a) < sum(b); });
}

// Twice the distance of token `token` from the middle of `range`; whole numbers keep ties exact.
size_t off_centre(size_t token, text::TokenRange range) {
  const size_t twice_token = 2 * token + 1;
  const size_t twice_middle = range.begin + range.end;
  return twice_token > twice_middle ? twice_token - twice_middle : twice_middle - twice_token;
}

// Walks along with the tokens: as they go on, so does the window they lie in most centrally. Of equals the earlier.
class CentralWindow {
 public:
  explicit CentralWindow(const text::WindowedInput& input) : input_(input) {}
  size_t of(size_t token) {
    while (window_ + 1 < input_.window_count() && better(token, window_ + 1)) ++window_;
    return window_;
  }

 private:
  bool better(size_t token, size_t next) const {
    return token >= input_.range(next).begin &&
           off_centre(token, input_.range(next)) < off_centre(token, input_.range(window_));
  }
  const text::WindowedInput& input_;
  size_t window_ = 0;
};

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
      if (span.score >= threshold) result.entities.push_back({text, span.begin, span.end, span.score, span.label});
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

std::vector<float> merge_probs(const ReadText& read, const MergePolicy& policy) {
  if (!policy.max_of_labels.empty()) return most_of_labels(read.windows, policy.max_of_labels).values;
  std::vector<double> sum(read.windows.front().cols);
  for (const WindowOutput& window : read.windows) {
    add_scaled(sum, window.values, 1.0 / static_cast<double>(read.windows.size()));
  }
  return to_float(sum);
}

void merge_vectors(const ReadText& read, std::span<float> out, size_t unpooled) {
  if (read.windows.size() == 1) {  // as the model gave it, also where the text has no token of its own
    std::copy_n(read.windows.front().values.begin(), out.size(), out.begin());
    return;
  }
  std::vector<double> sum(out.size());
  double tokens = 0;
  const size_t last = read.windows.size() - 1;
  // Where nothing but the prompt was read, what closes the last window counts instead.
  const bool any_counts = read.input.range(last).end > unpooled;
  for (size_t w = 0; w < read.windows.size(); ++w) {
    const text::TokenRange range = read.input.range(w);
    const size_t counted = any_counts ? range.end - std::clamp(unpooled, range.begin, range.end) : size_t{w == last};
    const auto weight = static_cast<double>(counted);
    add_scaled(sum, read.windows[w].values, weight);
    tokens += weight;
  }
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(sum[i] / tokens);
}

std::vector<float> merge_token_rows(const ReadText& read, const text::Tokenizer& tokenizer) {
  const text::Encoding whole = read.input.encode_whole(tokenizer);
  const size_t cols = read.windows.front().cols;
  const auto own = [&](size_t i) { return whole.sides[i] == read.input.windowed_side(); };
  size_t leading = 0;
  while (leading < whole.size() && !own(leading)) ++leading;

  std::vector<float> rows(whole.size() * cols);
  const auto copy_row = [&](size_t to, const WindowOutput& window, size_t from) {
    std::copy_n(window.values.begin() + static_cast<ptrdiff_t>(from * cols), cols,
                rows.begin() + static_cast<ptrdiff_t>(to * cols));
  };
  // Where token `i`, which is in every window, has its row there.
  const auto place_in = [&](const WindowOutput& window, size_t i) {
    return i < leading ? i : window.rows - (whole.size() - i);
  };
  const auto copy_mean = [&](size_t i) {
    std::vector<double> sum(cols);
    for (const WindowOutput& window : read.windows) {
      add_scaled(sum, std::span(window.values).subspan(place_in(window, i) * cols, cols),
                 1.0 / static_cast<double>(read.windows.size()));
    }
    for (size_t col = 0; col < cols; ++col) rows[i * cols + col] = static_cast<float>(sum[col]);
  };
  CentralWindow central(read.input);
  size_t token = 0;  // of the windowed side
  for (size_t i = 0; i < whole.size(); ++i) {
    if (own(i)) {
      const size_t w = central.of(token);
      copy_row(i, read.windows[w], leading + token - read.input.range(w).begin);
      ++token;
    } else if (whole.sides[i] >= 0) {
      copy_mean(i);
    } else {
      const WindowOutput& nearest = i < leading ? read.windows.front() : read.windows.back();
      copy_row(i, nearest, place_in(nearest, i));
    }
  }
  return rows;
}

std::vector<core::LabelledSpan> merge_spans(const ReadText& read, const text::Tokenizer& tokenizer,
                                            const core::SpanLabels& labels) {
  const int32_t side = read.input.has_pair() ? 1 : 0;
  std::vector<core::LabelledSpan> spans;
  for (size_t w = 0; w < read.windows.size(); ++w) {
    const auto found = core::find_spans(labels, read.input.encode_window(tokenizer, w), read.windows[w].values, side);
    spans.insert(spans.end(), found.begin(), found.end());
  }
  return read.windows.size() == 1 ? spans : core::unite_spans(std::move(spans));
}

void normalize(std::span<float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  if (squares == 0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(value * scale);
}

}  // namespace vsr::engine
