// What signals need of models for one request.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/signal_similarity.h"

namespace vsr::routing {

// Texts of a request by number; equal texts have one number.
using TextId = size_t;

// What a step needs of models, asked for together so that it is one embedding call and one pass.
struct ModelNeeds {
  std::vector<TextId> embeddings = {};
  std::map<std::string, std::vector<TextId>> answers = {};  // by task
  // Of these signals the largest margin of any piece of what their scope means.
  std::map<TextScope, std::set<const ContrastiveSignal*>> margins = {};
};

}  // namespace vsr::routing
