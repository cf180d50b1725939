#include "routing/config/reader/config_projections.h"

#include <algorithm>
#include <set>

#include "base/suggestion.h"
#include "routing/config/reader/config_rules.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using Source = ScoreRule::Source;

constexpr double kMostWeight = 1e9;

void describe_input(Fields& fields, ScoreRule::Input& input) {
  static constexpr Choice<Source> kSources[] = {{"", Source::kBinary},
                                                {"binary", Source::kBinary},
                                                {"confidence", Source::kConfidence},
                                                {"score", Source::kValue},
                                                {"raw", Source::kValue}};
  std::string name, label, kb, metric;
  fields.text("type", input.signal.type, Presence::kRequired);
  fields.text("name", name);
  fields.text("label", label);
  fields.text("kb", kb);
  fields.text("metric", metric);
  fields.number("weight", input.weight, {-kMostWeight, kMostWeight}, Presence::kRequired);
  fields.choice("value_source", input.source, kSources);
  fields.number("match", input.match, {-kMostWeight, kMostWeight});
  fields.number("miss", input.miss, {-kMostWeight, kMostWeight});
}

void describe_output(Fields& fields, MappingRule::Output& output) {
  fields.named(output.name);
  describe_predicate(fields, output.band);
}

void check_twice(const YamlNode& node, const std::string& name, std::set<std::string>& seen) {
  if (!seen.insert(name).second) node.required("name").fail("is \"" + name + "\", which is given twice");
}

// Numbers that a knowledge base gives scores alone.
SignalRef read_metric(const YamlNode& node, ConfigContext& context) {
  const YamlNode kb = node.required("kb");
  const YamlNode metric = node.required("metric");
  const auto& bases = context.config.knowledge_bases;
  const auto base =
      std::find_if(bases.begin(), bases.end(), [&](const KnowledgeBase& each) { return each.name == kb.as_string(); });
  if (base == bases.end()) kb.fail("is \"" + kb.as_string() + "\", which global.model_catalog.kbs does not define");
  std::vector<std::string_view> known = {"best_score", "best_matched_score"};
  for (const KnowledgeBase::Metric& each : base->metrics) known.push_back(each.name);
  const std::string name = metric.as_string();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    metric.fail("is \"" + name + "\", which is no metric of \"" + base->name + "\"" + base::suggestion(name, known));
  }
  const SignalRef ref{"kb_metric", base->name + ":" + name};
  context.names.add(ref.type, ref.name, node.where(), true).used = true;
  return ref;
}

// What scores read: each with its signal. Whether all of them run, and whether one guards.
struct InputState {
  bool runs = true;
  bool guards = false;
};

InputState read_input(const YamlNode& node, ScoreRule::Input& input, ConfigContext& context) {
  if (input.signal.type == "kb_metric") {
    input.signal = read_metric(node, context);
    if (!node.optional("value_source")) input.source = Source::kValue;
    return {};
  }
  for (const char* key : {"kb", "metric"}) {
    if (const auto given = node.optional(key)) given->fail("belongs to inputs of the type kb_metric alone");
  }
  node.required("name");
  input.signal = bind_signal(node, context).leaf;
  const SignalNames::Entry* entry = context.names.find(input.signal.type, input.signal.name);
  return {entry->runs, entry->guards};
}

void read_score(const YamlNode& node, ConfigContext& context, std::vector<InputState>& states) {
  ScoreRule score;
  read_fields(node, context.notes, [&](Fields& fields) { describe_score(fields, score); });
  InputState state;
  const std::vector<YamlNode> inputs = node.required("inputs").items();
  check_length(node.required("inputs"), kMostAliases);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputState input = read_input(inputs[i], score.inputs[i], context);
    state = {state.runs && input.runs, state.guards || input.guards};
  }
  states.push_back(state);
  context.config.projections.scores.push_back(std::move(score));
}

void read_partition(const YamlNode& node, ConfigContext& context, std::set<std::string>& owned) {
  PartitionRule rule;
  read_fields(node, context.notes, [&](Fields& fields) { describe_partition(fields, rule); });
  const std::vector<YamlNode> members = node.required("members").items();
  if (members.size() < 2) node.required("members").fail("has fewer than two members");
  const std::string fallback = node.required("default").as_string();
  bool found = false;
  for (const char* type : {"domain", "embedding"}) {
    const auto is_defined = [&](const YamlNode& each) { return context.names.find(type, each.as_string()) != nullptr; };
    if (rule.type.empty() && std::all_of(members.begin(), members.end(), is_defined)) rule.type = type;
  }
  for (const YamlNode& member : members) {
    const std::string name = member.as_string();
    if (rule.type.empty()) {
      member.fail("is \"" + name + "\": the members of a partition are all domains or all embeddings of this file");
    }
    SignalNames::Entry& entry = *context.names.find(rule.type, name);
    if (!owned.insert(entry.ref.key()).second) member.fail("is \"" + name + "\", which is in a partition already");
    entry.used = true;
    if (name == fallback) rule.fallback = rule.members.size();
    found = found || name == fallback;
    rule.members.push_back(entry.ref);
  }
  if (!found) node.required("default").fail("is \"" + fallback + "\", which is none of the members");
  context.config.projections.partitions.push_back(std::move(rule));
}

