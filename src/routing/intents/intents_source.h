// Intents as people write them: a YAML file, or a CSV of texts and labels. See docs/intents.md. Nothing is skipped:
// what is not understood is kParse, with the file and the line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/intents/intents_state.h"

namespace vsr::routing {

struct IntentSource {
  std::string label;
  std::optional<float> threshold = std::nullopt;
  std::vector<std::string> examples = {};  // none that the file has elsewhere
};

// What the file does not say is absent.
struct IntentsSource {
  std::optional<NeighbourRule> rule = std::nullopt;
  std::optional<size_t> top_k = std::nullopt;
  std::optional<float> threshold = std::nullopt;
  std::vector<IntentSource> intents = {};  // at least one, each with examples
};

// By the name's end: .yaml, .yml or .csv; kInvalidArgument for another.
IntentsSource read_intents_source(const std::string& path);

// Messages name `path`.
IntentsSource parse_intents_yaml(std::string_view text, const std::string& path);
IntentsSource parse_intents_csv(std::string_view text, const std::string& path);

}  // namespace vsr::routing
