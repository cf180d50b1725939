// The `routing.signals` part of a config file, read and checked: one struct per kind of signal. Field names are those
// of the file. Defaults and meanings: docs/routing.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routing/config/rule.h"

namespace vsr::routing {

// Which part of a request a signal reads. Of what is said: the last user turn, all of the user's turns, or every
// message. Of all that a chat template can render, tools and parts of any type too: what came after the assistant's
// last answer with the messages of system and developer, or everything.
enum class TextScope { kLastUser, kUserTurns, kHistory, kUnanswered, kEverything };

struct NumericPredicate {
  std::optional<double> gt, gte, lt, lte;
  bool empty() const { return !gt && !gte && !lt && !lte; }
  bool holds(double value) const {
    return (!gt || value > *gt) && (!gte || value >= *gte) && (!lt || value < *lt) && (!lte || value <= *lte);
  }
};

struct KeywordRule {
  enum class Operator { kAnd, kOr, kNor };
  enum class Method { kLiteral, kRegex, kBm25, kNgram };
  std::string name;
  Operator op = Operator::kOr;
  Method method = Method::kLiteral;
  std::vector<std::string> keywords = {};
  bool case_sensitive = false;
  double bm25_threshold = 0.1;
  double ngram_threshold = 0.4;
  int ngram_arity = 3;
  bool fuzzy_match = false;
  int fuzzy_threshold = 2;  // greatest edit distance
  int fuzzy_percent = 0;    // least similarity instead, when above 0: a file that gives more than 10 means percent
  TextScope scope = TextScope::kLastUser;

