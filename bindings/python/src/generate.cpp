// Generation and moderation, with results as plain tuples and dicts.
#include <memory>
#include <optional>
#include <string>

#include "engine.h"
#include "options.h"
#include "text.h"

namespace vsr_python {
namespace {

// (text, ids, finish, prompt tokens, replaced bytes)
py::tuple generate(const Engine& engine, py::object prompt, const py::dict& given) {
  const auto handle = engine.hold();
  const Text held(prompt, "prompt");
  GenerateOptions options(given);
  vsr_generation* made = nullptr;
  options.on_token.call(
      [&](vsr_error* error) { return vsr_generate(handle.get(), held.view(), options.get(), &made, error); });
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
  const ModerateOptions options(given);
  vsr_verdict* made = nullptr;
  call([&](vsr_error* error) {
    return vsr_moderate(handle.get(), held.view(), answer ? &view : nullptr, options.get(), &made, error);
  });
  const auto owner = owned(made, &vsr_verdict_free);
  return read_verdict(made);
}

}  // namespace

void register_generate(py::module_& m) {
  m.def("generate", &generate, py::arg("engine"), py::arg("prompt"), py::arg("options"));
  m.def("moderate", &moderate, py::arg("engine"), py::arg("prompt"), py::arg("response"), py::arg("options"));
}

}  // namespace vsr_python
