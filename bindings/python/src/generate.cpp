// Generation and moderation: arguments into option structs, results into plain tuples and dicts.
#include <memory>
#include <optional>
#include <string>

#include "engine.h"
#include "limits.h"
#include "numbers.h"
#include "text.h"

namespace vsr_python {
namespace {

// The C ABI's token callback: passes pieces on, and lets Ctrl-C end a long call.
class TokenCall {
 public:
  explicit TokenCall(py::object callback) : callback_(std::move(callback)) {
    if (!callback_.is_none() && !PyCallable_Check(callback_.ptr())) {
      throw py::type_error("on_token must take (id, text)");
    }
  }
  // call(), but what the callback raised goes on as itself instead of VSR_ERR_CANCELLED.
  template <class Body>
  void call(Body&& body) {
    try {
      vsr_python::call(std::forward<Body>(body));
    } catch (const StatusError&) {
      if (raised_) throw std::move(*raised_);
      throw;
    }
  }
  static int32_t trampoline(int32_t id, vsr_str text, void* self) noexcept {
    auto* held = static_cast<TokenCall*>(self);
    const WithGil acquire;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (held->callback_.is_none()) return 0;
      return call_python(held->callback_, id, decoded(text)).is(py::bool_(true)) ? 1 : 0;
    } catch (py::error_already_set& raised) {
      held->raised_.emplace(std::move(raised));
      return 1;
    }
  }

 private:
  py::object callback_;
  std::optional<py::error_already_set> raised_;
};

size_t new_tokens(const py::dict& given) {
  const int64_t count = whole_number(given["max_new_tokens"], "max_new_tokens");
  if (count < 1) {
    throw StatusError(VSR_ERR_INVALID_ARGUMENT, "max_new_tokens is " + std::to_string(count) + ", expected 1 or more");
  }
  return static_cast<size_t>(count);
}

int32_t top_k_of(py::handle value) {
  const int64_t top_k = whole_number(value, "top_k");
  if (top_k != static_cast<int32_t>(top_k)) throw py::value_error("top_k has more than 32 bits");
  return static_cast<int32_t>(top_k);
}

// (text, ids, finish, prompt tokens, replaced bytes)
py::tuple generate(const Engine& engine, py::object prompt, const py::dict& given, py::object on_token) {
  const auto handle = engine.hold();
  const Text held(prompt, "prompt");
  const CString task(given["task"], "task");
  TokenCall tokens(std::move(on_token));
  vsr_generate_options options = VSR_GENERATE_OPTIONS_INIT;
  options.task = task.get();
  options.max_new_tokens = new_tokens(given);
  options.no_eos = flag(given["stop_at_eos"], "stop_at_eos") ? 0 : 1;
  options.temperature = static_cast<float>(real_number(given["temperature"], "temperature"));
  options.top_k = top_k_of(given["top_k"]);
  options.top_p = static_cast<float>(real_number(given["top_p"], "top_p"));
  options.seed = unsigned_number(given["seed"], "seed");
  // In C, 0 is the default, which is 1; here it is out of range.
  if (options.top_p == 0) throw StatusError(VSR_ERR_INVALID_ARGUMENT, "top_p is 0, expected above 0 and at most 1");
  options.on_token = &TokenCall::trampoline;
  options.user_data = &tokens;
  read_limits(given, options);
  vsr_generation* made = nullptr;
  tokens.call([&](vsr_error* error) { return vsr_generate(handle.get(), held.view(), &options, &made, error); });
  const auto owner = owned(made, &vsr_generation_free);
  py::list ids;
  for (size_t i = 0; i < vsr_generation_token_count(made); ++i) ids.append(vsr_generation_ids(made)[i]);
  return py::make_tuple(decoded(vsr_generation_text(made)), ids,
                        vsr_generation_finish(made) == VSR_FINISH_EOS ? "eos" : "length",
                        vsr_generation_prompt_token_count(made), vsr_generation_replaced_size(made));
}

const char* severity_name(int32_t severity) {
  switch (severity) {
    case VSR_SEVERITY_SAFE:
      return "safe";
    case VSR_SEVERITY_CONTROVERSIAL:
      return "controversial";
    case VSR_SEVERITY_UNSAFE:
      return "unsafe";
    default:
      return "unparsed";
  }
}

py::dict read_verdict(const vsr_verdict* made) {
  py::dict verdict;
  verdict["severity"] = severity_name(vsr_verdict_severity(made));
  py::list categories;
  for (size_t i = 0; i < vsr_verdict_category_count(made); ++i) {
    categories.append(decoded(vsr_verdict_category(made, i)));
  }
  verdict["categories"] = categories;
  const int32_t refusal = vsr_verdict_refusal(made);
  verdict["refusal"] = refusal == VSR_REFUSAL_UNKNOWN ? py::object(py::none()) : py::bool_(refusal == VSR_REFUSAL_YES);
  py::dict probs;
  for (const int32_t severity : {VSR_SEVERITY_SAFE, VSR_SEVERITY_CONTROVERSIAL, VSR_SEVERITY_UNSAFE}) {
    probs[severity_name(severity)] = vsr_verdict_prob(made, severity);
  }
  verdict["probs"] = probs;
  verdict["answer"] = decoded(vsr_verdict_answer(made));
  verdict["prompt"] = decoded(vsr_verdict_prompt(made));
  verdict["prompt_tokens"] = vsr_verdict_prompt_token_count(made);
  verdict["control_tokens"] = vsr_verdict_control_token_count(made);
  verdict["replaced"] = vsr_verdict_replaced_size(made);
  return verdict;
}

py::dict moderate(const Engine& engine, py::object prompt, py::object response, const py::dict& given) {
  const auto handle = engine.hold();
  const Text held(prompt, "prompt");
  std::optional<Text> answer;
  if (!response.is_none()) answer.emplace(response, "response");
  const vsr_str view = answer ? answer->view() : vsr_str{};
  const CString task(given["task"], "task");
  vsr_moderate_options options = VSR_MODERATE_OPTIONS_INIT;
  options.task = task.get();
  options.max_new_tokens = new_tokens(given);
  read_limits(given, options);
  vsr_verdict* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_moderate(handle.get(), held.view(), answer ? &view : nullptr, &options, &made, error);
  });
  const auto owner = owned(made, &vsr_verdict_free);
  return read_verdict(made);
}

}  // namespace

void register_generate(py::module_& m) {
  m.def("generate", &generate, py::arg("engine"), py::arg("prompt"), py::arg("options"), py::arg("on_token"));
  m.def("moderate", &moderate, py::arg("engine"), py::arg("prompt"), py::arg("response"), py::arg("options"));
}

}  // namespace vsr_python
