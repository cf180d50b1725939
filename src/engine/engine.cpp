#include "engine/engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "engine/config/config.h"
#include "engine/describe.h"
#include "engine/generate/generation.h"
#include "engine/generate/moderation.h"
#include "engine/generate/prompt.h"
#include "engine/model/files_stamp.h"
#include "engine/model/loaded_model.h"
#include "engine/run/run_tasks.h"
#include "engine/run/task.h"
#include "engine/run/task_answers.h"
#include "engine/task_table.h"
#include "lora/merge.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

void check_range(const char* name, int64_t value, int64_t most) {
  if (value < 0 || value > most) {
    fail(Status::kInvalidArgument, name, " is ", value, ", expected 1 to ", most, ", or 0 for all");
  }
}

RunOptions run_options(const ClassifyOptions& options) {
  return {.limits = options.limits, .specials_as_text = options.specials_as_text};
}

// A call that holds its place in the queue as a whole.
template <class Body>
auto admitted(Admission& admission, Body&& body) {
  Admission::Ticket ticket(admission);
  try {
    return body();
  } catch (const base::Error& error) {
    ticket.end_with(error.status());
    throw;
  }
}

// A call of one task fails as its task does.
void run_one(TaskRun run, std::span<const TextPair> texts, const RunOptions& options, Admission& admission,
             Result& result) {
  run_tasks({&run, 1}, texts, options, admission);
  if (run.error) std::rethrow_exception(run.error);
  result.usage = std::move(run.usage);
}

TaskRun run_of(const Task& task, const MultiOptions& options, size_t texts, Result& result) {
  switch (task.kind) {
    case TaskKind::kEmbedding:
      return embed_run(task, {}, texts, result);
    case TaskKind::kSequenceClassification:
      return options.every_window ? classify_windows_run(task, result) : classify_run(task, texts, result);
    case TaskKind::kTokenClassification:
      return entities_run(task, options.threshold, result);
    case TaskKind::kGeneration:
      break;  // no task of a call for many
  }
  fail(Status::kInternal, "task kind ", static_cast<int>(task.kind), " has no run");
}

// All tasks of a call read the same text, once.
void check_reads_alike(const Task& task, std::span<const TextPair> texts) {
  const auto& prompts = task.model->prompts;
  if (task.kind == TaskKind::kEmbedding && prompts.default_name && !prompts.by_name.at(*prompts.default_name).empty()) {
    fail(Status::kUnsupported, "puts the prompt \"", *prompts.default_name,
         "\" in front of each text, where tasks of one call read the same (hint: embed these texts on their own)");
  }
  const auto is_pair = [](const TextPair& text) { return text.pair.has_value(); };
  if (task.kind == TaskKind::kTokenClassification && std::any_of(texts.begin(), texts.end(), is_pair)) {
    fail(Status::kUnsupported, "finds entities in single texts, not in pairs");
  }
}

// What keeps one task from running is its own error.
std::exception_ptr refusal(const Task& task, std::span<const TextPair> texts) {
  try {
    check_reads_alike(task, texts);
  } catch (const base::Error&) {
    return std::current_exception();
  }
  return nullptr;
}

std::vector<size_t> all_of(const std::vector<std::string>& names) {
  std::vector<size_t> places(names.size());
  std::iota(places.begin(), places.end(), size_t{0});
  return places;
}

// Gives outcomes of tasks that do not exist their error; returns the places of the others.
std::vector<size_t> set_missing_aside(const TaskTable& table, std::vector<TaskOutcome>& outcomes) {
  std::vector<size_t> found;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const auto is_asked = [&](const Task& task) { return task.name == outcomes[i].task; };
    if (std::any_of(table.tasks.begin(), table.tasks.end(), is_asked)) {
      found.push_back(i);
    } else {
      outcomes[i].error =
          std::make_exception_ptr(base::Error(Status::kNotFound, "task \"" + outcomes[i].task + "\" does not exist"));
    }
  }
  return found;
}

}  // namespace

Engine::Engine(EngineOptions options, const EngineConfig& config, const Engine* previous)
    : options_(std::move(options)), admission_(options_.queue) {
  core::ComputePool& compute = core::ComputePool::shared(options_.threads);
  configured_ = config.tasks;
  std::vector<ModelOptions> models = config.models;
  models.insert(models.end(), options_.models.begin(), options_.models.end());
  if (models.empty()) fail(Status::kInvalidArgument, "no model is given, neither in models nor in a config file");
  for (const ModelOptions& model : models) {
    sources_.push_back({model.path, files_stamp(model.path)});
    auto same = previous == nullptr ? nullptr : previous->model_of(model, sources_.back().stamp);
    models_.push_back(same ? std::move(same) : LoadedModel::load(model, compute, models_));
  }
  model_options_ = std::move(models);
  std::vector<AdapterOptions> given = config.adapters;
  given.insert(given.end(), options_.adapters.begin(), options_.adapters.end());
  std::vector<LoadedAdapter> adapters;
  for (const AdapterOptions& adapter : given) {
    sources_.push_back({adapter.path, files_stamp(adapter.path)});
    adapters.push_back(engine::load_adapter(adapter, models_));
  }
  table_.store(make_task_table(models_, std::move(adapters), configured_));
}