  // The greatest edit distance at which a text's words are still this keyword of `characters` characters.
  int greatest_distance(size_t characters) const {
    if (!fuzzy_match) return 0;
    if (fuzzy_percent == 0) return fuzzy_threshold;
    return static_cast<int>(characters * static_cast<size_t>(100 - fuzzy_percent) / 100);
  }
};

struct EmbeddingRule {
  enum class Aggregation { kMean, kMax, kAny };
  std::string name;
  double threshold = 0;
  std::vector<std::string> candidates = {};
  Aggregation aggregation = Aggregation::kMax;
  TextScope scope = TextScope::kLastUser;
};

// A private intent: vsr's own kind, `routing.signals.intents`. All of them are one set, in which neighbours vote.
struct IntentRule {
  std::string name;
  double threshold = 0.5;
  std::vector<std::string> examples = {};
  TextScope scope = TextScope::kLastUser;
};

struct ModelScore {
  std::string model;
  double score = 0;
  bool use_reasoning = false;
};

struct DomainRule {
  std::string name;
  std::vector<std::string> categories = {};  // canonical MMLU-Pro domains it means, its own name among them
  double threshold = 0.5;
  std::vector<ModelScore> model_scores = {};
  TextScope scope = TextScope::kLastUser;
};

// fact_check, user_feedbacks: a classifier's answer by name.
struct AnswerRule {
  std::string name;
  double threshold = 0.5;
};

struct LanguageRule {
  std::string name;  // ISO 639-1
  double threshold = 0;
};

struct ContextRule {
  std::string name;
  int64_t min_tokens = 0;
  int64_t max_tokens = std::numeric_limits<int64_t>::max();  // inclusive
};

struct StructureRule {
  enum class Feature { kCount, kExists, kDensity, kSequence };
  enum class Source { kRegex, kKeywordSet, kSequence, kTextBytes };
  std::string name;
  Feature feature = Feature::kExists;
  Source source = Source::kRegex;
  std::string pattern = {};
  std::vector<std::string> keywords = {};
  std::vector<std::vector<std::string>> sequences = {};
  bool case_sensitive = false;
  NumericPredicate predicate = {};
  TextScope scope = TextScope::kLastUser;
};

struct ComplexityRule {
  std::string name;
  double threshold = 0.1;
  std::vector<std::string> hard = {};
  std::vector<std::string> easy = {};
  std::optional<Rule> composer = std::nullopt;  // no level of it matches unless this does
  TextScope scope = TextScope::kLastUser;
};

struct RoleRule {
  struct Subject {
    bool group = false;  // else a user
    std::string name;
  };
  std::string name;
  std::string role;  // what leaves name
  std::vector<Subject> subjects = {};
};

struct JailbreakRule {
  enum class Method { kClassifier, kContrastive, kHybrid };  // hybrid: either of the two matches
  std::string name;
  Method method = Method::kClassifier;
  double threshold = 0.7;               // of the classifier's probability; of the margin when kContrastive
  double contrastive_threshold = 0.10;  // of the margin, when kHybrid
  bool include_history = false;
  std::vector<std::string> jailbreak_patterns = {};
  std::vector<std::string> benign_patterns = {};
};

struct PiiRule {
  std::string name;
  double threshold = 0.9;
  std::vector<std::string> allowed = {};  // types that do not matter
  std::vector<std::string> denied = {};   // when not empty, only these matter
  bool include_history = false;
};

struct ConversationRule {
  enum class Feature { kCount, kExists };
  std::string name;
  Feature feature = Feature::kCount;
  std::string source =
      {};                 // message, tool_definition, assistant_tool_call, assistant_tool_cycle, active_tool_loop, ...
  std::string role = {};  // of messages; empty: any
  NumericPredicate predicate = {};
};

struct MetadataRule {
  std::string name;
  std::string key = {};
  std::optional<std::string> equals = std::nullopt;
  std::vector<std::string> in = {};
  std::optional<bool> exists = std::nullopt;
};

// Any classification task by name.
struct ClassifierRule {
  // What rules ask of it: a label whose probability `predicate` holds for; when that is empty, one of at least
  // `threshold`. `name` is that of the leaf: "<name>:<label>", and the predicate too where one label is asked twice.
  enum class OnError { kFail, kMatch, kNoMatch };  // when the classifier cannot answer
  struct Question {
    std::string name;
    std::string label;
    NumericPredicate predicate = {};
    OnError on_error = OnError::kFail;
  };
  std::string name;
  std::string task = {};          // of the `vsr:` part; empty: `name`
  bool by_llm = false;            // a language model is asked, by the caller's completion (routing/config/completion.h)
  std::string model = {};         // of it, as the caller knows it
  std::string instructions = {};  // for it
  std::vector<std::string> labels = {};
  double threshold = 0.5;
  bool safety = true;  // reads what safety signals read, the worst window decides; else the last user turn as a topic
  std::vector<Question> questions = {};
};

// The last user turn says again what each of the turns before it said.
struct ReaskRule {
  std::string name;
  double threshold = 0.8;
  int lookback_turns = 1;
};

// How answers should be, by examples. Of all of them the nearest alone matches.
struct PreferenceRule {
  std::string name;
  std::string description = {};  // one more example
  std::vector<std::string> examples = {};
  double threshold = 0.7;
};

// What a message of a machine reports; any of the criteria that are given.
struct EventRule {
  std::string name;
  std::vector<std::string> event_types = {};
  std::vector<std::string> severities = {};
  std::vector<std::string> action_codes = {};
  bool temporal = false;  // words of urgency
};

// What is asked for: AR (text), DIFFUSION (an image), BOTH.
struct ModalityRule {
  std::string name;
};

// `global.model_catalog.modules.modality_detector`.
struct ModalityConfig {
  bool given = false;
  bool classifier = false;                      // a task answers
  bool by_words = true;                         // where it does not, or is not sure enough
  double threshold = 0.6;                       // of the task's probability
  std::vector<std::string> prefixes = {};       // of a text that asks for an image
  std::vector<std::string> keywords = {};       // an image
  std::vector<std::string> both_keywords = {};  // text and an image
};

struct KbRule {
  std::string name;
  std::string kb = {};
  bool group = false;  // the target is a group of labels
  std::string target = {};
  bool best = true;  // it must be the best; else reach its threshold
};

struct SignalRules {
  std::vector<KeywordRule> keywords;
  std::vector<EmbeddingRule> embeddings;
  std::vector<IntentRule> intents;
  std::vector<DomainRule> domains;
  std::vector<AnswerRule> fact_check;
  std::vector<AnswerRule> user_feedbacks;
  std::vector<LanguageRule> language;
  std::vector<ContextRule> context;
  std::vector<StructureRule> structure;
  std::vector<ComplexityRule> complexity;
  std::vector<RoleRule> role_bindings;
  std::vector<JailbreakRule> jailbreak;
  std::vector<PiiRule> pii;
  std::vector<ConversationRule> conversation;
  std::vector<MetadataRule> metadata;
  std::vector<ClassifierRule> classifiers;
  std::vector<ReaskRule> reasks;
  std::vector<PreferenceRule> preferences;
  std::vector<ModalityRule> modality;
  std::vector<KbRule> kb;
  std::vector<EventRule> events;
};

}  // namespace vsr::routing
