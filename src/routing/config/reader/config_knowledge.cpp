#include "routing/config/reader/config_knowledge.h"

#include <filesystem>
#include <set>

namespace vsr::routing {
namespace {

namespace fs = std::filesystem;
using base::YamlNode;

void read_groups(const YamlNode& node, KnowledgeBase& base) {
  for (const auto& [group, labels] : node.entries()) {
    std::vector<std::string>& members = base.groups[group];
    for (const YamlNode& label : labels.items()) members.push_back(label.as_string());
    if (members.empty()) labels.fail("is empty");
  }
}

void read_thresholds(const YamlNode& node, KnowledgeBase& base) {
  for (const auto& [label, threshold] : node.entries()) base.label_thresholds[label] = threshold.as_number();
}

void describe_metric(Fields& fields, KnowledgeBase::Metric& metric) {
  static constexpr Choice<int> kTypes[] = {{"group_margin", 0}};
  int type = 0;
  fields.text("name", metric.name, Presence::kRequired);
  fields.choice("type", type, kTypes, Presence::kRequired);
  fields.text("positive_group", metric.positive_group, Presence::kRequired);
  fields.text("negative_group", metric.negative_group, Presence::kRequired);
}

void read_base(const YamlNode& node, KnowledgeBase& base, ConfigContext& context) {
  std::string folder;
  std::string manifest = "labels.json";
  read_fields(node, context.notes, [&](Fields& fields) {
    fields.named(base.name);
    fields.object(
        "source",
        [&](Fields& source) {
          source.text("path", folder, Presence::kRequired);
          source.text("manifest", manifest);
        },
        Presence::kRequired);
    fields.number("threshold", base.threshold, {-1, 1});
    fields.custom("label_thresholds", "", [&](const YamlNode& thresholds) { read_thresholds(thresholds, base); });
    fields.custom("groups", "", [&](const YamlNode& groups) { read_groups(groups, base); });
    fields.objects<KnowledgeBase::Metric>("metrics", base.metrics, describe_metric);
    fields.replaced("prototype_scoring", "the nearest exemplar counts");
  });
  for (const KnowledgeBase::Metric& metric : base.metrics) {
    for (const std::string& group : {metric.positive_group, metric.negative_group}) {
      if (base.groups.count(group) == 0) node.required("metrics").fail("names \"" + group + "\", which is no group");
    }
  }
  base.where = node.where();
  base.manifest = (fs::path(context.config.path).parent_path() / folder / manifest).lexically_normal().string();
}

}  // namespace

void read_knowledge_bases(const YamlNode& list, ConfigContext& context) {
  check_length(list, kMostAliases);
  std::set<std::string> seen;
  for (const YamlNode& node : list.items()) {
    KnowledgeBase base;
    read_base(node, base, context);
    if (!seen.insert(base.name).second) node.required("name").fail("is \"" + base.name + "\", which is given twice");
    context.config.knowledge_bases.push_back(std::move(base));
  }
}

void read_modality_detector(const YamlNode& node, ConfigContext& context) {
  enum class Method { kWords, kClassifier, kHybrid };
  static constexpr Choice<Method> kMethods[] = {
      {"keyword", Method::kWords}, {"classifier", Method::kClassifier}, {"hybrid", Method::kHybrid}};
  ModalityConfig& modality = context.config.modality;
  Method method = Method::kWords;
  read_fields(node, context.notes, [&](Fields& fields) {
    fields.enabled();
    fields.choice("method", method, kMethods);
    fields.texts("prompt_prefixes", modality.prefixes);
    fields.texts("keywords", modality.keywords);
    fields.texts("both_keywords", modality.both_keywords);
    fields.number("confidence_threshold", modality.threshold, kUnit);
    fields.replaced("lower_threshold_ratio", "words answer where the task is not sure enough");
    fields.replaced("classifier", "vsr.models and vsr.signal_tasks.modality name what answers");
  });
  modality.given = true;
  modality.by_words = method != Method::kClassifier;
  modality.classifier = method == Method::kClassifier;
}

}  // namespace vsr::routing
