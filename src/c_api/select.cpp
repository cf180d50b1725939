// vsr/select.h: the embedding model of a call, chosen by a policy.
#include "vsr/select.h"

#include <memory>
#include <utility>

#include "c_api/embed_options.h"
#include "c_api/guard.h"
#include "c_api/handles.h"

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

EmbedPolicy read_policy(const vsr_embed_policy* given) {
  const vsr_embed_policy policy = vsr::c_api::read_options(given, "vsr_embed_policy");
  vsr::c_api::check_reserved(policy.reserved, "policy.reserved");
  if (policy.language != nullptr && *policy.language == '\0') fail(Status::kInvalidArgument, "language is empty");
  return {.quality_priority = policy.quality_priority,
          .latency_priority = policy.latency_priority,
          .language = vsr::c_api::optional_string(policy.language)};
}

}  // namespace

vsr_status vsr_select_model(const vsr_engine* engine, const vsr_str* texts, size_t n_texts,
                            const vsr_embed_policy* policy, const vsr_embed_options* options,
                            vsr_selection** out_selection, vsr_error* error) {
  return guard_new(out_selection, "out_selection", error, [&] {
    const auto views = read_texts(texts, n_texts, "texts", "n_texts");
    return engine_of(engine)->select(views, read_policy(policy), read_embed(options));
  });
}

vsr_status vsr_embed_select(const vsr_engine* engine, const vsr_str* texts, size_t n_texts,
                            const vsr_embed_policy* policy, const vsr_embed_options* options, vsr_result** out_result,
                            vsr_selection** out_selection, vsr_error* error) {
  if (out_result != nullptr) *out_result = nullptr;
  if (out_selection != nullptr) *out_selection = nullptr;
  return guard(error, [&] {
    require(out_result, "out_result");
    const auto views = read_texts(texts, n_texts, "texts", "n_texts");
    auto embed = read_embed(options);
    const auto held = engine_of(engine);
    auto selection = std::make_unique<vsr_selection>(vsr_selection{held->select(views, read_policy(policy), embed)});
    embed.task = selection->selection.model;
    *out_result = std::make_unique<vsr_result>(vsr_result{held->embed(views, embed)}).release();
    if (out_selection != nullptr) *out_selection = selection.release();
  });
}

const char* vsr_selection_model(const vsr_selection* selection) {
  return selection == nullptr ? nullptr : selection->selection.model.c_str();
}

const char* vsr_selection_reason(const vsr_selection* selection) {
  return selection == nullptr ? nullptr : selection->selection.reason.c_str();
}

size_t vsr_selection_size(const vsr_selection* selection) {
  return selection == nullptr ? 0 : selection->selection.candidates.size();
}

vsr_candidate vsr_selection_candidate(const vsr_selection* selection, size_t index) {
  if (selection == nullptr || index >= selection->selection.candidates.size()) return {};
  const vsr::engine::Candidate& candidate = selection->selection.candidates[index];
  return {.model = candidate.model.c_str(),
          .rejected = candidate.rejected.empty() ? nullptr : candidate.rejected.c_str(),
          .quality = static_cast<float>(candidate.quality),
          .speed = static_cast<float>(candidate.speed),
          .score = static_cast<float>(candidate.score),
          .chosen = candidate.model == selection->selection.model ? 1U : 0U,
          .tokens = candidate.tokens,
          .windows = candidate.windows};
}

void vsr_selection_free(vsr_selection* selection) { vsr::c_api::free_handle(selection); }
