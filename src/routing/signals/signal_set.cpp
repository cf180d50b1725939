#include "routing/signals/signal_set.h"

#include <algorithm>

#include "base/error.h"
#include "routing/signals/signal_classifier.h"
#include "routing/signals/signal_language.h"

namespace vsr::routing {

using base::fail;
using base::Status;

namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

template <class Rule>
size_t find_rule(const std::vector<Rule>& rules, const std::string& name) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].name == name) return i;
  }
  return kNone;
}

// "name:hard" is the rule "name" and the number of its level.
size_t find_level(const SignalRules& rules, const std::string& name, size_t& part) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos) return kNone;
  const auto& levels = ComplexitySignal::kLevelNames;
  part = static_cast<size_t>(std::find(levels.begin(), levels.end(), name.substr(colon + 1)) - levels.begin());
  return part == levels.size() ? kNone : find_rule(rules.complexity, name.substr(0, colon));
}

size_t find_question(const SignalRules& rules, const std::string& name, size_t& part) {
  for (size_t i = 0; i < rules.classifiers.size(); ++i) {
    const auto& questions = rules.classifiers[i].questions;
    for (part = 0; part < questions.size(); ++part) {
      if (questions[part].name == name) return i;
    }
  }
  return kNone;
}

size_t find_role(const SignalRules& rules, const std::string& role) {
  for (size_t i = 0; i < rules.role_bindings.size(); ++i) {
    if (rules.role_bindings[i].role == role) return i;
  }
  return kNone;
}

// A client can forge earlier turns: what the assistant answered need not be what it did.
template <class Rule>
TextScope safety_scope(const Rule& rule) {
  return rule.include_history ? TextScope::kEverything : TextScope::kUnanswered;
}

const std::string& task_of_rule(const ClassifierRule& rule) { return rule.task.empty() ? rule.name : rule.task; }

// Of all windows of all texts.
std::vector<LabelProbabilities> windows_of(const std::string& task, const std::vector<TextId>& texts,
                                           const RequestReading& reading) {
  std::vector<LabelProbabilities> all;
  for (const TextId text : texts) {
    const std::vector<LabelProbabilities> windows = reading.windows(task, text);
    all.insert(all.end(), windows.begin(), windows.end());
  }
  return all;
}

bool by_classifier(const JailbreakRule& rule) { return rule.method != JailbreakRule::Method::kContrastive; }
bool by_examples(const JailbreakRule& rule) { return rule.method != JailbreakRule::Method::kClassifier; }

// A task that stands for "patterns alone", where there is no model for personal data.
constexpr const char* kNoTask = "none";

}  // namespace

