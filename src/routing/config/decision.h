// A decision of a config file: its rule, the models that its requests may go to, its plugins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/algorithm.h"
#include "routing/config/plugins.h"
#include "routing/config/rule.h"

namespace vsr::routing {

struct ModelRef {
  std::string model;
  std::string lora_name = {};
  double weight = 1;
  bool use_reasoning = false;
  std::optional<std::string> reasoning_effort = std::nullopt;
};

struct Decision {
  std::string name;
  std::string description = {};
  std::string where = {};  // "file:line:column"
  double priority = 0;
  int64_t tier = 0;
  Rule rules = {};
  std::vector<ModelRef> models = {};
  Algorithm algorithm = {};
  std::string gateway = {};  // JSON: what of the decision the gateway does; empty: nothing
  std::string plan = {};     // JSON for the gateway (docs/routing.md, Plans); empty: one call to the model
  Plugins plugins = {};
};

}  // namespace vsr::routing
