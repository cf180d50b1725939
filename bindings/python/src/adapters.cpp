#include "adapters.h"

#include "engine.h"

namespace vsr_python {
namespace {

void load_adapter(const Engine& engine, py::object name, py::object path, py::object model, bool replace) {
  const auto handle = engine.hold();
  const AdapterOptions options(name, path, model);
  call([&](vsr_error* error) { return vsr_engine_load_adapter(handle.get(), options.get(), replace ? 1 : 0, error); });
}

void unload_adapter(const Engine& engine, py::object name) {
  const auto handle = engine.hold();
  const CString held(name, "name");
  call([&](vsr_error* error) { return vsr_engine_unload_adapter(handle.get(), held.get(), error); });
}

void merge_adapter(const Engine& engine, py::object path, py::object output, py::object model) {
  const auto handle = engine.hold();
  const AdapterOptions options(py::none(), path, model);
  const Path held(output, "output");
  call([&](vsr_error* error) { return vsr_engine_merge_adapter(handle.get(), options.get(), held.get(), error); });
}

}  // namespace

AdapterOptions::AdapterOptions(py::handle name, py::handle path, py::handle model)
    : name_(name, "name"), path_(path, "path"), model_(model, "model") {
  options_.name = name_.get();
  options_.path = path_.get();
  options_.model = model_.get();
}

AdapterList::AdapterList(const py::list& adapters) {
  for (const py::handle adapter : adapters) {
    const auto fields = py::reinterpret_borrow<py::tuple>(adapter);
    adapters_.emplace_back(fields[0], fields[1], fields[2]);
    pointers_.push_back(adapters_.back().get());
  }
}

void register_adapters(py::module_& m) {
  m.def("load_adapter", &load_adapter, py::arg("engine"), py::arg("name"), py::arg("path"), py::arg("model"),
        py::arg("replace"));
  m.def("merge_adapter", &merge_adapter, py::arg("engine"), py::arg("path"), py::arg("output"), py::arg("model"));
  m.def("unload_adapter", &unload_adapter, py::arg("engine"), py::arg("name"));
}

}  // namespace vsr_python
