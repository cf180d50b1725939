// One request as signals read it: its texts, and what was computed about them, each thing once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_limits.h"
#include "facts/language_detector.h"
#include "facts/pii_patterns.h"
#include "inference/inference.h"
#include "routing/config/router_config.h"
#include "routing/request/chat_request.h"
#include "routing/request/context_view.h"
#include "routing/signals/embedded_bank.h"
#include "routing/signals/model_needs.h"
#include "routing/signals/signal_classifier.h"
#include "routing/signals/signal_keyword.h"
#include "routing/signals/signal_similarity.h"

namespace vsr::routing {

// For one thread. Its arguments outlive it.
class RequestReading {
 public:
  RequestReading(const ChatRequest& request, const ContextView& context, const CompressionConfig& compression,
                 const inference::Inference& inference, const EmbeddedBank& bank, const base::CallLimits& limits);

  const ChatRequest& request() const { return request_; }
  // What embeds its texts.
  std::shared_ptr<const inference::Embedder> embedder() const { return bank_.embedder(inference_); }
  const ContextView& context() const { return context_; }
  const base::CallLimits& limits() const { return limits_; }

  std::string_view text(TextScope scope);
  // What of it is read once more, as text parts are without a line feed between them.
  std::string_view joints(TextScope scope);
  // What decides about a long text: the text itself, or what compression keeps of it.
  TextId decisive(TextScope scope);
  // The text whole, however long.
  TextId whole(TextScope scope) { return add(text(scope)); }
  // One that is not the request's text as it is, such as what a tool is described as.
  TextId own(std::string text) { return add(own_.emplace_back(std::move(text))); }
  // Every message of the scope, or of a safety signal's every part of one, whole.
  std::vector<TextId> turns(TextScope scope);
  std::string_view text(TextId id) const { return texts_[id]; }

  // Tokens of the whole conversation's texts.
  int64_t tokens();
  // The same where it was counted before, else an estimate.
  int64_t cheap_tokens();
  bool tokens_estimated() const { return tokens_estimated_; }
  const std::vector<facts::LanguageShare>& languages();
  const std::vector<facts::PiiEntity>& pii_patterns(TextId text);
  // Of every keyword rule, on that text.
  const std::vector<SignalValue>& keywords(const KeywordSignals& rules, TextScope scope);

  // Throws what the models throw, kCancelled and kDeadline.
  void compute(const ModelNeeds& needs);
  // What compute() was asked for before.
  const std::vector<float>& similarities(TextId text) const { return similarities_.at(text); }
  const std::vector<float>& vector(TextId text) const { return vectors_.at(text); }
  const SignalValue& margin(const ContrastiveSignal& signal) const { return margins_.at(&signal); }
  // Of each window of the text. Throws what the task failed with.
  std::vector<LabelProbabilities> windows(const std::string& task, TextId text) const;
  // What the text is about: the mean of its windows; of a task whose config names unsafe labels, the window with the
  // most of them. Throws what the task failed with.
  LabelProbabilities topic(const std::string& task, TextId text);
  // Those that the engine's config names as unsafe; empty: it names none.
  const std::vector<std::string>& unsafe_labels(const std::string& task, TextId text) const;
  const std::vector<inference::ModelEntity>& entities(const std::string& task, TextId text) const;
  // What `ask` says, which is asked once for each key. Throws what it throws, each time.
  const std::string& asked_once(const std::string& key, const std::function<std::string()>& ask);
  // How often models were asked, for explanations and tests.
  size_t passes() const { return passes_; }

 private:
  struct Answer {
    std::shared_ptr<const inference::TaskAnswer> of_all;
    size_t row;      // of the text
    size_t window;   // its first among those of all texts
    size_t windows;  // how many it has
  };
  using Margins = std::map<TextScope, std::set<const ContrastiveSignal*>>;
  using TextsByTask = std::map<std::string, std::vector<TextId>>;  // in order
  // A text of the request, or of `own_`.
  TextId add(std::string_view text);
  void embed(const std::vector<TextId>& texts, const Margins& margins);
  void keep_largest(const ContrastiveSignal* signal, const SignalValue& margin);
  void classify(const TextsByTask& missing);
  const Answer& answer(const std::string& task, TextId text) const;

  const ChatRequest& request_;
  const ContextView& context_;
  const CompressionConfig& compression_;
  const inference::Inference& inference_;
  const EmbeddedBank& bank_;
  const base::CallLimits& limits_;

  std::map<std::string_view, TextId> ids_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> own_;  // texts that are not the request's: joined turns, what compression keeps
  std::map<TextScope, std::string_view> scopes_;
  std::map<TextScope, std::string> joints_;
  std::map<TextScope, TextId> decisive_;
  std::optional<int64_t> tokens_;
  std::optional<int64_t> estimate_;
  bool tokens_estimated_ = false;
  std::map<TextId, std::vector<facts::PiiEntity>> pii_patterns_;
  std::optional<std::vector<facts::LanguageShare>> languages_;
  std::map<TextScope, std::vector<SignalValue>> keywords_;
  std::map<TextId, std::vector<float>> vectors_;
  std::map<TextId, std::vector<float>> similarities_;
  std::map<const ContrastiveSignal*, SignalValue> margins_;
  std::map<std::pair<std::string, TextId>, Answer> answers_;
  std::map<std::pair<std::string, TextId>, std::vector<float>> topics_;
  std::map<std::string, std::string> asked_;
  size_t passes_ = 0;
};

}  // namespace vsr::routing