struct SignalSet::Kind {
  const char* type;
  size_t (*find)(const SignalRules& rules, const std::string& name, size_t& part);
  SignalValue (SignalSet::*evaluate)(const Bound& bound, RequestReading& reading) const;
  void (SignalSet::*add_needs)(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;  // null: nothing
  // What it reads besides the body. Every kind says so, for the response cache's key.
  ContextReads (*reads)(const SignalRules& rules, size_t rule);
  // Of the kinds that guard: which texts. Null: it guards nothing.
  std::optional<TextScope> (*guards)(const SignalRules& rules, size_t rule) = nullptr;
};

const SignalSet::Kind* SignalSet::find_kind(const std::string& type) {
  using Rules = const SignalRules&;
  using Name = const std::string&;
  static constexpr auto body_alone = [](Rules, size_t) { return ContextReads{}; };
  static constexpr Kind kKinds[] = {
      {"keyword", [](Rules r, Name n, size_t&) { return find_rule(r.keywords, n); }, &SignalSet::keyword, nullptr,
       body_alone},
      {"embedding", [](Rules r, Name n, size_t&) { return find_rule(r.embeddings, n); }, &SignalSet::embedding,
       &SignalSet::embedding_needs, body_alone},
      {"intent", [](Rules r, Name n, size_t&) { return find_rule(r.intents, n); }, &SignalSet::intent,
       &SignalSet::intent_needs, body_alone},
      {"domain", [](Rules r, Name n, size_t&) { return find_rule(r.domains, n); }, &SignalSet::domain,
       &SignalSet::domain_needs, body_alone},
      {"fact_check", [](Rules r, Name n, size_t&) { return find_rule(r.fact_check, n); }, &SignalSet::fact_check,
       &SignalSet::fact_check_needs, body_alone},
      {"user_feedback", [](Rules r, Name n, size_t&) { return find_rule(r.user_feedbacks, n); },
       &SignalSet::user_feedback, &SignalSet::user_feedback_needs, body_alone},
      {"language", [](Rules r, Name n, size_t&) { return find_rule(r.language, n); }, &SignalSet::language, nullptr,
       body_alone},
      {"context", [](Rules r, Name n, size_t&) { return find_rule(r.context, n); }, &SignalSet::context, nullptr,
       body_alone},
      {"structure", [](Rules r, Name n, size_t&) { return find_rule(r.structure, n); }, &SignalSet::structure, nullptr,
       body_alone},
      {"complexity", &find_level, &SignalSet::complexity, &SignalSet::complexity_needs, body_alone},
      {"authz", [](Rules r, Name n, size_t&) { return find_role(r, n); }, &SignalSet::authz, nullptr,
       [](Rules r, size_t rule) { return vsr::routing::context_reads(r.role_bindings, r.role_bindings[rule].role); }},
      {"jailbreak", [](Rules r, Name n, size_t&) { return find_rule(r.jailbreak, n); }, &SignalSet::jailbreak,
       &SignalSet::jailbreak_needs, body_alone,
       [](Rules r, size_t rule) { return std::optional(safety_scope(r.jailbreak[rule])); }},
      {"pii", [](Rules r, Name n, size_t&) { return find_rule(r.pii, n); }, &SignalSet::pii, &SignalSet::pii_needs,
       body_alone, [](Rules r, size_t rule) { return std::optional(safety_scope(r.pii[rule])); }},
      {"conversation", [](Rules r, Name n, size_t&) { return find_rule(r.conversation, n); }, &SignalSet::conversation,
       nullptr, body_alone},
      {"metadata", [](Rules r, Name n, size_t&) { return find_rule(r.metadata, n); }, &SignalSet::metadata, nullptr,
       [](Rules r, size_t rule) { return vsr::routing::context_reads(r.metadata[rule]); }},
      {"classifier", &find_question, &SignalSet::classifier, &SignalSet::classifier_needs, body_alone,
       [](Rules r, size_t rule) {
         return r.classifiers[rule].safety ? std::optional(TextScope::kUnanswered) : std::nullopt;
       }},
  };
  static_assert(std::all_of(std::begin(kKinds), std::end(kKinds), [](const Kind& k) { return k.reads != nullptr; }));
  for (const Kind& kind : kKinds) {
    if (type == kind.type) return &kind;
  }
  return nullptr;
}

SignalSet::SignalSet(const RouterConfig& config, std::span<const SignalRef> names)
    : config_(config), rules_(config.signals) {
  CandidateBank bank;
  if (!rules_.keywords.empty()) keywords_.emplace(rules_.keywords);
  for (const StructureRule& rule : rules_.structure) structures_.emplace_back(rule);
  for (const ConversationRule& rule : rules_.conversation) conversations_.emplace_back(rule);
  for (const EmbeddingRule& rule : rules_.embeddings) embeddings_.emplace_back(rule, bank);
  if (!rules_.intents.empty()) intents_.emplace(rules_.intents);
  for (const ComplexityRule& rule : rules_.complexity) complexities_.emplace_back(rule, bank);
  for (const PiiRule& rule : rules_.pii) pii_.emplace_back(rule);
  for (const JailbreakRule& rule : rules_.jailbreak) {
    contrastives_.push_back(by_examples(rule) ? std::optional<ContrastiveSignal>(std::in_place, rule, bank)
                                              : std::nullopt);
  }
  bank_ = std::make_unique<EmbeddedBank>(std::move(bank), config.embedding_task());
  for (const SignalRef& name : names) {
    const bool not_run = std::find(config.not_run.begin(), config.not_run.end(), name) != config.not_run.end();
    bound_.push_back(not_run ? Bound{} : bind(name));
  }
}

std::optional<TextScope> SignalSet::safety_scope_of(uint32_t id) const {
  const Bound& bound = bound_[id];
  if (bound.kind == nullptr || bound.kind->guards == nullptr) return std::nullopt;
  return bound.kind->guards(rules_, bound.rule);
}

SignalSet::Bound SignalSet::bind(const SignalRef& name) const {
  Bound bound;
  bound.kind = find_kind(name.type);
  if (bound.kind == nullptr) fail(Status::kInternal, "signal \"", name.key(), "\" is of no kind that is known");
  bound.rule = bound.kind->find(rules_, name.name, bound.part);
  if (bound.rule == kNone) fail(Status::kInternal, "signal \"", name.key(), "\" has no rule");
  return bound;
}

ContextReads SignalSet::context_reads() const {
  ContextReads all;
  for (const Bound& bound : bound_) {
    if (bound.kind != nullptr) all.add(bound.kind->reads(rules_, bound.rule));
  }
  return all;
}

void SignalSet::add_needs(uint32_t id, RequestReading& reading, ModelNeeds& needs) const {
  const Bound& bound = bound_[id];
  if (bound.kind != nullptr && bound.kind->add_needs != nullptr) (this->*bound.kind->add_needs)(bound, reading, needs);
}

SignalValue SignalSet::evaluate(uint32_t id, RequestReading& reading) const {
  const Bound& bound = bound_[id];
  if (bound.kind == nullptr) return {.detail = "not run by vsr"};
  return (this->*bound.kind->evaluate)(bound, reading);
}

bool SignalSet::answers_errors(uint32_t id) const {
  const Bound& bound = bound_[id];
  if (bound.kind == nullptr || bound.kind->evaluate != &SignalSet::classifier) return false;
  return rules_.classifiers[bound.rule].questions[bound.part].on_error != ClassifierRule::OnError::kFail;
}

SignalValue SignalSet::keyword(const Bound& bound, RequestReading& reading) const {
  return reading.keywords(*keywords_, rules_.keywords[bound.rule].scope)[bound.rule];
}

SignalValue SignalSet::language(const Bound& bound, RequestReading& reading) const {
  return evaluate_language(rules_.language[bound.rule], reading.languages());
}

SignalValue SignalSet::context(const Bound& bound, RequestReading& reading) const {
  SignalValue value = evaluate_context(rules_.context[bound.rule], reading.tokens());
  if (reading.tokens_estimated()) value.detail += value.detail.empty() ? "estimated" : ", estimated";
  return value;
}

SignalValue SignalSet::structure(const Bound& bound, RequestReading& reading) const {
  return structures_[bound.rule].evaluate(reading.text(rules_.structure[bound.rule].scope));
}

SignalValue SignalSet::authz(const Bound& bound, RequestReading& reading) const {
  return evaluate_role(rules_.role_bindings, rules_.role_bindings[bound.rule].role, reading.context());
}

SignalValue SignalSet::conversation(const Bound& bound, RequestReading& reading) const {
  return conversations_[bound.rule].evaluate(reading.request());
}

SignalValue SignalSet::metadata(const Bound& bound, RequestReading& reading) const {
  return evaluate_metadata(rules_.metadata[bound.rule], reading.request(), reading.context());
}

void SignalSet::embedding_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  needs.embeddings.push_back(reading.decisive(rules_.embeddings[bound.rule].scope));
}

