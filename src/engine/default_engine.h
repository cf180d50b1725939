// The process-wide default engine: opened once, read without locks, replaced in one step.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace vsr::engine {

// Opens the default engine, or throws kState when one is open with other options.
void init_default(const EngineOptions& options);
// Replaces it; throws kState when none is open.
void reload_default(const EngineOptions& options);
void shutdown_default();
// The default engine; throws kState when none is open. Lock-free.
std::shared_ptr<const Engine> default_engine();

}  // namespace vsr::engine
