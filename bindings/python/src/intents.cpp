#include <memory>
#include <string>

#include "engine.h"
#include "options.h"
#include "text.h"

namespace vsr_python {
namespace {

class Intents {
 public:
  explicit Intents(vsr_intents* intents) : handle_(owned(intents, &vsr_intents_free)) {}
  std::shared_ptr<vsr_intents> hold() const { return handle_; }

 private:
  std::shared_ptr<vsr_intents> handle_;
};

Intents create(const Engine& engine, const py::dict& given) {
  const auto handle = engine.hold();
  const IntentsOptions options(given);
  vsr_intents* intents = nullptr;
  call([&](vsr_error* error) { return vsr_intents_create(handle.get(), options.get(), &intents, error); });
  return Intents(intents);
}

Intents load(const Engine& engine, py::object path, py::object task) {
  const auto handle = engine.hold();
  const Path held_path(path, "path");
  const CString held_task(task, "task");
  vsr_intents* intents = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_load(handle.get(), held_path.get(), held_task.get(), &intents, error);
  });
  return Intents(intents);
}

// `rule`, `top_k` and `threshold` may be None: then the file's count.
Intents read_file(const Engine& engine, py::object path, const py::dict& given) {
  const auto handle = engine.hold();
  const Path held_path(path, "path");
  const IntentsReadFileOptions options(given);
  vsr_intents* intents = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_read_file(handle.get(), held_path.get(), options.get(), &intents, error);
  });
  return Intents(intents);
}

void add(const Intents& intents, py::object label, py::object examples, const py::dict& given) {
  const auto handle = intents.hold();
  const CString name(label, "label");
  const TextBatch batch(examples, "examples");
  const IntentsAddOptions options(given);
  call([&](vsr_error* error) {
    return vsr_intents_add(handle.get(), name.get(), batch.data(), batch.size(), options.get(), error);
  });
}

void remove(const Intents& intents, py::object label) {
  const auto handle = intents.hold();
  const CString name(label, "label");
  call([&](vsr_error* error) { return vsr_intents_remove(handle.get(), name.get(), error); });
}

void save(const Intents& intents, py::object path) {
  const auto handle = intents.hold();
  const Path held(path, "path");
  call([&](vsr_error* error) { return vsr_intents_save(handle.get(), held.get(), error); });
}

py::str describe(const Intents& intents) {
  const auto handle = intents.hold();
  vsr_string* json = nullptr;
  call([&](vsr_error* error) { return vsr_intents_describe(handle.get(), &json, error); });
  return take_string(json);
}

// For each text (label, score, nearest, runner_up, runner_up_score).
py::list read_matches(vsr_matches* made) {
  const auto matches = owned(made, &vsr_matches_free);
  py::list found;
  for (size_t i = 0; i < vsr_matches_match_count(made); ++i) {
    const vsr_match& match = *vsr_matches_match(made, i);
    found.append(py::make_tuple(str_or_none(match.label), match.score, str_or_none(match.nearest),
                                str_or_none(match.runner_up), match.runner_up_score));
  }
  return found;
}

py::list route(const Intents& intents, py::object texts, const py::dict& given) {
  const auto handle = intents.hold();
  const TextBatch batch(texts, "texts");
  const IntentsRouteOptions options(given);
  vsr_matches* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_route(handle.get(), batch.data(), batch.size(), options.get(), &made, error);
  });
  return read_matches(made);
}

// `vectors` is C-contiguous float32 [texts, dim], which the package sees to.
py::list route_vectors(const Intents& intents, const py::buffer& vectors, const py::dict& given) {
  const auto handle = intents.hold();
  const py::buffer_info info = vectors.request();
  if (info.ndim != 2 || info.format != py::format_descriptor<float>::format()) {
    throw StatusError(VSR_ERR_INTERNAL, "python: the array of vectors has another type or shape");
  }
  const IntentsRouteOptions options(given);
  vsr_matches* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_route_vectors(handle.get(), static_cast<const float*>(info.ptr),
                                     static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]),
                                     options.get(), &made, error);
  });
  return read_matches(made);
}

}  // namespace

void register_intents(py::module_& m) {
  py::class_<Intents>(m, "Intents")
      .def("add", &add, py::arg("label"), py::arg("examples"), py::arg("options"))
      .def("remove", &remove, py::arg("label"))
      .def("save", &save, py::arg("path"))
      .def("describe", &describe)
      .def("route", &route, py::arg("texts"), py::arg("options"))
      .def("route_vectors", &route_vectors, py::arg("vectors"), py::arg("options"));
  m.def("create_intents", &create, py::arg("engine"), py::arg("options"));
  m.def("load_intents", &load, py::arg("engine"), py::arg("path"), py::arg("task"));
  m.def("read_intents", &read_file, py::arg("engine"), py::arg("path"), py::arg("options"));
}

}  // namespace vsr_python
