#include "routing/signals/request_reading.h"

#include <algorithm>
#include <functional>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/parallel.h"
#include "routing/compress/compress.h"
#include "routing/compress/token_estimate.h"
#include "routing/signals/text_pieces.h"

namespace vsr::routing {

using base::fail;
using base::Status;

namespace {

// Filling the budget with prose makes a decision about the prose. Of 0.6 to 0.9, the value whose decisions agree most
// often with those about the question alone (bench/README.md).
constexpr double kDecisionFocus = 0.7;

// Rows embedded at a time, so that the vectors of a long text's pieces are never all there at once.
constexpr size_t kBlockRows = 1024;

// In order, each once.
void sort_once(std::vector<TextId>& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

}  // namespace

RequestReading::RequestReading(const ChatRequest& request, const ContextView& context,
                               const CompressionConfig& compression, const inference::Inference& inference,
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
  // A lone turn is no reading of others, which would be there too.
  if (turns.size() == 1) {
    text = turns.front();
  } else if (!turns.empty()) {
    text = own_.emplace_back(request_.text(scope));
  }
  return scopes_[scope] = text;
}

std::string_view RequestReading::joints(TextScope scope) {
  const auto [found, is_new] = joints_.try_emplace(scope);
  if (is_new) found->second = request_.joints(scope);
  return found->second;
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
  constexpr size_t kStepsPerTurn = 128;
  std::vector<TextId> ids;
  base::Checkpoint checkpoint;
  for (const std::string_view turn : request_.turns(scope)) {
    checkpoint.add(kStepsPerTurn + turn.size() / kStepsPerTurn);
    ids.push_back(add(turn));
  }
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

const std::vector<facts::PiiEntity>& RequestReading::pii_patterns(TextId text) {
  base::check_thread_limits();  // there may be many texts, each too short for the scanners to ask
  const auto found = pii_patterns_.find(text);
  return found != pii_patterns_.end()
             ? found->second
             : pii_patterns_.emplace(text, facts::scan_pii_patterns(texts_[text])).first->second;
}

const std::vector<facts::LanguageShare>& RequestReading::languages() {
  if (!languages_) languages_ = facts::detect_languages(text(TextScope::kLastUser));
  return *languages_;
}

const std::vector<SignalValue>& RequestReading::keywords(const KeywordSignals& rules, TextScope scope) {
  const auto found = keywords_.find(scope);
  if (found != keywords_.end()) return found->second;
  std::string_view read = text(scope);
  std::string twice;
  if (const std::string_view again = joints(scope); !again.empty()) {
    twice.append(read).append("\n").append(again);
    read = twice;
  }
  return keywords_.emplace(scope, rules.evaluate(read)).first->second;
}

void RequestReading::compute(const ModelNeeds& needs) {
  limits_.check();
  std::vector<TextId> missing;
  for (const TextId text : needs.embeddings) {
    if (!vectors_.contains(text)) missing.push_back(text);
  }
  sort_once(missing);
  Margins margins;
  for (const auto& [scope, signals] : needs.margins) {
    for (const ContrastiveSignal* signal : signals) {
      if (!margins_.contains(signal)) margins[scope].insert(signal);
    }
  }
  TextsByTask unanswered;
  for (const auto& [task, texts] : needs.answers) {
    for (const TextId text : texts) {
      if (!answers_.contains({task, text})) unanswered[task].push_back(text);
    }
  }
  for (auto& [task, texts] : unanswered) sort_once(texts);
  // Each keeps its own results, so they may run at the same time.
  std::vector<std::function<void()>> passes;
  if (!missing.empty() || !margins.empty()) passes.emplace_back([&] { embed(missing, margins); });
  if (!unanswered.empty()) passes.emplace_back([&] { classify(unanswered); });
  base::parallel_for(passes.size(), [&](size_t i) { passes[i](); });
  passes_ += passes.size();
}

void RequestReading::embed(const std::vector<TextId>& texts, const Margins& margins) {
  std::vector<std::string_view> rows;
  for (const TextId id : texts) rows.push_back(texts_[id]);
  std::map<TextScope, size_t> ends;  // of each scope's pieces; they follow the texts in the order of `margins`
  for (const auto& [scope, signals] : margins) {
    const std::vector<std::string_view> turns = request_.turns(scope);
    for (const std::string_view turn : turns) append_pieces(turn, rows);
    if (turns.empty()) rows.emplace_back();
    ends[scope] = rows.size();
  }
  const auto embedder = bank_.embedder(inference_);
  const size_t dim = embedder->dim(), examples = bank_.examples();
  for (size_t first = 0; first < rows.size(); first += kBlockRows) {
    const size_t last = std::min(rows.size(), first + kBlockRows);
    const std::vector<float> vectors = embedder->embed(std::span(rows).subspan(first, last - first), limits_);
    const std::vector<float> similarities = bank_.similarities(vectors, *embedder);
    for (size_t row = first; row < std::min(last, texts.size()); ++row) {
      const size_t i = row - first;
      vectors_[texts[row]].assign(vectors.begin() + i * dim, vectors.begin() + (i + 1) * dim);
      similarities_[texts[row]].assign(similarities.begin() + i * examples, similarities.begin() + (i + 1) * examples);
    }
    size_t begin = texts.size();
    for (const auto& [scope, signals] : margins) {
      const size_t from = std::max(begin, first), to = std::min(ends[scope], last);
      begin = ends[scope];
      if (from >= to) continue;
      const auto of_scope = std::span(similarities).subspan((from - first) * examples, (to - from) * examples);
      for (const ContrastiveSignal* signal : signals) keep_largest(signal, signal->evaluate(of_scope, to - from));
    }
  }
}

void RequestReading::keep_largest(const ContrastiveSignal* signal, const SignalValue& margin) {
  const auto [kept, is_new] = margins_.try_emplace(signal, margin);
  if (!is_new && margin.value > kept->second.value) kept->second = margin;
}

void RequestReading::classify(const TextsByTask& missing) {
  std::vector<inference::TaskQuestion> tasks;
  std::vector<TextId> texts;
  for (const auto& [task, of_task] : missing) {
    tasks.push_back({task});
    texts.insert(texts.end(), of_task.begin(), of_task.end());
  }
  sort_once(texts);
  std::vector<std::string_view> views;
  std::vector<bool> wanted;
  for (const TextId text : texts) {
    views.push_back(texts_[text]);
    for (const auto& [task, of_task] : missing) {
      wanted.push_back(std::binary_search(of_task.begin(), of_task.end(), text));
    }
  }
  std::vector<inference::TaskAnswer> given = inference_.classify(views, tasks, wanted, limits_);
  for (size_t t = 0; t < tasks.size(); ++t) {
    const auto of_all = std::make_shared<const inference::TaskAnswer>(std::move(given.at(t)));
    size_t row = 0, window = 0;
    for (const TextId text : texts) {
      const size_t windows = of_all->windows.empty() ? 1 : of_all->windows.at(row);
      if (wanted[row * tasks.size() + t]) answers_[{tasks[t].task, text}] = {of_all, row, window, windows};
      window += windows;
      ++row;
    }
  }
}

const RequestReading::Answer& RequestReading::answer(const std::string& task, TextId text) const {
  const Answer& answer = answers_.at({task, text});
  if (answer.of_all->error) std::rethrow_exception(answer.of_all->error);
  return answer;
}

std::vector<LabelProbabilities> RequestReading::windows(const std::string& task, TextId text) const {
  const Answer& given = answer(task, text);
  if (given.of_all->has_entities)
    fail(Status::kUnsupported, "task \"", task, "\" finds entities, expected one that classifies");
  const std::vector<std::string>& labels = given.of_all->labels;
  if (given.windows == 0 || (given.window + given.windows) * labels.size() > given.of_all->scores.size())
    fail(Status::kInternal, "task \"", task, "\" did not read its text");
  std::vector<LabelProbabilities> rows;
  for (size_t i = 0; i < given.windows; ++i) {
    const size_t begin = (given.window + i) * labels.size();
    rows.push_back({labels, std::span(given.of_all->scores).subspan(begin, labels.size())});
  }
  return rows;
}

LabelProbabilities RequestReading::topic(const std::string& task, TextId text) {
  const std::vector<LabelProbabilities> rows = windows(task, text);
  if (rows.size() == 1) return rows.front();
  const std::vector<std::string>& unsafe = unsafe_labels(task, text);
  if (!unsafe.empty()) return most_unsafe(rows, which_unsafe(rows.front().labels, unsafe));
  std::vector<float>& mean = topics_[{task, text}];
  if (mean.empty()) mean = mean_of(rows);
  return {rows.front().labels, mean};
}

const std::vector<std::string>& RequestReading::unsafe_labels(const std::string& task, TextId text) const {
  return answer(task, text).of_all->unsafe_labels;
}

const std::vector<inference::ModelEntity>& RequestReading::entities(const std::string& task, TextId text) const {
  const Answer& given = answer(task, text);
  if (!given.of_all->has_entities)
    fail(Status::kUnsupported, "task \"", task, "\" classifies, expected one that finds entities");
  return given.of_all->entities[given.row];
}

}  // namespace vsr::routing
