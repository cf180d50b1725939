#include "engine.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "adapters.h"
#include "numbers.h"
#include "text.h"

namespace vsr_python {
namespace {

// One model's options and the strings that they point to.
class ModelOptions {
 public:
  ModelOptions(py::handle name, py::handle path, py::handle dtype, py::handle device)
      : name_(name, "name"), path_(path, "path"), dtype_(dtype, "dtype"), device_(device, "device") {
    options_.name = name_.get();
    options_.path = path_.get();
    options_.dtype = dtype_.get();
    options_.device = device_.get();
  }
  ModelOptions(const ModelOptions&) = delete;
  ModelOptions& operator=(const ModelOptions&) = delete;
  const vsr_model_options* get() const { return &options_; }

 private:
  CString name_;
  Path path_;
  CString dtype_;
  CString device_;
  vsr_model_options options_ = VSR_MODEL_OPTIONS_INIT;
};

class EngineOptions {
 public:
  // `models` is a list of (name or None, path, dtype, device), `adapters` one of (name, path, model or None). `limits`
  // has "threads", "max_queued_calls" and "max_queued_tokens".
  EngineOptions(py::handle config, const py::list& models, const py::list& adapters, const py::dict& limits)
      : adapters_(adapters) {
    if (!config.is_none()) config_.emplace_back(config, "config");
    for (const py::handle model : models) {
      const auto fields = py::reinterpret_borrow<py::tuple>(model);
      models_.emplace_back(fields[0], fields[1], fields[2], fields[3]);
      pointers_.push_back(models_.back().get());
    }
    options_.thread_count =
        static_cast<uint32_t>(std::min<uint64_t>(unsigned_number(limits["threads"], "threads"), UINT32_MAX));
    options_.max_queued_calls = unsigned_number(limits["max_queued_calls"], "max_queued_calls");
    options_.max_queued_tokens = unsigned_number(limits["max_queued_tokens"], "max_queued_tokens");
    options_.config_path = config_.empty() ? nullptr : config_.front().get();
    options_.models = pointers_.data();
    options_.model_count = pointers_.size();
    options_.adapters = adapters_.data();
    options_.adapter_count = adapters_.size();
  }
  EngineOptions(const EngineOptions&) = delete;
  EngineOptions& operator=(const EngineOptions&) = delete;
  const vsr_engine_options* get() const { return &options_; }

 private:
  std::vector<Path> config_;
  std::deque<ModelOptions> models_;  // whose addresses stay as it grows
  std::vector<const vsr_model_options*> pointers_;
  AdapterList adapters_;
  vsr_engine_options options_ = VSR_ENGINE_OPTIONS_INIT;
};

Engine load_model(py::object path, py::object name, py::object dtype, py::object device) {
  const ModelOptions options(name, path, dtype, device);
  vsr_engine* model = nullptr;
  call([&](vsr_error* error) { return vsr_engine_open_model(options.get()->path, options.get(), &model, error); });
  return Engine::adopt(model);
}

Engine open_engine(py::object config, py::list models, py::list adapters, py::dict limits) {
  const EngineOptions options(config, models, adapters, limits);
  vsr_engine* engine = nullptr;
  call([&](vsr_error* error) { return vsr_engine_open(options.get(), &engine, error); });
  return Engine::adopt(engine);
}

void init(py::object config, py::list models, py::list adapters, py::dict limits) {
  const EngineOptions options(config, models, adapters, limits);
  call([&](vsr_error* error) { return vsr_init(options.get(), error); });
}

void reload(py::object config, py::list models, py::list adapters, py::dict limits) {
  const EngineOptions options(config, models, adapters, limits);
  call([&](vsr_error* error) { return vsr_reload(options.get(), error); });
}

py::str describe(const Engine& engine) {
  const auto handle = engine.hold();
  vsr_string* json = nullptr;
  call([&](vsr_error* error) { return vsr_engine_describe(handle.get(), &json, error); });
  return take_string(json);
}

}  // namespace

py::str take_string(vsr_string* string) {
  const auto owner = owned(string, &vsr_string_free);
  return decoded(vsr_string_text(string));
}

void register_engine(py::module_& m) {
  py::class_<Engine>(m, "Engine")
      .def("close", &Engine::close)
      .def_property_readonly("closed", &Engine::closed)
      .def("describe", &describe);
  m.def("load_model", &load_model, py::arg("path"), py::arg("name"), py::arg("dtype"), py::arg("device"));
  m.def("open_engine", &open_engine, py::arg("config"), py::arg("models"), py::arg("adapters"), py::arg("limits"));
  m.def("init", &init, py::arg("config"), py::arg("models"), py::arg("adapters"), py::arg("limits"));
  m.def("reload", &reload, py::arg("config"), py::arg("models"), py::arg("adapters"), py::arg("limits"));
  m.def("shutdown", [] {
    const WithoutGil release;
    vsr_shutdown();
  });
  m.def("default_engine", &Engine::default_engine);
}

}  // namespace vsr_python
