// vsr/engine.h: opening, freeing and describing engines, and the process-wide default one.
#include "vsr/engine.h"

#include "c_api/adapters.h"
#include "c_api/boundary.h"
#include "c_api/handles.h"

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_options;
using vsr::engine::Engine;
using vsr::engine::EngineOptions;
using vsr::engine::ModelOptions;

constexpr uint32_t kMaxThreads = 4096;

std::string string_or(const char* value, const char* otherwise) { return value == nullptr ? otherwise : value; }

// Messages call the struct `name`. The path is the caller's to set.
ModelOptions read_model(const vsr_model_options* given, const std::string& name) {
  const vsr_model_options options = read_options(given, name.c_str());
  vsr::c_api::check_reserved(options.reserved, name + ".reserved");
  ModelOptions model;
  model.name = optional_string(options.name);
  model.path = optional_string(options.path);
  model.dtype = string_or(options.dtype, "auto");
  model.device = string_or(options.device, "auto");
  return model;
}

EngineOptions read_engine(const vsr_engine_options* given) {
  const vsr_engine_options options = read_options(given, "vsr_engine_options");
  if (options.thread_count > kMaxThreads) {
    fail(Status::kInvalidArgument, "thread_count is ", options.thread_count, ", the most is ", kMaxThreads);
  }
  vsr::c_api::check_array(options.models, options.model_count, "models", "model_count");
  vsr::c_api::check_array(options.adapters, options.adapter_count, "adapters", "adapter_count");
  EngineOptions engine;
  engine.config_path = optional_string(options.config_path);
  engine.threads = static_cast<int>(options.thread_count);
  engine.queue = {options.max_queued_calls, options.max_queued_tokens};
  for (size_t i = 0; i < options.model_count; ++i) {
    const std::string name = "models[" + std::to_string(i) + "]";
    const vsr_model_options& model = vsr::c_api::require(options.models[i], name.c_str());
    engine.models.push_back(read_model(&model, name));
    if (engine.models.back().path.empty()) fail(Status::kInvalidArgument, name, ".path is NULL or empty");
  }
  for (size_t i = 0; i < options.adapter_count; ++i) {
    const std::string name = "adapters[" + std::to_string(i) + "]";
    const vsr_adapter_options& adapter = vsr::c_api::require(options.adapters[i], name.c_str());
    engine.adapters.push_back(vsr::c_api::read_adapter(&adapter, name));
  }
  return engine;
}

}  // namespace

vsr_status vsr_engine_open(const vsr_engine_options* options, vsr_engine** out_engine, vsr_error* error) {
  return guard_new(out_engine, "out_engine", error, [&] { return Engine::open(read_engine(options)); });
}

vsr_status vsr_engine_open_model(const char* path, const vsr_model_options* options, vsr_engine** out_engine,
                                 vsr_error* error) {
  return guard_new(out_engine, "out_engine", error, [&] {
    EngineOptions engine;
    engine.models.push_back(read_model(options, "vsr_model_options"));
    engine.models.back().path = vsr::c_api::required_string(path, "path");
    return Engine::open(engine);
  });
}

void vsr_engine_free(vsr_engine* engine) { vsr::c_api::free_handle(engine); }

vsr_status vsr_init(const vsr_engine_options* options, vsr_error* error) {
  return guard(error, [&] { vsr::engine::init_default(read_engine(options)); });
}

vsr_status vsr_reload(const vsr_engine_options* options, vsr_error* error) {
  return guard(error, [&] { vsr::engine::reload_default(read_engine(options)); });
}

void vsr_shutdown(void) {
  guard(nullptr, [] { vsr::engine::shutdown_default(); });
}

vsr_status vsr_engine_describe(const vsr_engine* engine, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return vsr::c_api::engine_of(engine)->describe(); });
}
