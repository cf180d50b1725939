// `routing.signals`: one reader per kind of signal.
#pragma once

#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// How the rules of one kind of signal are read (config/signal_kind.h).
struct SignalReader {
  std::string_view type;
  // Reads the list under the kind's section.
  void (*read)(const base::YamlNode& list, ConfigContext& context);
  // Describes one item, for the schema.
  void (*describe)(Fields& fields);
};

// Null: the kind has no section.
const SignalReader* find_signal_reader(std::string_view type);
// Types that leaves may have.
const std::vector<std::string_view>& signal_types();

// All but the composers of complexity signals, which are rules themselves (config_rules.h).
void read_signals(const base::YamlNode& signals, ConfigContext& context);

// A kind is made of two functions on its rule R, found by overload: describe_rule(Fields&, R&), and
// finish_rule(const YamlNode&, R&, ConfigContext&), which checks what a description cannot say, gives the leaves their
// names, and returns whether vsr runs the rule (if not, it has been skipped by the notes).

// config_text_signals.cpp: what needs no model.
void describe_rule(Fields& fields, KeywordRule& rule);
void describe_rule(Fields& fields, LanguageRule& rule);
void describe_rule(Fields& fields, ContextRule& rule);
void describe_rule(Fields& fields, StructureRule& rule);
bool finish_rule(const base::YamlNode& node, KeywordRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, LanguageRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, ContextRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, StructureRule& rule, ConfigContext& context);

// config_request_signals.cpp: what the request says besides its text.
void describe_rule(Fields& fields, ConversationRule& rule);
void describe_rule(Fields& fields, MetadataRule& rule);
void describe_rule(Fields& fields, RoleRule& rule);
bool finish_rule(const base::YamlNode& node, ConversationRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, MetadataRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, RoleRule& rule, ConfigContext& context);

// config_model_signals.cpp: what needs embeddings or a classifier.
void describe_rule(Fields& fields, EmbeddingRule& rule);
void describe_rule(Fields& fields, IntentRule& rule);
void describe_rule(Fields& fields, DomainRule& rule);
void describe_rule(Fields& fields, AnswerRule& rule);
void describe_rule(Fields& fields, ComplexityRule& rule);
void describe_rule(Fields& fields, JailbreakRule& rule);
void describe_rule(Fields& fields, PiiRule& rule);
void describe_rule(Fields& fields, ClassifierRule& rule);
bool finish_rule(const base::YamlNode& node, EmbeddingRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, IntentRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, DomainRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, ComplexityRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, JailbreakRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, PiiRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, ClassifierRule& rule, ConfigContext& context);

// config_example_signals.cpp: what is near to examples or to what was said, and words of machines.
void describe_rule(Fields& fields, ReaskRule& rule);
void describe_rule(Fields& fields, PreferenceRule& rule);
void describe_rule(Fields& fields, ModalityRule& rule);
void describe_rule(Fields& fields, KbRule& rule);
void describe_rule(Fields& fields, EventRule& rule);
bool finish_rule(const base::YamlNode& node, ReaskRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, PreferenceRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, ModalityRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, KbRule& rule, ConfigContext& context);
bool finish_rule(const base::YamlNode& node, EventRule& rule, ConfigContext& context);

// Shared by several kinds.
void describe_predicate(Fields& fields, NumericPredicate& predicate, ValueRange range = {});
// Whether no number fits the predicate.
bool never_holds(const NumericPredicate& predicate);
void describe_scope(Fields& fields, TextScope& scope);
// Throws kParse unless RE2 takes the pattern.
void check_pattern(const base::YamlNode& node, const std::string& pattern, bool case_sensitive);

}  // namespace vsr::routing