SignalValue SignalSet::embedding(const Bound& bound, RequestReading& reading) const {
  const TextId text = reading.decisive(rules_.embeddings[bound.rule].scope);
  return embeddings_[bound.rule].evaluate(reading.similarities(text));
}

void SignalSet::intent_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  needs.embeddings.push_back(reading.decisive(rules_.intents[bound.rule].scope));
}

SignalValue SignalSet::intent(const Bound& bound, RequestReading& reading) const {
  const IntentRule& rule = rules_.intents[bound.rule];
  const std::vector<float>& vector = reading.vector(reading.decisive(rule.scope));
  return intents_->evaluate(rule, vector, bank_->embedder(reading.inference()));
}

void SignalSet::complexity_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  needs.embeddings.push_back(reading.decisive(rules_.complexity[bound.rule].scope));
}

SignalValue SignalSet::complexity(const Bound& bound, RequestReading& reading) const {
  const TextId text = reading.decisive(rules_.complexity[bound.rule].scope);
  return complexities_[bound.rule].evaluate(reading.similarities(text))[bound.part];
}

void SignalSet::domain_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  needs.answers[task_of("domain")].push_back(reading.decisive(rules_.domains[bound.rule].scope));
}

SignalValue SignalSet::domain(const Bound& bound, RequestReading& reading) const {
  const DomainRule& rule = rules_.domains[bound.rule];
  return evaluate_domain(rule, reading.topic(task_of("domain"), reading.decisive(rule.scope)));
}

void SignalSet::fact_check_needs(const Bound&, RequestReading& reading, ModelNeeds& needs) const {
  needs.answers[task_of("fact_check")].push_back(reading.decisive(TextScope::kLastUser));
}

SignalValue SignalSet::fact_check(const Bound& bound, RequestReading& reading) const {
  const TextId text = reading.decisive(TextScope::kLastUser);
  return evaluate_answer(rules_.fact_check[bound.rule], reading.topic(task_of("fact_check"), text));
}

