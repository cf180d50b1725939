#include "engine/inference/engine_inference.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "base/checkpoint.h"
#include "base/error.h"
#include "engine/config/config.h"
#include "engine/task_outline.h"
#include "text/load_tokenizer.h"

namespace vsr::engine {
namespace {

using base::CallLimits;
using base::fail;
using base::Status;
using inference::QuestionPair;
using inference::TaskAnswer;
using inference::TaskQuestion;
using inference::TaskUse;

constexpr std::chrono::milliseconds kPatience(10);

class TaskEmbedder : public inference::Embedder {
 public:
  TaskEmbedder(std::shared_ptr<const Engine> engine, const std::string& task)
      : engine_(std::move(engine)), dim_(engine_->embedding_dim(task)) {
    options_.task = task;
    options_.specials_as_text = true;  // what a request spells is compared, not obeyed
  }
  std::vector<float> embed(std::span<const std::string_view> texts, const CallLimits& limits) const override {
    EmbedOptions options = options_;
    options.limits = limits;
    return engine_->embed(texts, options).values;
  }
  size_t dim() const override { return dim_; }
  std::string fingerprint() const override { return engine_->embedding_fingerprint(options_.task); }

 private:
  std::shared_ptr<const Engine> engine_;
  EmbedOptions options_;
  size_t dim_;
};

TaskAnswer answer_of(TaskOutcome&& outcome, size_t texts, bool every_window) {
  TaskAnswer answer;
  answer.error = outcome.error;
  if (answer.error) return answer;
  answer.has_entities = outcome.kind == TaskKind::kTokenClassification;
  answer.labels = std::move(outcome.result.labels);
  answer.unsafe_labels = std::move(outcome.unsafe_labels);
  if (!answer.has_entities) {
    answer.scores = std::move(outcome.result.values);
    if (every_window) {
      for (const TextUsage& usage : outcome.result.usage) answer.windows.push_back(usage.windows);
    }
    return answer;
  }
  answer.entities.resize(texts);
  for (const Entity& entity : outcome.result.entities) {
    answer.entities[entity.text].push_back({answer.labels[entity.label], entity.begin, entity.end, entity.score});
  }
  return answer;
}

std::vector<TaskAnswer> classify_with(const Engine& engine, std::span<const std::string_view> texts,
                                      std::span<const TaskQuestion> tasks, const std::vector<bool>& wanted,
                                      const CallLimits& limits) {
  std::vector<TextPair> pairs;
  for (const std::string_view text : texts) pairs.push_back({text, std::nullopt});
  MultiOptions options;
  for (const TaskQuestion& question : tasks) options.tasks.push_back(question.task);
  options.every_window = true;
  options.wanted = wanted;
  options.missing_alone = true;
  options.limits = limits;
  std::vector<TaskAnswer> answers;
  for (TaskOutcome& outcome : engine.classify_all(pairs, options).tasks) {
    answers.push_back(answer_of(std::move(outcome), texts.size(), true));
  }
  return answers;
}

// What ends the call, whatever its tasks could have said.
bool ends_call(const base::Error& error) {
  return error.status() == Status::kCancelled || error.status() == Status::kDeadline;
}

// Models that cannot be asked at all are an error of each task.
template <class Ask>
std::vector<TaskAnswer> answers_or_errors(size_t tasks, Ask&& ask) {
  try {
    return ask();
  } catch (const base::Error& error) {
    if (ends_call(error)) throw;
    return std::vector<TaskAnswer>(tasks, TaskAnswer{.error = std::current_exception()});
  }
}

std::string missing_of(const std::vector<TaskOutline>& outline, const std::string& task, TaskUse use) {
  switch (use) {
    case TaskUse::kEmbed:
      return missing_task(outline, TaskKind::kEmbedding, task);
    case TaskUse::kClassify:
      return missing_task(outline, TaskKind::kSequenceClassification, task);
    case TaskUse::kFindEntities:
      return missing_task(outline, TaskKind::kTokenClassification, task);
  }
  fail(Status::kInternal, "task use ", static_cast<int>(use), " is not known");
}

std::vector<TextPair> texts_of(std::span<const QuestionPair> pairs) {
  std::vector<TextPair> texts;
  for (const QuestionPair& pair : pairs) texts.push_back({pair.first, pair.second});
  return texts;
}

TaskAnswer classify_pairs_with(const Engine& engine, std::span<const QuestionPair> pairs, const std::string& task,
                               const CallLimits& limits) {
  const std::vector<TextPair> texts = texts_of(pairs);
  MultiOptions options;
  options.tasks = {task};
  options.limits = limits;
  TaskAnswer answer = answer_of(std::move(engine.classify_all(texts, options).tasks.front()), texts.size(), false);
  if (answer.has_entities) fail(Status::kInvalidArgument, "task \"", task, "\" labels tokens, expected one for pairs");
  return answer;
}

TaskAnswer entities_of_pairs_with(const Engine& engine, std::span<const QuestionPair> pairs, const std::string& task,
                                  const CallLimits& limits) {
  ClassifyOptions options;
  options.task = task;
  options.specials_as_text = true;  // a text that is checked does not write parts of the template
  options.limits = limits;
  TaskOutcome outcome;
  outcome.kind = TaskKind::kTokenClassification;
  outcome.result = engine.entities_of_pairs(texts_of(pairs), options);
  return answer_of(std::move(outcome), pairs.size(), false);
}

class OpenInference : public inference::Inference {
 public:
  explicit OpenInference(std::shared_ptr<const Engine> engine) : engine_(std::move(engine)) {}
  bool has_models() const override { return true; }
  std::string missing(const std::string& task, TaskUse use) const override {
    return missing_of(engine_->outline(), task, use);
  }
  void load() const override {}
  std::shared_ptr<const inference::Embedder> embedder(const std::string& task) const override {
    return embedder_of(engine_, task);
  }
  std::vector<TaskAnswer> classify(std::span<const std::string_view> texts, std::span<const TaskQuestion> tasks,
                                   const std::vector<bool>& wanted, const CallLimits& limits) const override {
    return answers_or_errors(tasks.size(), [&] { return classify_with(*engine_, texts, tasks, wanted, limits); });
  }
  TaskAnswer classify_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                            const CallLimits& limits) const override {
    return classify_pairs_with(*engine_, pairs, task, limits);
  }
  TaskAnswer entities_of_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                               const CallLimits& limits) const override {
    return entities_of_pairs_with(*engine_, pairs, task, limits);
  }
  std::optional<size_t> count_tokens(std::string_view text) const override {
    return engine_->first_tokenizer()->count_tokens(text);
  }

