#include <memory>
#include <string>

#include "engine.h"
#include "limits.h"
#include "numbers.h"
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

// A total map: a name that is none of them is an error.
int32_t rule_of(const std::string& name) {
  if (name == "vote") return VSR_RULE_VOTE;
  if (name == "best") return VSR_RULE_BEST;
  if (name == "blend") return VSR_RULE_BLEND;
  throw StatusError(VSR_ERR_INVALID_ARGUMENT, "rule is \"" + name + "\", expected \"vote\", \"best\" or \"blend\"");
}

// The C interface takes 0 for the default.
int32_t top_k_of(int32_t given) {
  if (given == 0) throw StatusError(VSR_ERR_INVALID_ARGUMENT, "top_k is 0, expected 1 to 1024");
  return given;
}

Intents create(const Engine& engine, const std::string& rule, int32_t top_k, float threshold, py::object task) {
  const auto handle = engine.hold();
  const CString held_task(task, "task");
  vsr_intents_options options = VSR_INTENTS_OPTIONS_INIT;
  options.rule = rule_of(rule);
  options.top_k = top_k_of(top_k);
  options.threshold = threshold;
  options.task = held_task.get();
  vsr_intents* intents = nullptr;
  call([&](vsr_error* error) { return vsr_intents_create(handle.get(), &options, &intents, error); });
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
Intents read_file(const Engine& engine, py::object path, py::object rule, py::object top_k, py::object threshold,
                  py::object task, const py::dict& limits) {
  const auto handle = engine.hold();
  const Path held_path(path, "path");
  const CString held_task(task, "task");
  const float least = threshold.is_none() ? 0.0f : static_cast<float>(real_number(threshold, "threshold"));
  vsr_intents_read_file_options options = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
  if (!rule.is_none()) options.rule = rule_of(rule.cast<std::string>());
  if (!top_k.is_none()) options.top_k = top_k_of(top_k.cast<int32_t>());
  options.threshold = threshold.is_none() ? nullptr : &least;
  options.task = held_task.get();
  read_limits(limits, options);
  vsr_intents* intents = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_read_file(handle.get(), held_path.get(), &options, &intents, error);
  });
  return Intents(intents);
}

void add(const Intents& intents, py::object label, py::object examples, py::object threshold, const py::dict& limits) {
  const auto handle = intents.hold();
  const CString name(label, "label");
  const TextBatch batch(examples, "examples");
  const float least = threshold.is_none() ? 0.0f : static_cast<float>(real_number(threshold, "threshold"));
  vsr_intents_add_options options = VSR_INTENTS_ADD_OPTIONS_INIT;
  options.threshold = threshold.is_none() ? nullptr : &least;
  read_limits(limits, options);
  call([&](vsr_error* error) {
    return vsr_intents_add(handle.get(), name.get(), batch.data(), batch.size(), &options, error);
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

vsr_intents_route_options route_options(const py::dict& limits) {
  vsr_intents_route_options options = VSR_INTENTS_ROUTE_OPTIONS_INIT;
  read_limits(limits, options);
  return options;
}

py::list route(const Intents& intents, py::object texts, const py::dict& limits) {
  const auto handle = intents.hold();
  const TextBatch batch(texts, "texts");
  const vsr_intents_route_options options = route_options(limits);
  vsr_matches* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_route(handle.get(), batch.data(), batch.size(), &options, &made, error);
  });
  return read_matches(made);
}

// `vectors` is C-contiguous float32 [texts, dim], which the package sees to.
py::list route_vectors(const Intents& intents, const py::buffer& vectors, const py::dict& limits) {
  const auto handle = intents.hold();
  const py::buffer_info info = vectors.request();
  if (info.ndim != 2 || info.format != py::format_descriptor<float>::format()) {
    throw StatusError(VSR_ERR_INTERNAL, "python: the array of vectors has another type or shape");
  }
  const vsr_intents_route_options options = route_options(limits);
  vsr_matches* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_intents_route_vectors(handle.get(), static_cast<const float*>(info.ptr),
                                     static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]), &options,
                                     &made, error);
  });
  return read_matches(made);
}

}  // namespace

void register_intents(py::module_& m) {
  py::class_<Intents>(m, "Intents")
      .def("add", &add, py::arg("label"), py::arg("examples"), py::arg("threshold"), py::arg("limits"))
      .def("remove", &remove, py::arg("label"))
      .def("save", &save, py::arg("path"))
      .def("describe", &describe)
      .def("route", &route, py::arg("texts"), py::arg("limits"))
      .def("route_vectors", &route_vectors, py::arg("vectors"), py::arg("limits"));
  m.def("create_intents", &create, py::arg("engine"), py::arg("rule"), py::arg("top_k"), py::arg("threshold"),
        py::arg("task"));
  m.def("load_intents", &load, py::arg("engine"), py::arg("path"), py::arg("task"));
  m.def("read_intents", &read_file, py::arg("engine"), py::arg("path"), py::arg("rule"), py::arg("top_k"),
        py::arg("threshold"), py::arg("task"), py::arg("limits"));
}

}  // namespace vsr_python
