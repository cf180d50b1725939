#include "routing/request/request_reading.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/parallel.h"
#include "routing/compress/compress.h"

namespace vsr::routing {

using base::fail;
using base::Status;

namespace {

// Filling the budget with prose makes a decision about the prose. Of 0.6 to 0.9, the value whose decisions agree most
// often with those about the question alone (bench/README.md).
constexpr double kDecisionFocus = 0.7;

}  // namespace

std::shared_ptr<const Embedder> EmbeddedBank::embedder(const Inference& inference) const {
  const std::lock_guard lock(mutex_);
  if (!embedder_) embedder_ = inference.embedder(task_);
  return embedder_;
}

void EmbeddedBank::prepare(const Embedder& embedder) const {
  const std::lock_guard lock(mutex_);
  if (bank_.ready()) return;
  const base::LimitScope without(nullptr);
  const std::vector<std::string_view> views(bank_.texts().begin(), bank_.texts().end());
  bank_.set_vectors(embedder.embed(views, {}), embedder.dim());
}

std::vector<float> EmbeddedBank::similarities(std::span<const float> vectors, const Embedder& embedder) const {
  if (bank_.texts().empty()) return {};
  prepare(embedder);
  return bank_.similarities(vectors);
}

RequestReading::RequestReading(const ChatRequest& request, const ContextView& context,
                               const CompressionConfig& compression, const Inference& inference,
                               const EmbeddedBank& bank, const base::CallLimits& limits)
    : request_(request),
      context_(context),
      compression_(compression),
      inference_(inference),
      bank_(bank),
      limits_(limits) {}

TextId RequestReading::add(std::string_view text) {
  const auto [found, is_new] = ids_.try_emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

std::string_view RequestReading::text(TextScope scope) {
  const auto found = scopes_.find(scope);
  if (found != scopes_.end()) return found->second;
  const std::vector<std::string_view> turns = request_.turns(scope);
  std::string_view text;
  if (turns.size() == 1) {
    text = turns.front();
  } else if (!turns.empty()) {
    text = own_.emplace_back(request_.text(scope));
  }
  return scopes_[scope] = text;
}

TextId RequestReading::decisive(TextScope scope) {
  const auto found = decisive_.find(scope);
  if (found != decisive_.end()) return found->second;
  std::string_view kept = text(scope);
  if (compression_.enabled && estimate_tokens(kept) > static_cast<size_t>(compression_.above_tokens)) {
    const auto budget = static_cast<size_t>(compression_.max_tokens);
    kept = own_.emplace_back(compress(kept, {.max_tokens = budget, .focus = kDecisionFocus}).text);
  }
  return decisive_[scope] = add(kept);
}

std::vector<TextId> RequestReading::turns(TextScope scope) {
  std::vector<TextId> ids;
  for (const std::string_view turn : request_.turns(scope)) ids.push_back(add(turn));
  // A request without such a turn has an empty text, and not nothing to look at.
  if (ids.empty()) ids.push_back(add({}));
  return ids;
}

int64_t RequestReading::tokens() {
  if (tokens_) return *tokens_;
  const std::string_view history = text(TextScope::kHistory);
  const auto counted = inference_.count_tokens(history);
  tokens_estimated_ = !counted;
  tokens_ = static_cast<int64_t>(counted ? *counted : estimate_tokens(history));
  return *tokens_;
}

int64_t RequestReading::cheap_tokens() {
  if (tokens_) return *tokens_;
  tokens_estimated_ = true;
  if (!estimate_) estimate_ = static_cast<int64_t>(estimate_tokens(text(TextScope::kHistory)));
  return *estimate_;
}

const std::vector<PiiEntity>& RequestReading::pii_patterns(TextId text) {
  const auto found = pii_patterns_.find(text);
  return found != pii_patterns_.end() ? found->second
                                      : pii_patterns_.emplace(text, scan_pii_patterns(texts_[text])).first->second;
}

const std::vector<LanguageShare>& RequestReading::languages() {
  if (!languages_) languages_ = detect_languages(text(TextScope::kLastUser));
  return *languages_;
}

const std::vector<SignalValue>& RequestReading::keywords(const KeywordSignals& rules, TextScope scope) {
  const auto found = keywords_.find(scope);
  return found != keywords_.end() ? found->second : keywords_.emplace(scope, rules.evaluate(text(scope))).first->second;
}

void RequestReading::compute(const ModelNeeds& needs) {
  limits_.check();
  std::vector<TextId> missing;
  std::unordered_set<TextId> asked;
  for (const TextId text : needs.embeddings) {
    if (!vectors_.contains(text) && asked.insert(text).second) missing.push_back(text);
  }
  ModelNeeds unanswered{.safety = needs.safety};
  for (const auto& [task, texts] : needs.answers) {
    for (const TextId text : texts) {
      if (!answers_.contains({task, text})) unanswered.answers[task].push_back(text);
    }
  }
  // Each keeps its own results, so they may run at the same time.
  std::vector<std::function<void()>> passes;
  if (!missing.empty()) passes.emplace_back([&] { embed(missing); });
  if (!unanswered.answers.empty()) passes.emplace_back([&] { classify(unanswered); });
  base::parallel_for(passes.size(), [&](size_t i) { passes[i](); });
  passes_ += passes.size();
}

void RequestReading::embed(const std::vector<TextId>& texts) {
  std::vector<std::string_view> views;
  for (const TextId id : texts) views.push_back(texts_[id]);
  const auto embedder = bank_.embedder(inference_);
  const std::vector<float> vectors = embedder->embed(views, limits_);
  const std::vector<float> similarities = bank_.similarities(vectors, *embedder);
  const size_t dim = embedder->dim();
  for (size_t i = 0; i < texts.size(); ++i) {
    vectors_[texts[i]].assign(vectors.begin() + i * dim, vectors.begin() + (i + 1) * dim);
    similarities_[texts[i]].assign(similarities.begin() + i * bank_.examples(),
                                   similarities.begin() + (i + 1) * bank_.examples());
  }
}

void RequestReading::classify(const ModelNeeds& missing) {
  std::map<std::string, std::vector<TextId>> answers = missing.answers;
  std::vector<TaskQuestion> tasks;
  std::vector<TextId> texts;
  for (auto& [task, of_task] : answers) {
    std::sort(of_task.begin(), of_task.end());
    tasks.push_back({task, missing.safety.contains(task)});
    texts.insert(texts.end(), of_task.begin(), of_task.end());
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::vector<std::string_view> views;
  std::vector<bool> wanted;
  for (const TextId text : texts) {
    views.push_back(texts_[text]);
    for (const auto& [task, of_task] : answers) {
      wanted.push_back(std::binary_search(of_task.begin(), of_task.end(), text));
    }
  }
  std::vector<TaskAnswer> given = inference_.classify(views, tasks, wanted, limits_);
  for (size_t t = 0; t < tasks.size(); ++t) {
    const auto of_all = std::make_shared<const TaskAnswer>(std::move(given.at(t)));
    for (size_t row = 0; row < texts.size(); ++row) {
      if (wanted[row * tasks.size() + t]) answers_[{tasks[t].task, texts[row]}] = {of_all, row};
    }
  }
}

const RequestReading::Answer& RequestReading::answer(const std::string& task, TextId text) const {
  const Answer& answer = answers_.at({task, text});
  if (answer.of_all->error) std::rethrow_exception(answer.of_all->error);
  return answer;
}

LabelProbabilities RequestReading::probabilities(const std::string& task, TextId text) const {
  const auto& [of_all, row] = answer(task, text);
  if (of_all->has_entities)
    fail(Status::kUnsupported, "task \"", task, "\" finds entities, expected one that classifies");
  const size_t labels = of_all->labels.size();
  return {of_all->labels, std::span(of_all->scores).subspan(row * labels, labels)};
}

const std::vector<std::string>& RequestReading::unsafe_labels(const std::string& task, TextId text) const {
  return answer(task, text).of_all->unsafe_labels;
}

const std::vector<ModelEntity>& RequestReading::entities(const std::string& task, TextId text) const {
  const auto& [of_all, row] = answer(task, text);
  if (!of_all->has_entities)
    fail(Status::kUnsupported, "task \"", task, "\" classifies, expected one that finds entities");
  return of_all->entities[row];
}

}  // namespace vsr::routing