 private:
  std::shared_ptr<const Engine> engine_;
};

bool same(const EngineConfig& a, const EngineConfig& b) {
  const auto same_task = [](const ConfiguredTask& one, const ConfiguredTask& other) {
    return std::tie(one.name, one.model, one.adapter, one.path, one.unsafe_labels, one.threshold) ==
           std::tie(other.name, other.model, other.adapter, other.path, other.unsafe_labels, other.threshold);
  };
  return a.models == b.models && a.adapters == b.adapters &&
         std::equal(a.tasks.begin(), a.tasks.end(), b.tasks.begin(), b.tasks.end(), same_task);
}

class ConfigInference : public inference::Inference {
 public:
  ConfigInference(std::string path, EngineConfig config, std::shared_ptr<const Engine> previous)
      : path_(std::move(path)), config_(std::move(config)), previous_(std::move(previous)) {}
  // Whether `config` means what is, or would be, open here.
  bool means(const EngineConfig& config) const {
    if (!same(config_, config)) return false;
    const auto engine = opened();
    return !engine || engine->files_are_same();
  }
  // Null: not yet.
  std::shared_ptr<const Engine> opened() const {
    const std::lock_guard lock(loading_);
    return engine_;
  }
  bool has_models() const override { return !config_.models.empty(); }
  std::string missing(const std::string& task, TaskUse use) const override {
    const std::lock_guard lock(mutex_);
    if (!outline_) outline_ = outline_tasks(config_);
    return missing_of(*outline_, task, use);
  }
  void load() const override {
    if (has_models()) engine();
  }

