#include "routing/config/reader/config_rules.h"

#include <algorithm>

#include "base/suggestion.h"
#include "base/text_stream.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using OnError = ClassifierRule::OnError;

struct Leaf {
  std::string type;
  std::string name;
  std::string label;
  NumericPredicate predicate;
  OnError on_error = OnError::kFail;
};

constexpr Choice<OnError> kOnError[] = {
    {"error", OnError::kFail}, {"match", OnError::kMatch}, {"no_match", OnError::kNoMatch}};
constexpr Choice<Rule::Kind> kOperators[] = {
    {"AND", Rule::Kind::kAnd}, {"OR", Rule::Kind::kOr}, {"NOT", Rule::Kind::kNot}};

void describe(Fields& fields, Leaf& leaf, bool classifier) {
  fields.text("type", leaf.type, Presence::kRequired);
  fields.text("name", leaf.name, Presence::kRequired);
  if (!classifier) return;
  fields.text("label", leaf.label);
  fields.object("predicate", [&](Fields& predicate) { describe_predicate(predicate, leaf.predicate, kUnit); });
  fields.choice("on_error", leaf.on_error, kOnError);
}

void describe(Fields& fields, Rule::Kind& kind, std::optional<YamlNode>& conditions) {
  fields.choice("operator", kind, kOperators, Presence::kRequired);
  fields.custom("conditions", "rules", [&](const YamlNode& node) { conditions = node; });
}

std::string predicate_text(const NumericPredicate& predicate) {
  base::TextStream out;
  const auto part = [&](const char* name, const std::optional<double>& bound) {
    if (bound) out << (out.tellp() > 0 ? "," : "") << name << "=" << *bound;
  };
  part("gt", predicate.gt);
  part("gte", predicate.gte);
  part("lt", predicate.lt);
  part("lte", predicate.lte);
  return out.str();
}

bool same(const NumericPredicate& a, const NumericPredicate& b) {
  return a.gt == b.gt && a.gte == b.gte && a.lt == b.lt && a.lte == b.lte;
}

// What the leaf asks of its classifier, as one of the classifier's questions. Returns the question's name.
std::string add_question(const YamlNode& node, const Leaf& leaf, ClassifierRule& rule) {
  const std::string plain = leaf.name + ":" + leaf.label;
  bool taken = false;
  for (const auto& question : rule.questions) {
    if (question.label != leaf.label) continue;
    if (same(question.predicate, leaf.predicate) && question.on_error == leaf.on_error) return question.name;
    taken = true;
  }
  std::string name = plain;
  if (taken) {
    const std::string predicate = predicate_text(leaf.predicate);
    const std::string_view on_error = kOnError[static_cast<size_t>(leaf.on_error)].name;
    name += "[" + (predicate.empty() ? "" : predicate + ",") + "on_error=" + std::string(on_error) + "]";
  }
  if (rule.questions.size() == kMostAliases) node.fail("is one question too many to the classifier " + leaf.name);
  rule.questions.push_back({name, leaf.label, leaf.predicate, leaf.on_error});
  return name;
}

[[noreturn]] void fail_unresolved(const YamlNode& node, const Leaf& leaf, const ConfigContext& context) {
  const std::string levels = leaf.type == "complexity" && leaf.name.find(':') == std::string::npos
                                 ? ", expected a level after the name, such as \"" + leaf.name + ":hard\""
                                 : "";
  node.required("name").fail("is \"" + leaf.name + "\", which no " + leaf.type + " signal of this file is called" +
                             levels + base::suggestion(leaf.name, context.names.of_type(leaf.type)));
}

// A leaf whose signal vsr does not evaluate: it never matches, unless that would make a guard blind.
void note_blind_leaf(const YamlNode& node, const Leaf& leaf, const SignalNames::Entry& entry, ConfigContext& context) {
  if (!entry.guards || leaf.on_error == OnError::kNoMatch) return;
  std::string& refusal = context.config.route_refusal;
  if (!refusal.empty()) return;
  refusal = node.where() + ": a rule needs the safety signal " + entry.ref.key() +
            ", which is not run; given to decide it works, but no request can be routed by it";
}

void split_label(const YamlNode& node, Leaf& leaf) {
  const size_t colon = leaf.name.rfind(':');
  if (leaf.label.empty() && colon != std::string::npos) {
    leaf.label = leaf.name.substr(colon + 1);
    leaf.name.resize(colon);
  }
  if (leaf.label.empty()) node.fail("has no \"label\", which a leaf of a classifier needs");
}