Engine::~Engine() = default;

std::shared_ptr<const Engine> Engine::open(const EngineOptions& options) {
  return open(options, options.config_path.empty() ? EngineConfig{} : read_engine_config(options.config_path), nullptr);
}

std::shared_ptr<const Engine> Engine::open(const EngineOptions& options, const EngineConfig& config,
                                           const Engine* previous) {
  return std::shared_ptr<const Engine>(new Engine(options, config, previous));
}

std::shared_ptr<const LoadedModel> Engine::model_of(const ModelOptions& options, const std::string& stamp) const {
  for (size_t i = 0; i < models_.size(); ++i) {
    const bool same = model_options_[i] == options && !stamp.empty() && sources_[i].stamp == stamp;
    if (same) return models_[i];
  }
  return nullptr;
}

bool Engine::files_are_same() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const Source& source) {
    return !source.stamp.empty() && source.stamp == files_stamp(source.folder);
  });
}

void Engine::load_adapter(const AdapterOptions& options, bool replace) const {
  const LoadedAdapter loaded = engine::load_adapter(options, models_);
  table_.update([&](const std::shared_ptr<const TaskTable>& table) {
    std::vector<LoadedAdapter> adapters = table->adapters;
    if (replace) {
      std::erase_if(adapters, [&](const LoadedAdapter& other) { return other.adapter->name == loaded.adapter->name; });
    }
    adapters.push_back(loaded);
    return make_task_table(models_, std::move(adapters), configured_);
  });
}

void Engine::unload_adapter(const std::string& name) const {
  table_.update([&](const std::shared_ptr<const TaskTable>& table) {
    std::vector<LoadedAdapter> adapters = table->adapters;
    if (std::erase_if(adapters, [&](const LoadedAdapter& other) { return other.adapter->name == name; }) == 0) {
      fail(Status::kNotFound, "adapter \"", name, "\" is not loaded");
    }
    return make_task_table(models_, std::move(adapters), configured_);
  });
}

void Engine::merge_adapter(const AdapterOptions& options, const std::string& output) const {
  const LoadedModel& model = *find_model(models_, options.model);
  lora::merge_adapter(options.path, model.adapter_base(), model.files, output);
}

Result Engine::embed(std::span<const std::string_view> texts, const EmbedOptions& options) const {
  const auto table = table_.load();
  const Task& task = find_task(table->tasks, TaskKind::kEmbedding, options.task);
  check_range("dim", options.dim, task.model->embedding->dim());
  check_range("layer", options.layer, task.model->encoder->info().num_hidden_layers);
  const Prompt prompt = resolve_prompt(*task.model, options);
  std::vector<std::string> storage;
  const auto inputs = with_prompt(texts, prompt, storage);
  const VectorForm form{.dim = options.dim,
                        .normalize = options.normalize,
                        .unpooled_tokens = prompt.unpooled_tokens,
                        .unpooled_content = prompt.unpooled_content};
  Result result;
  run_one(embed_run(task, form, texts.size(), result), inputs,
          {.limits = options.limits, .layers = options.layer, .specials_as_text = options.specials_as_text}, admission_,
          result);
  return result;
}

Selection Engine::select(std::span<const std::string_view> texts, const EmbedPolicy& policy,
                         const EmbedOptions& options) const {
  return select_model(models_, texts, policy, options);
}

Result Engine::classify(std::span<const TextPair> texts, const ClassifyOptions& options) const {
  const auto table = table_.load();
  const Task& task = find_task(table->tasks, TaskKind::kSequenceClassification, options.task);
  Result result;
  run_one(classify_run(task, texts.size(), result), texts, run_options(options), admission_, result);
  return result;
}

Result Engine::token_probs(std::string_view text, const ClassifyOptions& options) const {
  return token_probs_of_pair({text, std::nullopt}, options);
}

Result Engine::token_probs_of_pair(const TextPair& pair, const ClassifyOptions& options) const {
  const auto table = table_.load();
  const Task& task = find_task(table->tasks, TaskKind::kTokenClassification, options.task);
  Result result;
  run_one(token_probs_run(task, result), {&pair, 1}, run_options(options), admission_, result);
  return result;
}

