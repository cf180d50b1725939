// The snapshot of a router's cache: whatever it holds, the router works.
#pragma once

#include <string>

#include "base/log.h"
#include "routing/cache/semantic_cache.h"

namespace vsr::routing {

// Adds the entries of the file to the cache; one that is absent is none. A file that does not fit (damaged, of another
// version, of another embedding model) is renamed to "<path>.bad", or "<path>.bad.1" and so on where that is taken, and
// the log says so. Returns whether the cache may be saved under `path`: not over a file that can neither be read nor
// renamed.
bool load_snapshot(SemanticCache& cache, const std::string& path, const base::LogSink& log);

}  // namespace vsr::routing
