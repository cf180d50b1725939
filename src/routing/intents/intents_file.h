// The file of a set of intents: options, labels, examples and their vectors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "routing/intents/intents_state.h"

namespace vsr::routing {

struct SavedIntents {
  IntentsOptions options;
  std::string fingerprint;  // of the embedder
  IntentsState state;
};

std::string write_intents(const SavedIntents& saved);

// Messages name `path`. Throws kParse, kUnsupported (a later version), or kInvalidArgument when another embedder
// than that of `fingerprint` and `dim` made the vectors.
SavedIntents read_intents(std::string_view bytes, const std::string& path, const std::string& fingerprint, size_t dim);

}  // namespace vsr::routing
