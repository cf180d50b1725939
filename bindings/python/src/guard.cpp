#include <memory>
#include <string>

#include "engine.h"
#include "guard.h"
#include "numbers.h"
#include "text.h"

namespace vsr_python {
namespace {

// The options of a guard with the strings that they borrow.
class Options {
 public:
  explicit Options(const py::dict& given)
      : question_(given["question"], "question"),
        marker_(given["marker"], "marker"),
        replacement_(given["replacement"], "replacement"),
        pii_task_(given["pii_task"], "pii_task"),
        jailbreak_task_(given["jailbreak_task"], "jailbreak_task") {
    options_.policy = given["policy"].cast<int32_t>();
    options_.format = given["format"].cast<int32_t>();
    options_.hold = flag(given["hold"], "hold") ? 1 : 0;
    options_.fail_closed = given["fail_closed"].cast<int32_t>();
    options_.no_grounding = flag(given["grounding"], "grounding") ? 0 : 1;
    options_.pii = flag(given["pii"], "pii") ? 1 : 0;
    options_.threshold = static_cast<float>(real_number(given["threshold"], "threshold"));
    options_.safety_threshold = static_cast<float>(real_number(given["safety_threshold"], "safety_threshold"));
    options_.deadline_ms = whole_number(given["deadline_ms"], "deadline_ms");
    options_.max_hold_ms = whole_number(given["max_hold_ms"], "max_hold_ms");
    options_.own_safety_policy = given["own_safety_policy"].cast<int32_t>();
    options_.safety_policy = given["safety_policy"].cast<int32_t>();
    options_.question = question_.view();
    options_.marker = marker_.view();
    options_.replacement = replacement_.view();
    options_.pii_task = pii_task_.get();
    options_.jailbreak_task = jailbreak_task_.get();
  }
  const vsr_guard_options* get() const { return &options_; }

 private:
  Text question_, marker_, replacement_;
  CString pii_task_, jailbreak_task_;
  vsr_guard_options options_ = VSR_GUARD_OPTIONS_INIT;
};

// (forward, checked, ended, overloaded, events), each event as its fields.
py::tuple read_step(vsr_guard_step* made) {
  const auto step = owned(made, &vsr_guard_step_free);
  py::list events;
  for (size_t i = 0; i < vsr_guard_step_event_count(made); ++i) {
    const vsr_guard_event& e = *vsr_guard_step_event(made, i);
    events.append(py::make_tuple(e.start, e.end, decoded(e.text), e.claim_start, e.claim_end, decoded(e.claim),
                                 decoded(vsr_guard_kind_name(e.kind)), e.score,
                                 e.fact < 0 ? py::object(py::none()) : py::object(py::int_(e.fact)), e.milliseconds,
                                 e.choice, e.field, e.index));
  }
  const vsr_str forward = vsr_guard_step_forward(made);
  return py::make_tuple(py::bytes(forward.data, forward.size), vsr_guard_step_checked_size(made),
                        vsr_guard_step_ended(made) != 0, vsr_guard_step_overloaded(made) != 0, events);
}

// None is symbols alone, or the default engine where one is open.
Facts create_facts(py::object engine, py::object texts, py::object nli, py::object tokens) {
  const auto handle = engine.is_none() ? nullptr : engine.cast<const Engine&>().hold();
  const TextBatch batch(texts, "texts");
  const CString held_nli(nli, "nli"), held_tokens(tokens, "tokens");
  vsr_facts_options options = VSR_FACTS_OPTIONS_INIT;
  options.nli = held_nli.get();
  options.tokens = held_tokens.get();
  vsr_facts* facts = nullptr;
  call([&](vsr_error* error) {
    return vsr_facts_create(handle.get(), batch.data(), batch.size(), &options, &facts, error);
  });
  return Facts(facts);
}

py::tuple check_text(const Facts& facts, py::object text, const py::dict& given) {
  const auto handle = facts.hold();
  const Text held(text, "text");
  const Options options(given);
  vsr_guard_step* step = nullptr;
  call([&](vsr_error* error) { return vsr_facts_check(handle.get(), held.view(), options.get(), &step, error); });
  return read_step(step);
}

Guard create_guard(const Facts& facts, const py::dict& given) {
  const auto handle = facts.hold();
  const Options options(given);
  vsr_guard* guard = nullptr;
  call([&](vsr_error* error) { return vsr_guard_create(handle.get(), options.get(), &guard, error); });
  return Guard(guard);
}

py::tuple feed(const Guard& guard, py::object bytes) {
  const auto handle = guard.hold();
  const Text held(bytes, "data");
  vsr_guard_step* step = nullptr;
  call([&](vsr_error* error) { return vsr_guard_feed(handle.get(), held.view(), &step, error); });
  return read_step(step);
}

py::tuple finish(const Guard& guard) {
  const auto handle = guard.hold();
  vsr_guard_step* step = nullptr;
  call([&](vsr_error* error) { return vsr_guard_finish(handle.get(), &step, error); });
  return read_step(step);
}

py::str describe(const Guard& guard) {
  const auto handle = guard.hold();
  vsr_string* json = nullptr;
  call([&](vsr_error* error) { return vsr_guard_describe(handle.get(), &json, error); });
  return take_string(json);
}

}  // namespace

void register_guard(py::module_& m) {
  py::class_<Facts>(m, "Facts")
      .def("check", &check_text, py::arg("text"), py::arg("options"))
      .def("__len__", [](const Facts& facts) { return vsr_facts_text_count(facts.hold().get()); });
  py::class_<Guard>(m, "Guard").def("feed", &feed, py::arg("data")).def("finish", &finish).def("describe", &describe);
  m.def("create_facts", &create_facts, py::arg("engine"), py::arg("texts"), py::arg("nli"), py::arg("tokens"));
  m.def("create_guard", &create_guard, py::arg("facts"), py::arg("options"));
}

}  // namespace vsr_python
