// What a router is opened with.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "inference/inference.h"
#include "routing/config/completion.h"
#include "routing/request_mask.h"

namespace vsr::routing {

struct RouterOptions {
  bool lenient = false;
  bool validate_models = false;
  std::shared_ptr<const inference::Inference> inference;
  base::LogSink log = {};
  Completion complete = {};        // empty: no language model can be asked
  MakeRequestMask make_mask = {};  // empty: no config with a mask can be opened
  // Which models answer, in any words: answers are not shared with a router of the same config and other models.
  std::string models = {};
};

}  // namespace vsr::routing
