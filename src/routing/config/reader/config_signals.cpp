#include "routing/config/reader/config_signals.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/quoted.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

constexpr int64_t kPatternMemory = 8 << 20;  // of one pattern's program

bool finish_answer(const YamlNode& node, AnswerRule& rule, std::string_view type,
                   const std::vector<std::string_view>& answers, std::optional<double> threshold,
                   ConfigContext& context) {
  if (!node.optional("threshold")) rule.threshold = threshold.value_or(rule.threshold);
  for (const std::string_view answer : answers) {
    if (rule.name != answer) continue;
    context.names.add(type, rule.name, node.where(), true);
    return true;
  }
  std::string all;
  for (const std::string_view answer : answers) base::add_listed(all, answer);
  node.fail("has the name \"" + rule.name + "\", expected one of " + all);
}

bool finish_fact_check(const YamlNode& node, AnswerRule& rule, ConfigContext& context) {
  return finish_answer(node, rule, "fact_check", {"needs_fact_check", "no_fact_check_needed"},
                       context.defaults.fact_check, context);
}

bool finish_feedback(const YamlNode& node, AnswerRule& rule, ConfigContext& context) {
  return finish_answer(node, rule, "user_feedback",
                       {"satisfied", "need_clarification", "wrong_answer", "want_different"},
                       context.defaults.user_feedback, context);
}

template <class R>
void read_rules(const YamlNode& list, ConfigContext& context, std::vector<R>& rules,
                bool (*finish)(const YamlNode&, R&, ConfigContext&)) {
  check_length(list, kMostNames);
  std::set<std::string> seen;
  for (const YamlNode& node : list.items()) {
    R rule;
    read_fields(node, context.notes, [&](Fields& fields) { describe_rule(fields, rule); });
    if (!seen.insert(rule.name).second) node.required("name").fail("is \"" + rule.name + "\", which is given twice");
    if (finish(node, rule, context)) rules.push_back(std::move(rule));
  }
}

template <auto kRules>
using RuleOf = typename std::remove_reference_t<decltype(std::declval<SignalRules>().*kRules)>::value_type;

template <auto kRules>
constexpr SignalReader reader(std::string_view type) {
  return {type,
          [](const YamlNode& list, ConfigContext& context) {
            read_rules<RuleOf<kRules>>(list, context, context.config.signals.*kRules, finish_rule);
          },
          [](Fields& fields) {
            RuleOf<kRules> scratch;
            describe_rule(fields, scratch);
          }};
}

void describe_answer(Fields& fields) {
  AnswerRule scratch;
  describe_rule(fields, scratch);
}

constexpr SignalReader kReaders[] = {
    reader<&SignalRules::keywords>("keyword"),
    reader<&SignalRules::embeddings>("embedding"),
    reader<&SignalRules::intents>("intent"),
    reader<&SignalRules::domains>("domain"),
    {"fact_check",
     [](const YamlNode& list, ConfigContext& context) {
       read_rules<AnswerRule>(list, context, context.config.signals.fact_check, finish_fact_check);
     },
     describe_answer},
    {"user_feedback",
     [](const YamlNode& list, ConfigContext& context) {
       read_rules<AnswerRule>(list, context, context.config.signals.user_feedbacks, finish_feedback);
     },
     describe_answer},
    reader<&SignalRules::language>("language"),
    reader<&SignalRules::context>("context"),
    reader<&SignalRules::structure>("structure"),
    reader<&SignalRules::complexity>("complexity"),
    reader<&SignalRules::role_bindings>("authz"),
    reader<&SignalRules::jailbreak>("jailbreak"),
    reader<&SignalRules::pii>("pii"),
    reader<&SignalRules::conversation>("conversation"),
    reader<&SignalRules::metadata>("metadata"),
    reader<&SignalRules::classifiers>("classifier"),
    reader<&SignalRules::reasks>("reask"),
    reader<&SignalRules::preferences>("preference"),
    reader<&SignalRules::modality>("modality"),
    reader<&SignalRules::kb>("kb"),
    reader<&SignalRules::events>("event"),
};
static_assert(covers_signal_kinds(kReaders, has_section), "a section has no reader, or a reader no section");

}  // namespace

const SignalReader* find_signal_reader(std::string_view type) {
  const auto found = std::find_if(std::begin(kReaders), std::end(kReaders),
                                  [&](const SignalReader& reader) { return reader.type == type; });
  return found == std::end(kReaders) ? nullptr : found;
}

const std::vector<std::string_view>& signal_types() {
  static const std::vector<std::string_view> types = [] {
    std::vector<std::string_view> all;
    for (const SignalKind& kind : kSignalKinds) {
      if (has_section(kind) || kind.derived) all.push_back(kind.type);
    }
    return all;
  }();
  return types;
}

void read_signals(const YamlNode& signals, ConfigContext& context) {
  std::vector<std::string_view> sections;
  for (const SignalKind& kind : kSignalKinds) {
    if (!kind.section.empty()) sections.push_back(kind.section);
  }
  signals.allow_keys(sections);
  for (const SignalKind& kind : kSignalKinds) {
    if (kind.section.empty()) continue;
    const auto list = signals.optional(std::string(kind.section));
    if (!list) continue;
    find_signal_reader(kind.type)->read(*list, context);
  }
}

void describe_predicate(Fields& fields, NumericPredicate& predicate, ValueRange range) {
  fields.optional_number("gt", predicate.gt, range);
  fields.optional_number("gte", predicate.gte, range);
  fields.optional_number("lt", predicate.lt, range);
  fields.optional_number("lte", predicate.lte, range);
}

bool never_holds(const NumericPredicate& p) {
  return (p.gt && p.lt && *p.gt >= *p.lt) || (p.gt && p.lte && *p.gt >= *p.lte) || (p.gte && p.lt && *p.gte >= *p.lt) ||
         (p.gte && p.lte && *p.gte > *p.lte);
}

void describe_scope(Fields& fields, TextScope& scope) {
  static constexpr Choice<TextScope> kScopes[] = {{"last_user", TextScope::kLastUser},
                                                  {"user_turns", TextScope::kUserTurns},
                                                  {"history", TextScope::kHistory},
                                                  {"unanswered", TextScope::kUnanswered},
                                                  {"everything", TextScope::kEverything}};
  fields.choice("scope", scope, kScopes);
}

void check_pattern(const YamlNode& node, const std::string& pattern, bool case_sensitive) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(case_sensitive);
  options.set_max_mem(kPatternMemory);
  const RE2 compiled(pattern, options);
  if (!compiled.ok()) node.fail("is no pattern that RE2 takes: " + compiled.error());
}

}  // namespace vsr::routing
