// `global.model_catalog.kbs` of a config file: labels with example texts in a file of its own, and groups of labels.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace vsr::routing {

struct KnowledgeBase {
  // How much nearer a text is to the labels of one group than to those of another.
  struct Metric {
    std::string name;
    std::string positive_group = {};
    std::string negative_group = {};
  };
  std::string name;
  std::string where = {};     // "file:line:column"
  std::string manifest = {};  // the file of labels: {"labels": {NAME: {"description", "exemplars": []}}}
  double threshold = 0.5;     // that a label's score must reach
  std::map<std::string, double> label_thresholds = {};
  std::map<std::string, std::vector<std::string>> groups = {};  // labels by group
  std::vector<Metric> metrics = {};
};

}  // namespace vsr::routing