void read_mapping(const YamlNode& node, ConfigContext& context, const std::vector<InputState>& states) {
  MappingRule rule;
  read_fields(node, context.notes, [&](Fields& fields) { describe_mapping(fields, rule); });
  const auto& scores = context.config.projections.scores;
  const YamlNode source = node.required("source");
  const auto score = std::find_if(scores.begin(), scores.end(),
                                  [&](const ScoreRule& each) { return each.name == source.as_string(); });
  if (score == scores.end()) {
    std::vector<std::string_view> known;
    for (const ScoreRule& each : scores) known.push_back(each.name);
    source.fail("is \"" + source.as_string() + "\", which is no score of this file" +
                base::suggestion(source.as_string(), known));
  }
  rule.score = static_cast<size_t>(score - scores.begin());
  for (const YamlNode& output : node.required("outputs").items()) {
    SignalNames::Entry& entry = *context.names.find("projection", output.required("name").as_string());
    entry.runs = states[rule.score].runs;
    entry.guards = states[rule.score].guards;
  }
  context.config.projections.mappings.push_back(std::move(rule));
}

}  // namespace

void describe_partition(Fields& fields, PartitionRule& rule) {
  static constexpr Choice<bool> kSemantics[] = {{"exclusive", false}, {"softmax_exclusive", true}};
  std::vector<std::string> members;
  std::string fallback;
  fields.named(rule.name);
  fields.choice("semantics", rule.softmax, kSemantics, Presence::kRequired);
  fields.number("temperature", rule.temperature, {1e-6, 1e6});
  fields.texts("members", members, Presence::kRequired);
  fields.text("default", fallback, Presence::kRequired);
}

void describe_score(Fields& fields, ScoreRule& rule) {
  static constexpr Choice<int> kMethods[] = {{"", 0}, {"weighted_sum", 0}};
  int method = 0;
  fields.named(rule.name);
  fields.choice("method", method, kMethods);
  fields.objects<ScoreRule::Input>("inputs", rule.inputs, describe_input, Presence::kRequired);
}

void describe_mapping(Fields& fields, MappingRule& rule) {
  static constexpr Choice<bool> kMethods[] = {{"", false}, {"threshold_bands", false}, {"multi_emit", true}};
  static constexpr Choice<int> kCalibrations[] = {{"", 0}, {"sigmoid_distance", 0}};
  std::string source;
  int calibration = 0;
  fields.named(rule.name);
  fields.text("source", source, Presence::kRequired);
  fields.choice("method", rule.all, kMethods);
  fields.object("calibration", [&](Fields& each) {
    each.choice("method", calibration, kCalibrations);
    each.number("slope", rule.slope, {0, 1e6});
  });
  fields.objects<MappingRule::Output>("outputs", rule.outputs, describe_output, Presence::kRequired);
}

void declare_projections(const YamlNode& projections, ConfigContext& context) {
  const auto mappings = projections.optional("mappings");
  if (!mappings) return;
  check_length(*mappings, kMostAliases);
  for (const YamlNode& mapping : mappings->items()) {
    const YamlNode outputs = mapping.required("outputs");
    check_length(outputs, kMostAliases);
    for (const YamlNode& output : outputs.items()) {
      const YamlNode name = output.required("name");
      if (context.names.find("projection", name.as_string()) != nullptr) {
        name.fail("is \"" + name.as_string() + "\", which is given twice");
      }
      context.names.add("projection", name.as_string(), output.where(), true);
    }
  }
}

void read_projections(const YamlNode& projections, ConfigContext& context) {
  projections.allow_keys({"partitions", "scores", "mappings"});
  std::set<std::string> names, owned;
  if (const auto partitions = projections.optional("partitions")) {
    check_length(*partitions, kMostAliases);
    for (const YamlNode& node : partitions->items()) {
      read_partition(node, context, owned);
      check_twice(node, context.config.projections.partitions.back().name, names);
    }
  }
  std::vector<InputState> states;
  names.clear();
  if (const auto scores = projections.optional("scores")) {
    check_length(*scores, kMostAliases);
    for (const YamlNode& node : scores->items()) {
      read_score(node, context, states);
      check_twice(node, context.config.projections.scores.back().name, names);
    }
  }
  names.clear();
  if (const auto mappings = projections.optional("mappings")) {
    for (const YamlNode& node : mappings->items()) {
      read_mapping(node, context, states);
      check_twice(node, context.config.projections.mappings.back().name, names);
    }
  }
}

}  // namespace vsr::routing
