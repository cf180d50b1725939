// The router, from Python to C. The package turns what this gives into a Decision.
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "guard.h"
#include "numbers.h"
#include "options.h"
#include "text.h"

namespace vsr_python {
namespace {

struct Decision {
  explicit Decision(vsr_decision* made) : handle(owned(made, &vsr_decision_free)) {}
  std::shared_ptr<vsr_decision> handle;
};

class Router {
 public:
  Router(vsr_router* router, std::shared_ptr<LogFunction> log)
      : log_(std::move(log)), handle_(owned(router, &vsr_router_free)) {}
  std::shared_ptr<vsr_router> hold() const {
    if (!handle_) throw StatusError(VSR_ERR_STATE, "router: used after it was collected");
    return handle_;
  }
  // What Python's collector is to see; null: nothing, or a call of another thread still logs to it.
  PyObject* log_function() const { return log_ && log_.use_count() == 1 ? log_->function() : nullptr; }
  // While the objects that the log leads to are whole: the last lines go there.
  void close() { handle_.reset(); }
  void clear_log() {
    close();
    log_.reset();
  }

 private:
  std::shared_ptr<LogFunction> log_;  // before the handle, which calls it
  std::shared_ptr<vsr_router> handle_;
};

// Null: its construction failed.
Router* router_in(PyObject* self) {
  auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? held.value_ptr<Router>() : nullptr;
}

int visit_router(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Router* const router = router_in(self);
  if (router != nullptr) Py_VISIT(router->log_function());
  return 0;
}

void finish_router(PyObject* self) {
  if (Router* const router = router_in(self)) router->close();
}

int clear_router(PyObject* self) {
  if (Router* const router = router_in(self)) router->clear_log();
  return 0;
}

// A log may be a method of the object that holds the router: without this the two would keep each other for ever.
void let_collector_see(PyHeapTypeObject* type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = &visit_router;
  type->ht_type.tp_finalize = &finish_router;
  type->ht_type.tp_clear = &clear_router;
}

Router open(py::object path, const py::dict& given) {
  const Path held_path(path, "path");
  const RouterOptions options(given);
  vsr_router* router = nullptr;
  call([&](vsr_error* error) { return vsr_router_open(held_path.get(), options.get(), &router, error); });
  return Router(router, options.log.function());
}

Decision route(const Router& router, py::object request, const py::dict& given) {
  const auto handle = router.hold();
  const Text text(request, "request");
  const RouteOptions options(given);
  vsr_decision* made = nullptr;
  call([&](vsr_error* error) { return vsr_router_route(handle.get(), text.view(), options.get(), &made, error); });
  return Decision(made);
}

Decision decide(const Router& router, const py::dict& signals) {
  const auto handle = router.hold();
  std::deque<CString> held_names;
  std::vector<const char*> names;
  std::vector<double> confidences;
  for (const auto& [name, confidence] : signals) {
    held_names.emplace_back(py::reinterpret_borrow<py::object>(name), "signal");
    names.push_back(held_names.back().get());
    confidences.push_back(real_number(confidence, held_names.back().get()));
  }
  vsr_decision* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_router_decide(handle.get(), names.data(), confidences.data(), names.size(), &made, error);
  });
  return Decision(made);
}

void store(const Router& router, const Decision& decision, py::object response) {
  const auto handle = router.hold();
  const Text text(response, "response");
  call([&](vsr_error* error) { return vsr_router_store(handle.get(), decision.handle.get(), text.view(), error); });
}

void feedback(const Router& router, const Decision& decision, bool right) {
  const auto handle = router.hold();
  call(
      [&](vsr_error* error) { return vsr_router_feedback(handle.get(), decision.handle.get(), right ? 1 : 0, error); });
}

void reload(const Router& router) {
  const auto handle = router.hold();
  call([&](vsr_error* error) { return vsr_router_reload(handle.get(), error); });
}

void measure(const Router& router, py::object model, py::object ttft_ms, py::object tpot_ms, py::object in_flight) {
  const CString name(model, "model");
  const double ttft = ttft_ms.is_none() ? -1 : real_number(ttft_ms, "ttft_ms");
  const double tpot = tpot_ms.is_none() ? -1 : real_number(tpot_ms, "tpot_ms");
  const int64_t requests = in_flight.is_none() ? -1 : whole_number(in_flight, "in_flight");
  const auto handle = router.hold();
  call([&](vsr_error* error) { return vsr_router_measure(handle.get(), name.get(), ttft, tpot, requests, error); });
}

// `make` is one of the functions of the C ABI that make a string about a router.
template <class Make>
py::str string_of(const Router& router, Make make) {
  const auto handle = router.hold();
  vsr_string* text = nullptr;
  call([&](vsr_error* error) { return make(handle.get(), &text, error); });
  return take_string(text);
}

py::str schema() {
  vsr_string* json = nullptr;
  call([&](vsr_error* error) { return vsr_router_schema(&json, error); });
  return take_string(json);
}

py::bytes bytes_of(vsr_str text) { return py::bytes(text.data == nullptr ? "" : text.data, text.size); }

py::object c_str_or_none(const char* text) {
  return text == nullptr ? py::object(py::none()) : py::object(py::str(text));
}

