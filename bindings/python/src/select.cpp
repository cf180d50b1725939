// Choosing an embedding model by a policy.
#include <memory>

#include "options.h"
#include "result.h"

namespace vsr_python {
namespace {

class EmbedPolicy {
 public:
  EmbedPolicy(float quality_priority, float latency_priority, py::handle language) : language_(language, "language") {
    policy_.quality_priority = quality_priority;
    policy_.latency_priority = latency_priority;
    policy_.language = language_.get();
  }
  EmbedPolicy(const EmbedPolicy&) = delete;
  EmbedPolicy& operator=(const EmbedPolicy&) = delete;
  const vsr_policy_options* get() const { return &policy_; }

 private:
  CString language_;
  vsr_policy_options policy_ = VSR_POLICY_OPTIONS_INIT;
};

// (model, reason, [(model, rejected or None, quality, speed, score, chosen, tokens, windows)])
py::tuple fields_of(const vsr_selection* selection) {
  py::list candidates;
  for (size_t i = 0; i < vsr_selection_candidate_count(selection); ++i) {
    const vsr_candidate& c = *vsr_selection_candidate(selection, i);
    candidates.append(py::make_tuple(decoded(c.model), str_or_none(c.rejected), c.quality, c.speed, c.score,
                                     c.chosen != 0, c.token_count, c.window_count));
  }
  return py::make_tuple(decoded(vsr_selection_model(selection)), decoded(vsr_selection_reason(selection)), candidates);
}

py::tuple select_model(const Engine& engine, py::object texts, float quality_priority, float latency_priority,
                       py::object language, const py::dict& given) {
  const auto handle = engine.hold();
  const TextBatch batch(texts, "texts");
  const EmbedPolicy policy(quality_priority, latency_priority, language);
  EmbedOptions options(given);
  vsr_selection* made = nullptr;
  options.progress.call([&](vsr_error* error) {
    return vsr_select_model(handle.get(), batch.data(), batch.size(), policy.get(), options.get(), &made, error);
  });
  const auto selection = owned(made, &vsr_selection_free);
  return fields_of(selection.get());
}

py::tuple embed_select(const Engine& engine, py::object texts, float quality_priority, float latency_priority,
                       py::object language, const py::dict& given) {
  const auto handle = engine.hold();
  const TextBatch batch(texts, "texts");
  const EmbedPolicy policy(quality_priority, latency_priority, language);
  EmbedOptions options(given);
  vsr_result* result = nullptr;
  vsr_selection* made = nullptr;
  options.progress.call([&](vsr_error* error) {
    return vsr_embed_select(handle.get(), batch.data(), batch.size(), policy.get(), options.get(), &result, &made,
                            error);
  });
  const auto selection = owned(made, &vsr_selection_free);
  return py::make_tuple(Result(result), fields_of(selection.get()));
}

}  // namespace

void register_select(py::module_& m) {
  m.def("select_model", &select_model, py::arg("engine"), py::arg("texts"), py::arg("quality_priority"),
        py::arg("latency_priority"), py::arg("language"), py::arg("options"));
  m.def("embed_select", &embed_select, py::arg("engine"), py::arg("texts"), py::arg("quality_priority"),
        py::arg("latency_priority"), py::arg("language"), py::arg("options"));
}

}  // namespace vsr_python
