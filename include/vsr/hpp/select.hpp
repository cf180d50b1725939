/* vsr::Selection: the embedding model of a call, chosen by a policy. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_SELECT_HPP
#define VSR_HPP_SELECT_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.hpp"

namespace vsr {

/** See vsr_policy_options. */
struct EmbedPolicy {
  float quality_priority = 0; /**< 0 to 1; only its proportion to the other counts */
  float latency_priority = 0; /**< 0 to 1 */
  std::string language;       /**< such as "de" or "pt-BR"; empty: not asked for */
};

/** One model of the engine, borrowed from its Selection; see vsr_candidate. */
struct Candidate {
  std::string_view model;
  std::string_view rejected; /**< why it could not be chosen; empty: it could */
  float quality;
  float speed;
  float score;
  bool chosen;
  size_t tokens;
  size_t windows;
};

/** See vsr_selection. Immutable. */
class Selection {
 public:
  explicit Selection(vsr_selection* handle) : handle_(handle) {}

  std::string_view model() const { return detail::view(vsr_selection_model(get())); }
  std::string_view reason() const { return detail::view(vsr_selection_reason(get())); }
  /** All models of the engine, in its order. */
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    for (size_t i = 0; i < vsr_selection_candidate_count(get()); ++i) {
      const vsr_candidate& c = *vsr_selection_candidate(get(), i);
      found.push_back({detail::view(c.model), detail::view(c.rejected), c.quality, c.speed, c.score, c.chosen != 0,
                       c.token_count, c.window_count});
    }
    return found;
  }

  const vsr_selection* get() const { return handle_.get(); }

 private:
  detail::Handle<vsr_selection, vsr_selection_free> handle_;
};

/** Vectors, and the model that made them. */
struct SelectedResult {
  Result result;
  Selection selection;
};

namespace detail {

inline vsr_policy_options to_c(const EmbedPolicy& policy) {
  vsr_policy_options c = VSR_POLICY_OPTIONS_INIT;
  c.quality_priority = policy.quality_priority;
  c.latency_priority = policy.latency_priority;
  c.language = c_string_or_null(policy.language, "language");
  return c;
}

}  // namespace detail

/** See vsr_select_model(). */
inline Selection select_model(const Engine& engine, const Texts& texts, const EmbedPolicy& policy = {},
                              const EmbedOptions& options = {}) {
  const vsr_policy_options c_policy = detail::to_c(policy);
  vsr_selection* out = nullptr;
  detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
    return vsr_select_model(engine.get(), texts.data(), texts.size(), &c_policy, c, &out, error);
  });
  return Selection(out);
}

/** See vsr_embed_select(). */
inline SelectedResult embed_select(const Engine& engine, const Texts& texts, const EmbedPolicy& policy = {},
                                   const EmbedOptions& options = {}) {
  const vsr_policy_options c_policy = detail::to_c(policy);
  vsr_result* result = nullptr;
  vsr_selection* selection = nullptr;
  detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
    return vsr_embed_select(engine.get(), texts.data(), texts.size(), &c_policy, c, &result, &selection, error);
  });
  return {Result(result), Selection(selection)};
}

}  // namespace vsr

#endif
