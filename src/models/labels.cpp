#include "models/labels.h"

namespace vsr::models {

using base::JsonObject;

std::vector<std::string> label_names(const JsonObject& id2label) {
  const auto by_id = id2label.as<std::map<std::string, std::string>>();
  std::vector<std::string> names;
  for (size_t i = 0; i < by_id.size(); ++i) {
    const auto found = by_id.find(std::to_string(i));
    if (found == by_id.end()) {
      id2label.fail("has " + std::to_string(by_id.size()) + " labels, but none for id " + std::to_string(i));
    }
    names.push_back(found->second);
  }
  if (names.empty()) id2label.fail("is empty");
  return names;
}

std::vector<std::string> numbered_labels(int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back("LABEL_" + std::to_string(i));
  return names;
}

bool is_multi_label(const JsonObject& config, size_t labels) {
  return labels == 1 || config.optional<std::string>("problem_type", "") == "multi_label_classification";
}

Labels read_labels(const JsonObject& config) {
  Labels labels;
  if (config.contains("id2label")) {
    labels.names = label_names(config.required<JsonObject>("id2label"));
  } else {
    constexpr int64_t kMaxLabels = 1'000'000;
    const auto count = config.optional<int64_t>("num_labels", 2);
    if (count < 1 || count > kMaxLabels) config.at("num_labels").fail("is out of range");
    labels.names = numbered_labels(count);
  }
  labels.multi_label = is_multi_label(config, labels.names.size());
  return labels;
}

}  // namespace vsr::models