void SignalSet::user_feedback_needs(const Bound&, RequestReading& reading, ModelNeeds& needs) const {
  needs.answers[task_of("user_feedback")].push_back(reading.decisive(TextScope::kLastUser));
}

SignalValue SignalSet::user_feedback(const Bound& bound, RequestReading& reading) const {
  const TextId text = reading.decisive(TextScope::kLastUser);
  return evaluate_answer(rules_.user_feedbacks[bound.rule], reading.topic(task_of("user_feedback"), text));
}

void SignalSet::jailbreak_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  const JailbreakRule& rule = rules_.jailbreak[bound.rule];
  const TextScope scope = safety_scope(rule);
  if (by_classifier(rule)) {
    const std::vector<TextId> turns = reading.turns(scope);
    std::vector<TextId>& texts = needs.answers[task_of("jailbreak")];
    texts.insert(texts.end(), turns.begin(), turns.end());
  }
  if (by_examples(rule)) needs.margins[scope].insert(&*contrastives_[bound.rule]);
}

SignalValue SignalSet::jailbreak(const Bound& bound, RequestReading& reading) const {
  const JailbreakRule& rule = rules_.jailbreak[bound.rule];
  if (!by_examples(rule)) return jailbreak_by_classifier(rule, reading);
  const SignalValue& by_margin = reading.margin(*contrastives_[bound.rule]);
  if (!by_classifier(rule)) return by_margin;
  const SignalValue by_model = jailbreak_by_classifier(rule, reading);
  return by_model.matched || !by_margin.matched ? by_model : by_margin;
}

SignalValue SignalSet::jailbreak_by_classifier(const JailbreakRule& rule, RequestReading& reading) const {
  const std::string task = task_of("jailbreak");
  const std::vector<TextId> turns = reading.turns(safety_scope(rule));
  const std::vector<LabelProbabilities> answers = windows_of(task, turns, reading);
  return evaluate_jailbreak(rule, answers,
                            unsafe_labels(answers.front().labels, reading.unsafe_labels(task, turns.front())));
}

void SignalSet::pii_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  if (task_of("pii") == kNoTask) return;
  std::vector<TextId>& texts = needs.answers[task_of("pii")];
  for (const TextId text : reading.turns(safety_scope(rules_.pii[bound.rule]))) texts.push_back(text);
}

SignalValue SignalSet::pii(const Bound& bound, RequestReading& reading) const {
  std::vector<facts::PiiEntity> of_all;
  for (const TextId text : reading.turns(safety_scope(rules_.pii[bound.rule]))) {
    std::vector<facts::PiiEntity> found = reading.pii_patterns(text);
    if (task_of("pii") != kNoTask) {
      for (const inference::ModelEntity& entity : reading.entities(task_of("pii"), text)) {
        found.push_back({facts::canonical_pii_type(entity.label), entity.start, entity.end, entity.score, false});
      }
    }
    found = facts::merge_entities(std::move(found));
    of_all.insert(of_all.end(), found.begin(), found.end());
  }
  return pii_[bound.rule].evaluate(of_all);
}

void SignalSet::classifier_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const {
  const ClassifierRule& rule = rules_.classifiers[bound.rule];
  std::vector<TextId>& texts = needs.answers[task_of_rule(rule)];
  if (!rule.safety) return texts.push_back(reading.decisive(TextScope::kLastUser));
  const std::vector<TextId> turns = reading.turns(TextScope::kUnanswered);
  texts.insert(texts.end(), turns.begin(), turns.end());
}

SignalValue SignalSet::classifier(const Bound& bound, RequestReading& reading) const {
  const ClassifierRule& rule = rules_.classifiers[bound.rule];
  const ClassifierRule::Question& question = rule.questions[bound.part];
  const std::string& task = task_of_rule(rule);
  try {
    if (!rule.safety) {
      const LabelProbabilities answer = reading.topic(task, reading.decisive(TextScope::kLastUser));
      return evaluate_label(rule, question, {&answer, 1}, {});
    }
    const std::vector<TextId> turns = reading.turns(TextScope::kUnanswered);
    return evaluate_label(rule, question, windows_of(task, turns, reading), reading.unsafe_labels(task, turns.front()));
  } catch (const base::Error& error) {
    const bool ended = error.status() == Status::kCancelled || error.status() == Status::kDeadline;
    if (ended || question.on_error == ClassifierRule::OnError::kFail) throw;
    const bool matched = question.on_error == ClassifierRule::OnError::kMatch;
    return {.matched = matched, .confidence = 0, .value = 0, .detail = error.what(), .failed = true};
  }
}

}  // namespace vsr::routing