SignalNames::Entry& resolve(const YamlNode& node, const Leaf& leaf, ConfigContext& context) {
  const std::string name = leaf.type == "classifier" ? leaf.name + ":" + leaf.label : leaf.name;
  SignalNames::Entry* entry = context.names.find(leaf.type, name);
  if (entry != nullptr) return *entry;
  if (context.defines_signals || !context.notes.lenient()) fail_unresolved(node, leaf, context);
  context.notes.skip(node, "no signals are defined here: " + leaf.type + ":" + name + " is known to decide alone");
  return context.names.add(leaf.type, name, node.where(), false);
}

void use(SignalNames::Entry& entry, const YamlNode& leaf) {
  entry.used = true;
  if (entry.used_at.empty()) entry.used_at = leaf.where();
}

Rule read_leaf(const YamlNode& node, ConfigContext& context) {
  Leaf leaf;
  leaf.type = node.required("type").as_string();
  const auto& types = signal_types();
  if (std::find(types.begin(), types.end(), leaf.type) == types.end()) {
    node.required("type").fail("is \"" + leaf.type + "\", which is no type of signal" +
                               base::suggestion(leaf.type, types));
  }
  const bool classifier = leaf.type == "classifier";
  read_fields(node, context.notes, [&](Fields& fields) { describe(fields, leaf, classifier); });
  if (classifier) split_label(node, leaf);

  SignalNames::Entry& entry = resolve(node, leaf, context);
  use(entry, node);
  Rule rule{Rule::Kind::kLeaf, entry.ref};
  if (!entry.runs) {
    note_blind_leaf(node, leaf, entry, context);
  } else if (classifier) {
    // Another classifier's name and label may read the same when they hold colons.
    const auto at = context.classifiers.find(leaf.name);
    if (at == context.classifiers.end()) fail_unresolved(node, leaf, context);
    rule.leaf.name = add_question(node, leaf, context.config.signals.classifiers[at->second]);
    use(context.names.add("classifier", rule.leaf.name, node.where(), true), node);
  }
  return rule;
}

Rule read_group(const YamlNode& node, ConfigContext& context) {
  Rule rule;
  std::optional<YamlNode> conditions;
  read_fields(node, context.notes, [&](Fields& fields) { describe(fields, rule.kind, conditions); });
  if (conditions) {
    for (const YamlNode& condition : conditions->items()) rule.children.push_back(read_rule(condition, context));
  }
  if (rule.kind == Rule::Kind::kNot && rule.children.size() != 1) {
    node.fail("is NOT of " + std::to_string(rule.children.size()) + " conditions, expected exactly one");
  }
  return rule;
}

// Depth first over the composers that a composer needs.
class ComposerCycles {
 public:
  explicit ComposerCycles(const std::vector<ComplexityRule>& rules) : rules_(rules), states_(rules.size()) {
    for (size_t i = 0; i < rules.size(); ++i) places_.emplace(rules[i].name, i);
  }

  // Whether the composer of `rule` needs itself.
  bool from(size_t rule) {
    if (states_[rule] == State::kOpen) return true;
    if (states_[rule] == State::kDone || !rules_[rule].composer) return false;
    states_[rule] = State::kOpen;
    const bool found = through(*rules_[rule].composer);
    states_[rule] = State::kDone;
    return found;
  }

 private:
  enum class State { kNew, kOpen, kDone };

  bool through(const Rule& node) {
    for (const Rule& child : node.children) {
      if (through(child)) return true;
    }
    if (node.kind != Rule::Kind::kLeaf || node.leaf.type != "complexity") return false;
    const std::string name = node.leaf.name.substr(0, node.leaf.name.rfind(':'));
    const auto at = places_.find(name);
    return at != places_.end() && from(at->second);
  }

  const std::vector<ComplexityRule>& rules_;
  std::vector<State> states_;
  std::map<std::string, size_t> places_;
};

}  // namespace

Rule read_rule(const YamlNode& node, ConfigContext& context) {
  const bool leaf = node.optional("type") || node.optional("name");
  return leaf ? read_leaf(node, context) : read_group(node, context);
}

void describe_leaf(Fields& fields) {
  Leaf leaf;
  describe(fields, leaf, true);
}

void describe_group(Fields& fields) {
  Rule::Kind kind = Rule::Kind::kAnd;
  std::optional<YamlNode> conditions;
  describe(fields, kind, conditions);
}

void read_composers(const YamlNode& signals, ConfigContext& context) {
  const auto list = signals.optional("complexity");
  if (!list) return;
  const auto items = list->items();
  auto& rules = context.config.signals.complexity;
  for (size_t i = 0; i < items.size(); ++i) {
    if (const auto composer = items[i].optional("composer")) rules[i].composer = read_rule(*composer, context);
  }
  ComposerCycles cycles(rules);
  for (size_t i = 0; i < items.size(); ++i) {
    if (cycles.from(i)) items[i].required("composer").fail("needs itself, by way of complexity signals");
  }
}

}  // namespace vsr::routing
