#include "engine/engine.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "engine/config.h"
#include "engine/describe.h"
#include "engine/generation.h"
#include "engine/loaded_model.h"
#include "engine/merge.h"
#include "engine/moderation.h"
#include "engine/task.h"
#include "engine/window_runner.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

// How the head's logits become scores.
at::Tensor to_probs(const Labels& labels, const at::Tensor& logits) {
  return labels.multi_label ? at::sigmoid(logits) : at::softmax(logits, -1);
}

RunSpec classify_spec(const Task& task, const ClassifyOptions& options) {
  const LoadedModel& model = *task.model;
  return {.model = &model,
          .max_tokens = options.max_tokens,
          .layers = 0,
          .head = [&model](const at::Tensor& hidden, const core::PackedBatch& batch) {
            return to_probs(model.labels, model.head->forward(hidden, batch));
          },
          .rows_per_token = task.kind == TaskKind::kTokenClassification,
          .progress = options.progress};
}

RunSpec embed_spec(const LoadedModel& model, const EmbedOptions& options) {
  return {.model = &model,
          .max_tokens = options.max_tokens,
          .layers = options.layer,
          .head = [&model, wanted = options.normalize](const at::Tensor& hidden, const core::PackedBatch& batch) {
            return model.embedding->forward(hidden, batch, wanted);
          },
          .rows_per_token = false,
          .progress = options.progress};
}

void check_range(const char* name, int64_t value, int64_t most) {
  if (value < 0 || value > most) {
    fail(Status::kInvalidArgument, name, " is ", value, ", expected 1 to ", most, ", or 0 for all");
  }
}

// What stands in front of every text.
std::string prefix_of(const LoadedModel& model, const EmbedOptions& options) {
  if (options.prompt && options.instruction) {
    fail(Status::kInvalidArgument, "prompt and instruction are both given, expected one of them");
  }
  std::string prefix;
  if (options.instruction) {
    prefix = *options.instruction;
  } else if (const auto& name = options.prompt ? options.prompt : model.prompts.default_name) {
    const auto found = model.prompts.by_name.find(*name);
    if (found == model.prompts.by_name.end()) {
      std::string known;
      for (const auto& [key, text] : model.prompts.by_name) known += (known.empty() ? "\"" : ", \"") + key + "\"";
      fail(Status::kNotFound, "prompt \"", *name, "\" does not exist; ", model.path, " has ",
           known.empty() ? "none" : known);
    }
    prefix = found->second;
  }
  if (!prefix.empty() && !model.embedding->include_prompt()) {
    fail(Status::kUnsupported, model.path, ": 1_Pooling has include_prompt false, which vsr does not run with a prompt");
  }
  return prefix;
}

// Texts with the prompt in front; `storage` keeps what had to be joined.
std::vector<TextPair> with_prefix(std::span<const std::string_view> texts, const std::string& prefix,
                                  std::vector<std::string>& storage) {
  std::vector<TextPair> inputs;
  inputs.reserve(texts.size());
  storage.reserve(prefix.empty() ? 0 : texts.size());
  for (const std::string_view text : texts) {
    if (!prefix.empty()) storage.push_back(prefix + std::string(text));
    inputs.push_back({prefix.empty() ? text : std::string_view(storage.back()), std::nullopt});
  }
  return inputs;
}

}  // namespace

Engine::Engine(EngineOptions options) : options_(std::move(options)) {
  core::ComputePool& compute = core::ComputePool::shared(options_.threads);
  const EngineConfig config = options_.config_path.empty() ? EngineConfig{} : read_engine_config(options_.config_path);
  std::vector<ModelOptions> models = config.models;
  models.insert(models.end(), options_.models.begin(), options_.models.end());
  if (models.empty()) fail(Status::kInvalidArgument, "no model is given, neither in models nor in a config file");
  for (const ModelOptions& model : models) {
    models_.push_back(LoadedModel::load(model, compute));
    const std::string& name = models_.back()->name;
    const auto same = [&](const auto& other) { return other->name == name; };
    if (std::any_of(models_.begin(), models_.end() - 1, same)) {
      fail(Status::kInvalidArgument, "two models are named \"", name, "\"");
    }
    for (Task& task : tasks_of(models_.back())) tasks_.push_back(std::move(task));
  }
  add_configured_tasks(config, models_, tasks_);
}

Engine::~Engine() = default;

std::shared_ptr<const Engine> Engine::open(const EngineOptions& options) {
  return std::shared_ptr<const Engine>(new Engine(options));
}