// What vsr.AnswerPolicy is made of; None: nothing is asked.
py::object read_answer(const vsr_answer_policy* policy) {
  if (policy == nullptr) return py::none();
  const vsr_guard_options& from = *policy->guard;
  py::dict guard;
  guard["policy"] = from.policy;
  guard["question"] = decoded(from.question);
  guard["hold"] = from.hold != 0;
  guard["fail_closed"] = from.fail_closed;
  guard["grounding"] = from.no_grounding == 0;
  guard["jailbreak_task"] = c_str_or_none(from.jailbreak_task);
  guard["threshold"] = from.threshold;
  if (from.safety_threshold > 0) guard["safety_threshold"] = from.safety_threshold;
  guard["safety_policy"] = from.own_safety_policy != 0 ? py::object(py::int_(from.safety_policy)) : py::none();
  py::list sources;
  for (size_t i = 0; i < policy->source_count; ++i) sources.append(decoded(policy->sources[i]));
  py::dict fields;
  fields["guard"] = guard;
  fields["nli"] = c_str_or_none(policy->facts->nli);
  fields["sources"] = sources;
  fields["hallucination_action"] = str_or_none(policy->hallucination_action);
  fields["unverified_action"] = str_or_none(policy->unverified_action);
  fields["jailbreak_action"] = str_or_none(policy->jailbreak_action);
  fields["include_details"] = policy->include_details != 0;
  return fields;
}

Facts make_facts(const Router& router, py::object texts, py::object nli, py::object tokens) {
  const auto handle = router.hold();
  const TextBatch batch(texts, "texts");
  const CString held_nli(nli, "nli"), held_tokens(tokens, "tokens");
  vsr_facts_options options = VSR_FACTS_OPTIONS_INIT;
  options.nli = held_nli.get();
  options.tokens = held_tokens.get();
  vsr_facts* facts = nullptr;
  call([&](vsr_error* error) {
    return vsr_router_facts(handle.get(), batch.data(), batch.size(), &options, &facts, error);
  });
  return Facts(facts);
}

// No facts are the request's own.
Guard make_guard(const Router& router, const Decision& decision, py::object facts) {
  const auto handle = router.hold();
  const auto held = facts.is_none() ? nullptr : facts.cast<const Facts&>().hold();
  vsr_guard* guard = nullptr;
  call([&](vsr_error* error) {
    return vsr_router_guard(handle.get(), decision.handle.get(), held.get(), &guard, error);
  });
  return Guard(guard);
}

// What vsr.Decision is made of.
py::dict read(const Decision& decision) {
  const vsr_decision* made = decision.handle.get();
  py::list signals;
  for (size_t i = 0; i < vsr_decision_signal_count(made); ++i) {
    const vsr_signal& s = *vsr_decision_signal(made, i);
    signals.append(
        py::make_tuple(decoded(s.name), s.matched != 0, s.confidence, s.value, s.duration_ms, decoded(s.detail)));
  }
  py::list headers;
  for (size_t i = 0; i < vsr_decision_header_count(made); ++i) {
    const vsr_header& h = *vsr_decision_header(made, i);
    headers.append(py::make_tuple(decoded(h.name), str_or_none(h.value)));
  }
  py::dict fields;
  fields["outcome"] = vsr_decision_outcome(made);
  fields["name"] = str_or_none(vsr_decision_name(made));
  fields["confidence"] = vsr_decision_confidence(made);
  fields["model"] = str_or_none(vsr_decision_model(made));
  fields["lora"] = str_or_none(vsr_decision_lora(made));
  fields["reasoning"] = vsr_decision_reasoning(made) != 0;
  fields["effort"] = str_or_none(vsr_decision_effort(made));
  fields["body"] = bytes_of(vsr_decision_request(made));
  fields["response"] = bytes_of(vsr_decision_response(made));
  fields["held_back"] = bytes_of(vsr_decision_held_back(made));
  fields["plan"] = decoded(vsr_decision_plan(made));
  fields["explanation"] = decoded(vsr_decision_explanation(made));
  fields["answer"] = read_answer(vsr_decision_answer_policy(made));
  fields["signals"] = signals;
  fields["headers"] = headers;
  return fields;
}

}  // namespace

void register_router(py::module_& m) {
  py::class_<Decision>(m, "Decision").def("read", &read);
  py::class_<Router>(m, "Router", py::custom_type_setup(&let_collector_see))
      .def("route", &route, py::arg("request"), py::arg("options"))
      .def("decide", &decide, py::arg("signals"))
      .def("store", &store, py::arg("decision"), py::arg("response"))
      .def("feedback", &feedback, py::arg("decision"), py::arg("right"))
      .def("measure", &measure, py::arg("model"), py::arg("ttft_ms"), py::arg("tpot_ms"), py::arg("in_flight"))
      .def("reload", &reload)
      .def("facts", &make_facts, py::arg("texts"), py::arg("nli"), py::arg("tokens"))
      .def("guard", &make_guard, py::arg("decision"), py::arg("facts"))
      .def("replay", [](const Router& router) { return string_of(router, vsr_router_replay); })
      .def("describe", [](const Router& router) { return string_of(router, vsr_router_describe); })
      .def("metrics", [](const Router& router) { return string_of(router, vsr_router_metrics); });
  m.def("open_router", &open, py::arg("path"), py::arg("options"));
  m.def("router_schema", &schema);
}

}  // namespace vsr_python
