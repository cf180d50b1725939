// Intents as people write them: a YAML file, or a CSV of texts and labels. See docs/intents.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vsr::cli {

struct IntentExamples {
  std::string label;
  std::optional<float> threshold;
  std::vector<std::string> examples;
};

struct IntentsFile {
  std::optional<std::string> rule;
  std::optional<int> top_k;
  std::optional<float> threshold;
  std::vector<IntentExamples> intents;
};

// By the name's end: .yaml, .yml or .csv. Errors name file, line and column.
IntentsFile read_intents_file(const std::string& path);

IntentsFile parse_intents_yaml(const std::string& bytes, const std::string& path);
IntentsFile parse_intents_csv(const std::string& bytes, const std::string& path);

}  // namespace vsr::cli
