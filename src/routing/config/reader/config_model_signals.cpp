#include <algorithm>
#include <set>

#include "base/suggestion.h"
#include "routing/config/domains.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using Method = JailbreakRule::Method;

constexpr double kJailbreakThreshold = 0.7;
constexpr std::string_view kOwnModels = "vsr.models and vsr.tasks name the models that answer";
constexpr double kContrastiveThreshold = 0.10;

// The rule's own name means a domain too; a name of another kind is that of a group, or of a label that the file's
// own classifier has.
void settle_categories(const YamlNode& node, DomainRule& rule, ConfigContext& context) {
  const auto& known = mmlu_domains();
  const auto is_known = [&](const std::string& name) { return std::binary_search(known.begin(), known.end(), name); };
  for (std::string& category : rule.categories) category = canonical_domain(category);
  if (const auto list = node.optional("mmlu_categories")) {
    const auto items = list->items();
    for (size_t i = 0; i < items.size(); ++i) {
      if (is_known(rule.categories[i])) continue;
      items[i].fail("is \"" + rule.categories[i] + "\", which is no domain of MMLU-Pro" +
                    base::suggestion(rule.categories[i], known));
    }
  }
  const std::string own = canonical_domain(rule.name);
  if (rule.categories.empty() && !is_known(own)) {
    context.notes.warn(node.where(), "domain \"" + rule.name +
                                         "\" is none of MMLU-Pro and has no mmlu_categories: it matches only if the "
                                         "classifier has a label of that name");
  }
  if (std::find(rule.categories.begin(), rule.categories.end(), own) == rule.categories.end()) {
    rule.categories.insert(rule.categories.begin(), own);
  }
}

void describe_bank(Fields& fields, std::vector<std::string>& candidates) {
  fields.texts("candidates", candidates, Presence::kRequired);
  fields.not_run("image_candidates", "image candidates");
}

}  // namespace

void describe_rule(Fields& fields, EmbeddingRule& rule) {
  using Aggregation = EmbeddingRule::Aggregation;
  static constexpr Choice<Aggregation> kAggregations[] = {
      {"mean", Aggregation::kMean}, {"max", Aggregation::kMax}, {"any", Aggregation::kAny}};
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, {-1, 1}, Presence::kRequired);
  fields.texts("candidates", rule.candidates, Presence::kRequired);
  fields.choice("aggregation_method", rule.aggregation, kAggregations);
  static constexpr Choice<int> kModalities[] = {{"text", 0}, {"image", 1}, {"audio", 2}};
  int modality = 0;
  fields.choice("query_modality", modality, kModalities);
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, EmbeddingRule& rule, ConfigContext& context) {
  const auto modality = node.optional("query_modality");
  const bool runs = !modality || modality->as_string() == "text";
  if (!runs)
    context.notes.not_run(*modality, "the query_modality " + modality->as_string() + " of \"" + rule.name + "\"");
  context.names.add("embedding", rule.name, node.where(), runs);
  return runs;
}

void describe_rule(Fields& fields, IntentRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, {-1, 1});
  fields.texts("examples", rule.examples, Presence::kRequired);
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, IntentRule& rule, ConfigContext& context) {
  context.names.add("intent", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, DomainRule& rule) {
  fields.named(rule.name);
  fields.texts("mmlu_categories", rule.categories);
  fields.number("threshold", rule.threshold, kUnit);
  fields.objects<ModelScore>("model_scores", rule.model_scores, [](Fields& score, ModelScore& value) {
    score.text("model", value.model, Presence::kRequired);
    score.number("score", value.score, kNotNegative, Presence::kRequired);
    score.flag("use_reasoning", value.use_reasoning);
  });
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, DomainRule& rule, ConfigContext& context) {
  if (context.names.find("domain", rule.name) != nullptr) {
    node.required("name").fail("is \"" + rule.name + "\", which is given twice");
  }
  settle_categories(node, rule, context);
  if (!node.optional("threshold")) rule.threshold = context.defaults.domain.value_or(rule.threshold);
  if (const auto scores = node.optional("model_scores")) {
    for (const YamlNode& score : scores->items()) {
      const YamlNode model = score.required("model");
      context.check_model(model, model.as_string());
    }
  }
  // Model scores are used whether or not a rule names the domain.
  context.names.add("domain", rule.name, node.where(), true).used = !rule.model_scores.empty();
  return true;
}

void describe_rule(Fields& fields, AnswerRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, kUnit);
}

