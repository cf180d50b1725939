#include "intents_router.h"

#include <utility>

namespace vsr::cli {
namespace {

// The embedding task that the set was made with: the named one, or the only one.
std::string embedding_task(const Json& description, const std::string& name) {
  if (!name.empty()) return name;
  for (const Json& task : description.at("tasks")) {
    if (task.at("kind") == "embedding") return task.at("name").get<std::string>();
  }
  throw Failure("no task embeds texts");
}

}  // namespace

IntentsRouter::IntentsRouter(const vsr_engine* engine, const vsr_intents* set, const std::string& task,
                             std::vector<std::string> also)
    : engine_(engine), set_(set), also_(std::move(also)) {
  const String json =
      make<String>([&](vsr_string** out, vsr_error* error) { return vsr_engine_describe(engine, out, error); });
  description_ = Json::parse(text_of(json));
  call_.tasks = also_;
  call_.tasks.push_back(embedding_task(description_, task));
}

Routed IntentsRouter::route(const Text& text) const {
  const vsr_str question = view(text.text);
  Routed routed;
  if (also_.empty()) {
    routed.matches = make<Matches>([&](vsr_matches** out, vsr_error* error) {
      return vsr_intents_route(set_, &question, 1, nullptr, out, error);
    });
    return routed;
  }
  routed.answers = classify_all(engine_, {{question}, {}}, call_);
  const vsr_task_outcome& embedded = *vsr_multi_result_outcome(routed.answers.get(), also_.size());
  if (embedded.status != VSR_OK) throw Failure(text_of(embedded.message));
  if (embedded.kind != VSR_TASK_EMBEDDING) {
    throw Failure("task \"" + call_.tasks.back() +
                  "\" classifies beside embedding, so that --also cannot ask for its vectors");
  }
  const vsr_result* vectors = embedded.result;
  routed.matches = make<Matches>([&](vsr_matches** out, vsr_error* error) {
    return vsr_intents_route_vectors(set_, vsr_result_data(vectors), 1, vsr_result_col_count(vectors), nullptr, out,
                                     error);
  });
  return routed;
}

std::vector<vsr_task_outcome> IntentsRouter::outcomes(const Routed& routed) const {
  std::vector<vsr_task_outcome> outcomes;
  for (size_t i = 0; i < also_.size(); ++i) outcomes.push_back(*vsr_multi_result_outcome(routed.answers.get(), i));
  return outcomes;
}

}  // namespace vsr::cli
