#include "routing/signals/knowledge.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/suggestion.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::json;
using base::fail;
using base::Status;

constexpr size_t kMostExamples = 100'000;

[[noreturn]] void refuse(const KnowledgeBase& base, const std::string& what) {
  fail(Status::kParse, base.where, ": knowledge base \"", base.name, "\": ", base.manifest, ": ", what);
}

Json read_manifest(const KnowledgeBase& base) {
  try {
    const base::FileContents file(base.manifest);
    Json json = Json::parse(file.text(), nullptr, false);
    if (json.is_discarded()) refuse(base, "is not JSON");
    return json;
  } catch (const base::Error& error) {
    if (error.status() == Status::kParse) throw;
    fail(error.status(), base.where, ": knowledge base \"", base.name, "\": ", error.what());
  }
}

std::vector<std::string> examples_of(const KnowledgeBase& base, const std::string& label, const Json& value) {
  std::vector<std::string> examples;
  const auto list = value.find("exemplars");
  if (list == value.end() || !list->is_array()) refuse(base, "label \"" + label + "\" has no list \"exemplars\"");
  for (const Json& example : *list) {
    if (!example.is_string()) refuse(base, "label \"" + label + "\" has an exemplar that is no string");
    examples.push_back(example.get<std::string>());
  }
  if (const auto text = value.find("description"); text != value.end() && text->is_string()) {
    examples.push_back(text->get<std::string>());
  }
  std::erase(examples, "");
  if (examples.empty()) refuse(base, "label \"" + label + "\" has no exemplars");
  return examples;
}

std::string best_of(const std::map<std::string, double>& scores) {
  const auto best =
      std::max_element(scores.begin(), scores.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return best == scores.end() ? "" : best->first;
}

}  // namespace

Knowledge::Knowledge(const KnowledgeBase& base, CandidateBank& bank) : base_(base) {
  const Json manifest = read_manifest(base);
  const auto labels = manifest.is_object() ? manifest.find("labels") : manifest.end();
  if (!manifest.is_object() || labels == manifest.end() || !labels->is_object()) refuse(base, "has no map \"labels\"");
  size_t all = 0;
  for (const auto& [label, value] : labels->items()) {
    if (!value.is_object()) refuse(base, "label \"" + label + "\" is no map");
    examples_[label] = bank.add(examples_of(base, label, value));
    all += examples_[label].size();
    if (all > kMostExamples) refuse(base, "has more than 100000 exemplars");
  }
  std::vector<std::string_view> known;
  for (const auto& [label, examples] : examples_) known.push_back(label);
  const auto check = [&](const std::string& label) {
    if (!has_label(label)) refuse(base, "has no label \"" + label + "\"" + base::suggestion(label, known));
  };
  for (const auto& [label, threshold] : base.label_thresholds) check(label);
  for (const auto& [group, members] : base.groups) std::for_each(members.begin(), members.end(), check);
}

Knowledge::Scores Knowledge::scores(const std::vector<float>& similarities) const {
  Scores scores;
  for (const auto& [label, examples] : examples_) {
    double best = -1;
    for (const uint32_t example : examples) best = std::max(best, static_cast<double>(similarities[example]));
    scores.labels[label] = best;
  }
  for (const auto& [group, labels] : base_.groups) {
    double best = -1;
    for (const std::string& label : labels) best = std::max(best, scores.labels.at(label));
    scores.groups[group] = best;
  }
  scores.best_label = best_of(scores.labels);
  scores.best_group = best_of(scores.groups);
  return scores;
}

double Knowledge::threshold_of(const std::string& label) const {
  const auto own = base_.label_thresholds.find(label);
  return own == base_.label_thresholds.end() ? base_.threshold : own->second;
}

std::vector<std::string> Knowledge::reached(const Scores& scores, const std::string& group) const {
  std::vector<std::string> reached;
  for (const std::string& label : base_.groups.at(group)) {
    if (scores.labels.at(label) >= threshold_of(label)) reached.push_back(label);
  }
  return reached;
}

double Knowledge::metric(const Scores& scores, const std::string& name) const {
  for (const KnowledgeBase::Metric& metric : base_.metrics) {
    if (metric.name == name) return scores.groups.at(metric.positive_group) - scores.groups.at(metric.negative_group);
  }
  double best = 0;
  bool any = false;
  for (const auto& [label, score] : scores.labels) {
    if (name == "best_matched_score" && score < threshold_of(label)) continue;
    best = any ? std::max(best, score) : score;
    any = true;
  }
  return best;
}

}  // namespace vsr::routing