Result Engine::entities(std::span<const std::string_view> texts, const ClassifyOptions& options) const {
  std::vector<TextPair> inputs;
  for (const std::string_view text : texts) inputs.push_back({text, std::nullopt});
  return entities_of_pairs(inputs, options);
}

Result Engine::entities_of_pairs(std::span<const TextPair> pairs, const ClassifyOptions& options) const {
  const auto table = table_.load();
  const Task& task = find_task(table->tasks, TaskKind::kTokenClassification, options.task);
  Result result;
  run_one(entities_run(task, options.threshold, result), pairs, run_options(options), admission_, result);
  return result;
}

MultiResult Engine::classify_all(std::span<const TextPair> texts, const MultiOptions& options) const {
  const auto table = table_.load();
  const std::vector<std::string> names = options.every_task ? classification_names(table->tasks) : options.tasks;
  if (!options.wanted.empty() && options.wanted.size() != texts.size() * names.size()) {
    fail(Status::kInvalidArgument, "wanted has ", options.wanted.size(), " entries, expected ",
         texts.size() * names.size());
  }
  MultiResult results;
  results.tasks.resize(names.size());
  for (size_t i = 0; i < names.size(); ++i) results.tasks[i].task = names[i];
  const std::vector<size_t> asked = options.missing_alone ? set_missing_aside(*table, results.tasks) : all_of(names);
  std::vector<std::string> found;
  for (const size_t place : asked) found.push_back(names[place]);
  const std::vector<const Task*> tasks = find_tasks(table->tasks, found, options.path);
  std::vector<TaskRun> runs;
  for (size_t i = 0; i < tasks.size(); ++i) {
    TaskOutcome& outcome = results.tasks[asked[i]];
    for (const size_t label : tasks[i]->merge.max_of_labels) {
      outcome.unsafe_labels.push_back(tasks[i]->labels().names[label]);
    }
    outcome.kind = tasks[i]->kind;
    outcome.path = tasks[i]->path();
    outcome.model = tasks[i]->model->name;
    runs.push_back(run_of(*tasks[i], options, texts.size(), outcome.result));
    runs.back().error = refusal(*tasks[i], texts);
    for (size_t text = 0; !options.wanted.empty() && text < texts.size(); ++text) {
      runs.back().wanted.push_back(options.wanted[text * names.size() + asked[i]]);
    }
  }
  // Who asks for every window guards against the text: no spelling in it is read as a token of the template.
  results.passes =
      run_tasks(runs, texts, {.limits = options.limits, .specials_as_text = options.every_window}, admission_);
  for (size_t i = 0; i < runs.size(); ++i) {
    TaskOutcome& outcome = results.tasks[asked[i]];
    outcome.result.usage = std::move(runs[i].usage);
    outcome.error = runs[i].error;
    if (runs[i].error) outcome.result = {};
  }
  return results;
}

Generation Engine::generate(std::string_view prompt, const GenerateOptions& options) const {
  const auto table = table_.load();
  return admitted(admission_, [&] {
    return engine::generate(*find_task(table->tasks, TaskKind::kGeneration, options.task).model, prompt, options);
  });
}

Verdict Engine::moderate(std::string_view prompt, std::optional<std::string_view> response,
                         const ModerateOptions& options) const {
  const auto table = table_.load();
  return admitted(admission_, [&] {
    return engine::moderate(*find_task(table->tasks, TaskKind::kGeneration, options.task).model, prompt, response,
                            options);
  });
}

size_t Engine::embedding_dim(const std::string& task) const {
  return static_cast<size_t>(find_task(table_.load()->tasks, TaskKind::kEmbedding, task).model->embedding->dim());
}

std::string Engine::embedding_fingerprint(const std::string& task) const {
  return find_task(table_.load()->tasks, TaskKind::kEmbedding, task).model->fingerprint();
}

std::shared_ptr<const text::Tokenizer> Engine::tokenizer(const std::string& model) const {
  return find_model(models_, model)->tokenizer;
}

std::shared_ptr<const text::Tokenizer> Engine::first_tokenizer() const { return models_.front()->tokenizer; }

size_t Engine::max_tokens(const std::string& model) const { return find_model(models_, model)->max_tokens; }

std::vector<TaskOutline> Engine::outline() const {
  std::vector<TaskOutline> outline;
  for (const Task& task : table_.load()->tasks) outline.push_back({task.name, task.kind});
  return outline;
}

std::string Engine::describe() const { return describe_json(models_, *table_.load(), admission_.state()); }

}  // namespace vsr::engine
