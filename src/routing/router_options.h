// What a router is opened with.
#pragma once

#include <memory>

#include "base/log.h"
#include "inference/inference.h"

namespace vsr::routing {

struct RouterOptions {
  bool lenient = false;
  bool validate_models = false;
  std::shared_ptr<const inference::Inference> inference;
  base::LogSink log = {};
};

}  // namespace vsr::routing