void describe_rule(Fields& fields, ComplexityRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, {0, 2});
  fields.object(
      "hard", [&](Fields& bank) { describe_bank(bank, rule.hard); }, Presence::kRequired);
  fields.object(
      "easy", [&](Fields& bank) { describe_bank(bank, rule.easy); }, Presence::kRequired);
  fields.custom("composer", "rule", [](const YamlNode&) {});  // read when all signals are known
  describe_scope(fields, rule.scope);
}

bool finish_rule(const YamlNode& node, ComplexityRule& rule, ConfigContext& context) {
  for (const char* level : {"hard", "medium", "easy"}) {
    context.names.add("complexity", rule.name + ":" + level, node.where(), true);
  }
  return true;
}

void describe_rule(Fields& fields, JailbreakRule& rule) {
  static constexpr Choice<Method> kMethods[] = {{"", Method::kClassifier},
                                                {"classifier", Method::kClassifier},
                                                {"contrastive", Method::kContrastive},
                                                {"hybrid", Method::kHybrid}};
  fields.named(rule.name);
  fields.choice("method", rule.method, kMethods);
  fields.number("threshold", rule.threshold, kUnit);
  fields.flag("include_history", rule.include_history);
  fields.texts("jailbreak_patterns", rule.jailbreak_patterns);
  fields.texts("benign_patterns", rule.benign_patterns);
}

bool finish_rule(const YamlNode& node, JailbreakRule& rule, ConfigContext& context) {
  const bool contrastive = rule.method != Method::kClassifier;
  if (!node.optional("threshold") || rule.threshold == 0) {
    const double otherwise = context.defaults.jailbreak.value_or(kJailbreakThreshold);
    rule.threshold = rule.method == Method::kContrastive ? kContrastiveThreshold : otherwise;
  }
  if (contrastive && rule.jailbreak_patterns.empty())
    node.fail("has no \"jailbreak_patterns\", which its method needs");
  if (!contrastive && !(rule.jailbreak_patterns.empty() && rule.benign_patterns.empty())) {
    context.notes.warn(node.where(),
                       "the patterns of jailbreak \"" + rule.name + "\" have no effect: its method is classifier");
  }
  context.names.add("jailbreak", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, PiiRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, kUnit);
  fields.texts("pii_types_allowed", rule.allowed);
  fields.texts("pii_types_denied", rule.denied);
  fields.flag("include_history", rule.include_history);
}

bool finish_rule(const YamlNode& node, PiiRule& rule, ConfigContext& context) {
  if (!node.optional("threshold")) rule.threshold = context.defaults.pii.value_or(rule.threshold);
  const std::set<std::string> allowed(rule.allowed.begin(), rule.allowed.end());
  for (const std::string& type : rule.denied) {
    if (allowed.count(type) == 0) continue;
    node.required("pii_types_denied").fail("has \"" + type + "\", which is allowed too");
  }
  context.names.add("pii", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, ClassifierRule& rule) {
  static constexpr Choice<int> kTypes[] = {{"local", 0}, {"llm", 1}};
  int type = 0;
  fields.named(rule.name);
  fields.choice("type", type, kTypes);
  fields.text("task", rule.task);
  fields.texts("labels", rule.labels, Presence::kRequired);
  fields.number("threshold", rule.threshold, kUnit);
  fields.flag("safety", rule.safety);
  for (const char* key : {"model", "model_path", "use_cpu"}) fields.replaced(key, kOwnModels);
  fields.for_gateway("instructions");
}

bool finish_rule(const YamlNode& node, ClassifierRule& rule, ConfigContext& context) {
  const auto type = node.optional("type");
  const bool runs = !type || type->as_string() == "local";
  if (!runs) context.notes.not_run(node, "classifier \"" + rule.name + "\" by a language model");
  for (const std::string& label : rule.labels) {
    context.names.add("classifier", rule.name + ":" + label, node.where(), runs).guards = rule.safety;
  }
  if (runs) context.classifiers.emplace(rule.name, context.config.signals.classifiers.size());  // where it goes next
  return runs;
}

}  // namespace vsr::routing
