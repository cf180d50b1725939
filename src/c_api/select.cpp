// vsr/select.h: the embedding model of a call, chosen by a policy.
#include "vsr/select.h"

#include <memory>
#include <utility>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/embed_options.h"
#include "c_api/handles.h"
#include "c_api/views.h"

// Moved, never copied: `candidates` point to the strings of `selection`.
struct vsr_selection {
  explicit vsr_selection(vsr::engine::Selection made) : selection(std::move(made)) {
    candidates.reserve(selection.candidates.size());
    for (const vsr::engine::Candidate& from : selection.candidates) {
      vsr_candidate& to = candidates.emplace_back(vsr::c_api::sized<vsr_candidate>());
      to.chosen = from.model == selection.model ? 1 : 0;
      to.model = vsr::c_api::view(from.model);
      to.rejected = vsr::c_api::view_unless_empty(from.rejected);
      to.quality = static_cast<float>(from.quality);
      to.speed = static_cast<float>(from.speed);
      to.score = static_cast<float>(from.score);
      to.token_count = from.tokens;
      to.window_count = from.windows;
    }
  }
  vsr_selection(vsr_selection&&) = default;

  vsr::engine::Selection selection;
  std::vector<vsr_candidate> candidates;
};

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::engine_of;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::read_embed;
using vsr::c_api::read_texts;
using vsr::c_api::require;
using vsr::engine::EmbedPolicy;

EmbedPolicy read_policy(const vsr_policy_options* given) {
  const vsr_policy_options policy = vsr::c_api::read_options(given, "vsr_policy_options");
  vsr::c_api::check_reserved(policy.reserved, "policy.reserved");
  if (policy.language != nullptr && *policy.language == '\0') fail(Status::kInvalidArgument, "language is empty");
  return {.quality_priority = policy.quality_priority,
          .latency_priority = policy.latency_priority,
          .language = vsr::c_api::optional_string(policy.language)};
}

}  // namespace

vsr_status vsr_select_model(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                            const vsr_policy_options* policy, const vsr_embed_options* options,
                            vsr_selection** out_selection, vsr_error* error) {
  return guard_new(out_selection, "out_selection", error, [&] {
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    return engine_of(engine)->select(views, read_policy(policy), read_embed(options));
  });
}

vsr_status vsr_embed_select(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                            const vsr_policy_options* policy, const vsr_embed_options* options, vsr_result** out_result,
                            vsr_selection** out_selection, vsr_error* error) {
  if (out_result != nullptr) *out_result = nullptr;
  if (out_selection != nullptr) *out_selection = nullptr;
  return guard(error, [&] {
    require(out_result, "out_result");
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    auto embed = read_embed(options);
    const auto held = engine_of(engine);
    auto selection = std::make_unique<vsr_selection>(held->select(views, read_policy(policy), embed));
    embed.task = selection->selection.model;
    *out_result = std::make_unique<vsr_result>(held->embed(views, embed)).release();
    if (out_selection != nullptr) *out_selection = selection.release();
  });
}

vsr_str vsr_selection_model(const vsr_selection* selection) {
  return selection == nullptr ? vsr_str{} : vsr::c_api::view(selection->selection.model);
}

vsr_str vsr_selection_reason(const vsr_selection* selection) {
  return selection == nullptr ? vsr_str{} : vsr::c_api::view(selection->selection.reason);
}

size_t vsr_selection_candidate_count(const vsr_selection* selection) {
  return selection == nullptr ? 0 : selection->candidates.size();
}

const vsr_candidate* vsr_selection_candidate(const vsr_selection* selection, size_t index) {
  return selection == nullptr ? nullptr : vsr::c_api::element(selection->candidates, index);
}

void vsr_selection_free(vsr_selection* selection) { vsr::c_api::free_handle(selection); }