Result Engine::embed(std::span<const std::string_view> texts, const EmbedOptions& options) const {
  const LoadedModel& model = *find_task(tasks_, TaskKind::kEmbedding, options.task).model;
  check_range("dim", options.dim, model.embedding->dim());
  check_range("layer", options.layer, model.encoder->info().num_hidden_layers);
  std::vector<std::string> storage;
  const auto inputs = with_prefix(texts, prefix_of(model, options), storage);

  Result result;
  const auto full_dim = static_cast<size_t>(model.embedding->dim());
  result.rows = texts.size();
  result.cols = options.dim == 0 ? full_dim : static_cast<size_t>(options.dim);
  result.values.resize(result.rows * result.cols);
  std::vector<float> whole(full_dim);
  result.usage = run_windows(embed_spec(model, options), inputs, [&](size_t text, const ReadText& read) {
    merge_vectors(read, whole);
    if (read.windows.size() > 1 && model.embedding->normalizes(options.normalize)) normalize(whole);
    const auto row = std::span(result.values).subspan(text * result.cols, result.cols);
    std::copy_n(whole.begin(), result.cols, row.begin());
    if (options.normalize) normalize(row);
  });
  return result;
}

Result Engine::classify(std::span<const TextPair> texts, const ClassifyOptions& options) const {
  const Task& task = find_task(tasks_, TaskKind::kSequenceClassification, options.task);
  Result result;
  result.labels = task.model->labels.names;
  result.rows = texts.size();
  result.cols = result.labels.size();
  result.usage = run_windows(classify_spec(task, options), texts, [&](size_t, const ReadText& read) {
    const std::vector<float> probs = merge_probs(read, task.merge);
    result.values.insert(result.values.end(), probs.begin(), probs.end());
  });
  return result;
}

Result Engine::token_probs(std::string_view text, const ClassifyOptions& options) const {
  const Task& task = find_task(tasks_, TaskKind::kTokenClassification, options.task);
  const TextPair input{text, std::nullopt};
  Result result;
  result.labels = task.model->labels.names;
  result.cols = result.labels.size();
  result.usage = run_windows(classify_spec(task, options), {&input, 1}, [&](size_t, const ReadText& read) {
    result.values = merge_token_rows(read, *task.model->tokenizer);
  });
  result.rows = result.values.size() / result.cols;
  return result;
}

Result Engine::entities(std::span<const std::string_view> texts, const ClassifyOptions& options) const {
  const Task& task = find_task(tasks_, TaskKind::kTokenClassification, options.task);
  const float threshold = options.threshold.value_or(task.threshold.value_or(0.5f));
  if (!(threshold > 0 && threshold <= 1)) {
    fail(Status::kInvalidArgument, "threshold is ", threshold, ", expected above 0 and at most 1");
  }
  const core::SpanLabels labels(task.model->labels.names);
  std::vector<TextPair> inputs;
  for (const std::string_view text : texts) inputs.push_back({text, std::nullopt});
  Result result;
  result.labels = labels.names();
  result.usage = run_windows(classify_spec(task, options), inputs, [&](size_t text, const ReadText& read) {
    for (const core::LabelledSpan& span : merge_spans(read, *task.model->tokenizer, labels)) {
      if (span.score >= threshold) result.entities.push_back({text, span.start, span.end, span.score, span.label});
    }
  });
  return result;
}

Generation Engine::generate(std::string_view prompt, const GenerateOptions& options) const {
  return engine::generate(*find_task(tasks_, TaskKind::kGeneration, options.task).model, prompt, options);
}

Verdict Engine::moderate(std::string_view prompt, std::optional<std::string_view> response,
                         const ModerateOptions& options) const {
  return engine::moderate(*find_task(tasks_, TaskKind::kGeneration, options.task).model, prompt, response, options);
}

size_t Engine::embedding_dim(const std::string& task) const {
  return static_cast<size_t>(find_task(tasks_, TaskKind::kEmbedding, task).model->embedding->dim());
}

std::string Engine::embedding_fingerprint(const std::string& task) const {
  return find_task(tasks_, TaskKind::kEmbedding, task).model->fingerprint();
}

const LoadedModel& Engine::find_model(const std::string& name) const {
  if (name.empty() && models_.size() == 1) return *models_.front();
  std::string known;
  for (const auto& loaded : models_) {
    if (loaded->name == name) return *loaded;
    known += (known.empty() ? "\"" : ", \"") + loaded->name + "\"";
  }
  if (name.empty()) fail(Status::kInvalidArgument, "model is NULL, and there are several: ", known);
  fail(Status::kNotFound, "model \"", name, "\" does not exist; there are ", known);
}

std::shared_ptr<const text::Tokenizer> Engine::tokenizer(const std::string& model) const {
  return find_model(model).tokenizer;
}

size_t Engine::max_tokens(const std::string& model) const { return find_model(model).max_tokens; }

std::string Engine::describe() const { return describe_json(models_, tasks_); }

}  // namespace vsr::engine
