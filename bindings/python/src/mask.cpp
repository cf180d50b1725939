// Masks, from Python to C.
#include <deque>
#include <memory>
#include <vector>

#include "engine.h"
#include "guard.h"
#include "mask.h"
#include "text.h"

namespace vsr_python {
namespace {

using Mask = MaskHandle;

Mask create(py::object engine, py::object key, py::object tenant, py::object pii_task, float threshold,
            const py::list& types, bool fail_on_unknown) {
  const auto handle = engine.is_none() ? nullptr : engine.cast<const Engine&>().hold();
  const Text held_key(key, "key"), held_tenant(tenant, "tenant");
  const CString held_task(pii_task, "pii_task");
  std::deque<CString> held_types;
  std::vector<const char*> names;
  for (const auto& type : types) {
    held_types.emplace_back(py::reinterpret_borrow<py::object>(type), "type");
    names.push_back(held_types.back().get());
  }
  vsr_mask_options options = VSR_MASK_OPTIONS_INIT;
  options.fail_on_unknown = fail_on_unknown ? 1 : 0;
  options.key = held_key.view();
  options.tenant = held_tenant.view();
  options.pii_task = held_task.get();
  options.threshold = threshold;
  options.types = names.data();
  options.type_count = names.size();
  vsr_mask* mask = nullptr;
  call([&](vsr_error* error) { return vsr_mask_create(handle.get(), &options, &mask, error); });
  return Mask(mask);
}

py::str restore(const Mask& mask, py::object text) {
  const auto handle = mask.hold();
  const Text held(text, "text");
  vsr_string* out = nullptr;
  call([&](vsr_error* error) { return vsr_mask_restore(handle.get(), held.view(), &out, error); });
  return take_string(out);
}

template <class Make>
py::str masked(const Mask& mask, const py::object& text, const char* name, Make make) {
  const auto handle = mask.hold();
  const Text held(text, name);
  vsr_string* out = nullptr;
  call([&](vsr_error* error) { return make(handle.get(), held.view(), 0, nullptr, &out, error); });
  return take_string(out);
}

Guard stream(const Mask& mask, int32_t format) {
  const auto handle = mask.hold();
  vsr_guard* guard = nullptr;
  call([&](vsr_error* error) { return vsr_mask_stream(handle.get(), format, &guard, error); });
  return Guard(guard);
}

py::str describe(const Mask& mask) {
  const auto handle = mask.hold();
  vsr_string* json = nullptr;
  call([&](vsr_error* error) { return vsr_mask_describe(handle.get(), &json, error); });
  return take_string(json);
}

}  // namespace

void register_mask(py::module_& m) {
  py::class_<Mask>(m, "Mask")
      .def(
          "text", [](const Mask& mask, py::object text) { return masked(mask, text, "text", vsr_mask_text); },
          py::arg("text"))
      .def(
          "request",
          [](const Mask& mask, py::object request) { return masked(mask, request, "request", vsr_mask_request); },
          py::arg("request"))
      .def("restore", &restore, py::arg("text"))
      .def("stream", &stream, py::arg("format"))
      .def("describe", &describe);
  m.def("create_mask", &create, py::arg("engine"), py::arg("key"), py::arg("tenant"), py::arg("pii_task"),
        py::arg("threshold"), py::arg("types"), py::arg("fail_on_unknown"));
}

}  // namespace vsr_python