  std::shared_ptr<const inference::Embedder> embedder(const std::string& task) const override {
    return embedder_of(engine(), task);
  }
  std::vector<TaskAnswer> classify(std::span<const std::string_view> texts, std::span<const TaskQuestion> tasks,
                                   const std::vector<bool>& wanted, const CallLimits& limits) const override {
    return answers_or_errors(tasks.size(), [&] { return classify_with(*engine(), texts, tasks, wanted, limits); });
  }
  TaskAnswer classify_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                            const CallLimits& limits) const override {
    return classify_pairs_with(*engine(), pairs, task, limits);
  }
  TaskAnswer entities_of_pairs(std::span<const QuestionPair> pairs, const std::string& task,
                               const CallLimits& limits) const override {
    return entities_of_pairs_with(*engine(), pairs, task, limits);
  }
  // The tokenizer is read without the weights: counting is no reason to load a model.
  std::optional<size_t> count_tokens(std::string_view text) const override {
    if (config_.models.empty()) return std::nullopt;
    return tokenizer()->count_tokens(text);
  }

 private:
  std::shared_ptr<const text::Tokenizer> tokenizer() const {
    const std::lock_guard lock(mutex_);
    const base::LimitScope without(nullptr);  // what is loaded stays for the calls that follow
    if (!tokenizer_) tokenizer_ = text::load_tokenizer(config_.models.front().path);
    return tokenizer_;
  }
  // The call that comes first loads, whatever its deadline; those that meet it meanwhile wait no longer than theirs.
  std::shared_ptr<const Engine> engine() const {
    std::unique_lock lock(loading_, std::defer_lock);
    while (!lock.try_lock_for(kPatience)) base::check_thread_limits();
    if (engine_) return engine_;
    if (config_.models.empty()) {
      fail(Status::kNotFound, path_, ": a signal needs a model, and \"vsr.models\" names none (or give an engine)");
    }
    const base::LimitScope without(nullptr);
    EngineOptions options;
    options.config_path = path_;
    engine_ = Engine::open(options, config_, previous_.get());
    previous_.reset();
    return engine_;
  }

  const std::string path_;
  const EngineConfig config_;
  mutable std::timed_mutex loading_;  // of engine_
  mutable std::mutex mutex_;          // of what is known without weights
  mutable std::optional<std::vector<TaskOutline>> outline_;
  mutable std::shared_ptr<const Engine> engine_;
  mutable std::shared_ptr<const Engine> previous_;  // until the models are open; of `loading_`, too
  mutable std::shared_ptr<const text::Tokenizer> tokenizer_;
};

void add_place(std::string& identity, const std::string& name, const std::string& path) {
  std::error_code ignored;
  const std::string whole = std::filesystem::weakly_canonical(path, ignored).string();
  for (const std::string& part : {name, whole.empty() ? path : whole}) {
    identity += part;
    identity += '\0';
  }
}

std::string places_of(const std::vector<ModelOptions>& models, const std::vector<AdapterOptions>& adapters) {
  std::string identity;
  for (const ModelOptions& model : models) add_place(identity, model.name, model.path);
  for (const AdapterOptions& adapter : adapters) add_place(identity, adapter.name, adapter.path);
  return identity;
}

}  // namespace

std::shared_ptr<const inference::Embedder> embedder_of(std::shared_ptr<const Engine> engine, const std::string& task) {
  return std::make_shared<TaskEmbedder>(std::move(engine), task);
}

std::string identity_of(const Engine& engine) {
  const EngineOptions& options = engine.options();
  std::string identity = places_of(options.models, options.adapters);
  if (options.config_path.empty()) return identity;
  try {
    return identity + identity_of_config(options.config_path);
  } catch (const base::Error&) {  // the file has changed since, or is gone
    return identity + options.config_path;
  }
}

std::string identity_of_config(const std::string& path) {
  const EngineConfig config = read_engine_config_if_any(path);
  return places_of(config.models, config.adapters);
}

std::shared_ptr<const inference::Inference> inference_of(std::shared_ptr<const Engine> engine) {
  return std::make_shared<OpenInference>(std::move(engine));
}

std::shared_ptr<const inference::Inference> inference_of_config(
    const std::string& path, const std::shared_ptr<const inference::Inference>& previous) {
  EngineConfig config = read_engine_config_if_any(path);
  const auto* before = dynamic_cast<const ConfigInference*>(previous.get());
  if (before != nullptr && before->means(config)) return previous;
  return std::make_shared<ConfigInference>(path, std::move(config), before == nullptr ? nullptr : before->opened());
}

bool has_opened(const inference::Inference& inference) {
  const auto* of_config = dynamic_cast<const ConfigInference*>(&inference);
  return of_config == nullptr || of_config->opened() != nullptr;
}

}  // namespace vsr::engine
