#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

constexpr int kGreatestDistance = 10;  // beyond it a fuzzy_threshold is a percentage
constexpr double kLanguageThreshold = 0.3;

size_t characters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(base::decode_utf8(text).size);
  return count;
}

// Files give either an edit distance, as the form says, or the least similarity in percent, as fuzzy matchers of other
// systems take it. An evaluator that knows only distances gets the one that is right for the shortest keyword, never a
// looser one.
void settle_fuzzy(KeywordRule& rule) {
  if (rule.fuzzy_threshold <= kGreatestDistance) return;
  rule.fuzzy_percent = rule.fuzzy_threshold;
  size_t shortest = std::numeric_limits<size_t>::max();
  for (const std::string& keyword : rule.keywords) shortest = std::min(shortest, characters(keyword));
  const bool fuzzy = std::exchange(rule.fuzzy_match, true);
  rule.fuzzy_threshold = rule.greatest_distance(rule.keywords.empty() ? 0 : shortest);
  rule.fuzzy_match = fuzzy;
}

void check_patterns(const YamlNode& keywords, bool case_sensitive) {
  for (const YamlNode& item : keywords.items()) check_pattern(item, item.as_string(), case_sensitive);
}

void check_feature(const YamlNode& node, const StructureRule& rule) {
  using Feature = StructureRule::Feature;
  using Source = StructureRule::Source;
  const bool sequence = rule.source == Source::kSequence;
  if ((rule.feature == Feature::kSequence) != sequence) {
    node.required("feature").fail("has type sequence and another source, or the reverse: they go together");
  }
  if (rule.source == Source::kTextBytes && rule.feature != Feature::kCount) {
    node.required("feature").fail("has the source text_bytes, which can only be counted (type: count)");
  }
  const bool needs_predicate = rule.feature == Feature::kCount || rule.feature == Feature::kDensity;
  if (needs_predicate && rule.predicate.empty()) node.fail("has no \"predicate\", which a count or density needs");
}

void check_source(const YamlNode& source, const StructureRule& rule) {
  using Source = StructureRule::Source;
  if (rule.source == Source::kRegex) check_pattern(source.required("pattern"), rule.pattern, rule.case_sensitive);
  if (rule.source == Source::kKeywordSet && rule.keywords.empty()) source.fail("has no \"keywords\"");
  if (rule.source == Source::kSequence && rule.sequences.empty()) source.fail("has no \"sequences\"");
}

void read_sequences(const YamlNode& node, std::vector<std::vector<std::string>>& sequences) {
  for (const YamlNode& list : node.items()) {
    sequences.emplace_back();
    for (const YamlNode& word : list.items()) {
      sequences.back().push_back(word.as_string());
      if (sequences.back().back().empty()) word.fail("is empty");
    }
    if (sequences.back().empty()) list.fail("is empty");
  }
}

void describe_source(Fields& fields, StructureRule& rule) {
  using Source = StructureRule::Source;
  static constexpr Choice<Source> kSources[] = {{"regex", Source::kRegex},
                                                {"keyword_set", Source::kKeywordSet},
                                                {"sequence", Source::kSequence},
                                                {"text_bytes", Source::kTextBytes}};
  fields.choice("type", rule.source, kSources, Presence::kRequired);
  fields.text("pattern", rule.pattern);
  fields.texts("keywords", rule.keywords);
  fields.custom("sequences", "sequences", [&](const YamlNode& node) { read_sequences(node, rule.sequences); });
  fields.flag("case_sensitive", rule.case_sensitive);
}

}  // namespace

void describe_rule(Fields& fields, KeywordRule& rule) {
  using Operator = KeywordRule::Operator;
  using Method = KeywordRule::Method;
  static constexpr Choice<Operator> kOperators[] = {
      {"AND", Operator::kAnd}, {"OR", Operator::kOr}, {"NOR", Operator::kNor}};
  static constexpr Choice<Method> kMethods[] = {{"", Method::kLiteral},
                                                {"regex", Method::kRegex},
                                                {"bm25", Method::kBm25},
                                                {"ngram", Method::kNgram},
                                                {"fuzzy", Method::kLiteral}};
  fields.named(rule.name);
  fields.choice("operator", rule.op, kOperators);
  fields.choice("method", rule.method, kMethods);
  fields.texts("keywords", rule.keywords, Presence::kRequired);
  fields.flag("case_sensitive", rule.case_sensitive);
  fields.number("bm25_threshold", rule.bm25_threshold, kNotNegative);
  fields.number("ngram_threshold", rule.ngram_threshold, kUnit);
  fields.integer("ngram_arity", rule.ngram_arity, {1, 16});
  fields.flag("fuzzy_match", rule.fuzzy_match);
  fields.integer("fuzzy_threshold", rule.fuzzy_threshold, {0, 100});
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, KeywordRule& rule, ConfigContext& context) {
  if (rule.method == KeywordRule::Method::kRegex) check_patterns(node.required("keywords"), rule.case_sensitive);
  const auto method = node.optional("method");
  if (method && method->as_string() == "fuzzy") rule.fuzzy_match = true;
  if (rule.fuzzy_match && rule.method != KeywordRule::Method::kLiteral) {
    context.notes.warn(node.where(), "fuzzy_match has no effect beside method " + method->as_string());
  }
  settle_fuzzy(rule);
  context.names.add("keyword", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, LanguageRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, kUnit);
}

bool finish_rule(const YamlNode& node, LanguageRule& rule, ConfigContext& context) {
  const bool letters = std::all_of(rule.name.begin(), rule.name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!letters || rule.name.size() < 2 || rule.name.size() > 3) {
    node.required("name").fail("is \"" + rule.name + "\", expected a language's code such as en");
  }
  if (rule.threshold == 0) rule.threshold = kLanguageThreshold;
  context.names.add("language", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, ContextRule& rule) {
  fields.named(rule.name);
  fields.tokens("min_tokens", rule.min_tokens);
  fields.tokens("max_tokens", rule.max_tokens);
}

bool finish_rule(const YamlNode& node, ContextRule& rule, ConfigContext& context) {
  if (rule.min_tokens > rule.max_tokens) node.required("min_tokens").fail("is above max_tokens");
  context.names.add("context", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, StructureRule& rule) {
  using Feature = StructureRule::Feature;
  static constexpr Choice<Feature> kFeatures[] = {{"count", Feature::kCount},
                                                  {"exists", Feature::kExists},
                                                  {"density", Feature::kDensity},
                                                  {"sequence", Feature::kSequence}};
  fields.named(rule.name);
  fields.object(
      "feature",
      [&](Fields& feature) {
        feature.choice("type", rule.feature, kFeatures, Presence::kRequired);
        feature.object(
            "source", [&](Fields& source) { describe_source(source, rule); }, Presence::kRequired);
      },
      Presence::kRequired);
  fields.object("predicate", [&](Fields& predicate) { describe_predicate(predicate, rule.predicate); });
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, StructureRule& rule, ConfigContext& context) {
  check_feature(node, rule);
  check_source(node.required("feature").required("source"), rule);
  if (never_holds(rule.predicate))
    context.notes.warn(node.where(), "the predicate of \"" + rule.name + "\" never holds");
  context.names.add("structure", rule.name, node.where(), true);
  return true;
}

}  // namespace vsr::routing
