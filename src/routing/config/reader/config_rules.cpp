#include "routing/config/reader/config_rules.h"

#include <algorithm>

#include "base/suggestion.h"
#include "base/text_stream.h"
#include "routing/config/domains.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using OnError = ClassifierRule::OnError;

struct Leaf {
  std::string type;
  std::string name;
  std::string label = {};
  NumericPredicate predicate = {};
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

// A file without domains of its own means those of MMLU-Pro.
bool is_implied(const Leaf& leaf, const ConfigContext& context) {
  const auto& domains = mmlu_domains();
  return leaf.type == "domain" && !context.defines_domains &&
         std::binary_search(domains.begin(), domains.end(), canonical_domain(leaf.name));
}

SignalNames::Entry& imply_domain(const YamlNode& node, const Leaf& leaf, ConfigContext& context) {
  DomainRule rule{.name = leaf.name, .categories = {canonical_domain(leaf.name)}};
  rule.threshold = context.defaults.domain.value_or(rule.threshold);
  context.config.signals.domains.push_back(std::move(rule));
  return context.names.add("domain", leaf.name, node.where(), true);
}

SignalNames::Entry& resolve(const YamlNode& node, const Leaf& leaf, ConfigContext& context) {
  const std::string name = leaf.type == "classifier" ? leaf.name + ":" + leaf.label : leaf.name;
  SignalNames::Entry* entry = context.names.find(leaf.type, name);
  if (entry != nullptr) return *entry;
  if (is_implied(leaf, context)) return imply_domain(node, leaf, context);
  if (context.defines_signals || !context.notes.lenient()) fail_unresolved(node, leaf, context);
  context.notes.skip(node, "no signals are defined here: " + leaf.type + ":" + name + " is known to decide alone");
  return context.names.add(leaf.type, name, node.where(), false);
}

void use(SignalNames::Entry& entry, const YamlNode& leaf) {
  entry.used = true;
  if (entry.used_at.empty()) entry.used_at = leaf.where();
}

Rule bind(const YamlNode& node, Leaf leaf, ConfigContext& context) {
  const bool classifier = leaf.type == "classifier";
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

void check_type(const YamlNode& type) {
  const auto& types = signal_types();
  const std::string name = type.as_string();
  if (std::find(types.begin(), types.end(), name) != types.end()) return;
  type.fail("is \"" + name + "\", which is no type of signal" + base::suggestion(name, types));
}

Rule read_leaf(const YamlNode& node, ConfigContext& context) {
  Leaf leaf;
  leaf.type = node.required("type").as_string();
  check_type(node.required("type"));
  const bool classifier = leaf.type == "classifier";
  read_fields(node, context.notes, [&](Fields& fields) { describe(fields, leaf, classifier); });
  return bind(node, std::move(leaf), context);
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

// Depth first over the composers and scores that composers and scores need.
class Cycles {
 public:
  explicit Cycles(const RouterConfig& config) : config_(config) {}

  bool of_composer(size_t rule) {
    const ComplexityRule& complexity = config_.signals.complexity[rule];
    if (!complexity.composer) return false;
    return visit("complexity:" + complexity.name, [&] { return through(*complexity.composer); });
  }
  bool of_score(size_t rule) {
    const ScoreRule& score = config_.projections.scores[rule];
    return visit("score:" + score.name, [&] {
      return std::any_of(score.inputs.begin(), score.inputs.end(),
                         [&](const ScoreRule::Input& input) { return through(input.signal); });
    });
  }

 private:
  enum class State { kNew, kOpen, kDone };

  template <class Look>
  bool visit(const std::string& name, Look&& look) {
    State& state = states_[name];
    if (state != State::kNew) return state == State::kOpen;
    state = State::kOpen;
    const bool found = look();
    states_[name] = State::kDone;
    return found;
  }
  bool through(const Rule& node) {
    for (const Rule& child : node.children) {
      if (through(child)) return true;
    }
    return node.kind == Rule::Kind::kLeaf && through(node.leaf);
  }
  bool through(const SignalRef& leaf) {
    if (leaf.type == "complexity") {
      const std::string name = leaf.name.substr(0, leaf.name.rfind(':'));
      const auto& rules = config_.signals.complexity;
      for (size_t i = 0; i < rules.size(); ++i) {
        if (rules[i].name == name) return of_composer(i);
      }
    }
    if (leaf.type != "projection") return false;
    for (const MappingRule& mapping : config_.projections.mappings) {
      for (const MappingRule::Output& output : mapping.outputs) {
        if (output.name == leaf.name) return of_score(mapping.score);
      }
    }
    return false;
  }

  const RouterConfig& config_;
  std::map<std::string, State> states_;
};

}  // namespace

Rule read_rule(const YamlNode& node, ConfigContext& context) {
  const bool leaf = node.optional("type") || node.optional("name");
  return leaf ? read_leaf(node, context) : read_group(node, context);
}

Rule bind_signal(const YamlNode& node, ConfigContext& context) {
  check_type(node.required("type"));
  Leaf leaf{node.required("type").as_string(), node.required("name").as_string()};
  if (const auto label = node.optional("label")) leaf.label = label->as_string();
  return bind(node, std::move(leaf), context);
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
}

void check_cycles(const YamlNode& routing, const ConfigContext& context) {
  Cycles cycles(context.config);
  for (size_t i = 0; i < context.config.signals.complexity.size(); ++i) {
    if (!cycles.of_composer(i)) continue;
    const YamlNode rule = routing.required("signals").required("complexity").items()[i];
    rule.required("composer").fail("needs itself, by way of complexity signals and projections");
  }
  for (size_t i = 0; i < context.config.projections.scores.size(); ++i) {
    if (!cycles.of_score(i)) continue;
    routing.required("projections").required("scores").items()[i].fail("needs itself, by way of projections");
  }
}

}  // namespace vsr::routing
