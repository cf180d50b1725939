#include "engine/default_engine.h"

#include <mutex>

#include "base/error.h"
#include "base/snapshot.h"
#include "base/text_stream.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

struct Global {
  base::Snapshot<Engine> engine;
  std::mutex changing;  // held while an engine is opened, so that of racing callers one opens it and the rest wait
};

Global& global() {
  static auto* instance = new Global;  // never destroyed: a host may call from its own static destructors
  return *instance;
}

std::string summary(const EngineOptions& options) {
  base::TextStream out;
  out << '{';
  if (!options.config_path.empty()) out << "config " << options.config_path << ' ';
  for (const ModelOptions& model : options.models) {
    out << "model " << model.path;
    if (!model.name.empty()) out << " as " << model.name;
    if (model.dtype != "auto") out << ' ' << model.dtype;
    if (model.device != "auto") out << ' ' << model.device;
    out << ' ';
  }
  for (const AdapterOptions& adapter : options.adapters) {
    out << "adapter " << adapter.path;
    if (!adapter.name.empty()) out << " as " << adapter.name;
    if (!adapter.model.empty()) out << " of " << adapter.model;
    out << ' ';
  }
  out << "threads " << options.threads << '}';
  return out.str();
}

}  // namespace

void init_default(const EngineOptions& options) {
  Global& state = global();
  const std::lock_guard lock(state.changing);
  if (const auto open = state.engine.load()) {
    if (open->options() == options) return;
    fail(Status::kState, "the default engine is open with ", summary(open->options()), ", not with ", summary(options),
         " (hint: vsr_reload replaces it)");
  }
  state.engine.store(Engine::open(options));
}

void reload_default(const EngineOptions& options) {
  Global& state = global();
  const std::lock_guard lock(state.changing);
  if (!state.engine.load()) fail(Status::kState, "no default engine is open: call vsr_init first");
  state.engine.store(Engine::open(options));
}

void shutdown_default() {
  Global& state = global();
  const std::lock_guard lock(state.changing);
  state.engine.store(nullptr);
}

std::shared_ptr<const Engine> default_engine() {
  auto engine = global().engine.load();
  if (!engine) fail(Status::kState, "no default engine is open: call vsr_init first");
  return engine;
}

}  // namespace vsr::engine
