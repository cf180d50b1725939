// Why a request went where it went, as JSON. The form: include/vsr/router.h, vsr_decision_explanation().
#pragma once

#include <string>
#include <vector>

#include "routing/route_pass.h"
#include "routing/routed.h"

namespace vsr::routing {

// What some safety signals read.
struct SafetyReading {
  struct Text {
    std::string path;
    size_t bytes;
  };
  TextScope scope;
  std::vector<std::string> signals = {};
  std::vector<Text> texts = {};
};

struct ExplanationParts {
  const Routed& routed;
  const std::vector<std::string>& notes;
  std::vector<SafetyReading> read = {};
  int64_t tokens = 0;
  bool tokens_estimated = false;
  size_t model_passes = 0;
  double milliseconds = 0;  // of the whole call
};

std::string explain(Evaluation& evaluation, const RouterConfig& config, const ExplanationParts& parts);

}  // namespace vsr::routing
