// vsr/intents.h: private intents over an engine's embedding task.
#include "vsr/intents.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/views.h"
#include "engine/inference/engine_inference.h"
#include "routing/intents/intents.h"

using vsr::routing::Intents;
using vsr::routing::IntentsOptions;
using vsr::routing::Match;
using vsr::routing::NeighbourRule;

struct vsr_intents {
  std::unique_ptr<Intents> set;
};

// Moved, never copied: `views` point to the strings of `matches`.
struct vsr_matches {
  explicit vsr_matches(std::vector<Match> found) : matches(std::move(found)) {
    views.reserve(matches.size());
    for (const Match& from : matches) {
      vsr_match& to = views.emplace_back(vsr::c_api::sized<vsr_match>());
      to.score = from.score;
      to.runner_up_score = from.runner_up_score;
      to.nearest = vsr::c_api::view_unless_empty(from.nearest);
      if (from.matched) to.label = to.nearest;
      to.runner_up = vsr::c_api::view_unless_empty(from.runner_up);
    }
  }
  vsr_matches(vsr_matches&&) = default;

  std::vector<Match> matches;
  std::vector<vsr_match> views;
};

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::engine_of;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_limits;
using vsr::c_api::read_texts;
using vsr::c_api::require;
using vsr::c_api::required_string;
using vsr::engine::embedder_of;
using vsr::routing::GivenOptions;

static_assert(static_cast<int32_t>(NeighbourRule::kVote) == VSR_RULE_VOTE);
static_assert(static_cast<int32_t>(NeighbourRule::kBest) == VSR_RULE_BEST);
static_assert(static_cast<int32_t>(NeighbourRule::kBlend) == VSR_RULE_BLEND);

NeighbourRule read_rule(int32_t rule) {
  if (rule < VSR_RULE_DEFAULT || rule > VSR_RULE_BLEND) {
    fail(Status::kInvalidArgument, "options.rule is ", rule, ", expected ", VSR_RULE_DEFAULT, " to ", VSR_RULE_BLEND);
  }
  return static_cast<NeighbourRule>(rule);
}

size_t read_top_k(int32_t top_k) {
  if (top_k < 0) fail(Status::kInvalidArgument, "options.top_k is ", top_k, ", expected 0 to 1024");
  return static_cast<size_t>(top_k);
}

IntentsOptions read_options(const vsr_intents_options& given) {
  IntentsOptions options;
  if (given.rule != VSR_RULE_DEFAULT) options.rule = read_rule(given.rule);
  if (given.top_k != 0) options.top_k = read_top_k(given.top_k);
  options.threshold = given.threshold;
  return options;
}

vsr::base::CallLimits read_route_limits(const vsr_intents_route_options* options) {
  const auto given = vsr::c_api::read_options(options, "vsr_intents_route_options");
  vsr::c_api::check_reserved(given.reserved, "vsr_intents_route_options.reserved");
  return read_limits(given);
}

}  // namespace

vsr_status vsr_intents_create(const vsr_engine* engine, const vsr_intents_options* options, vsr_intents** out_intents,
                              vsr_error* error) {
  return guard_new(out_intents, "out_intents", error, [&] {
    const auto given = vsr::c_api::read_options(options, "vsr_intents_options");
    const IntentsOptions checked = read_options(given);
    return std::make_unique<Intents>(embedder_of(engine_of(engine), optional_string(given.task)), checked);
  });
}

vsr_status vsr_intents_add(vsr_intents* intents, const char* label, const vsr_str* examples, size_t example_count,
                           const vsr_intents_add_options* options, vsr_error* error) {
  return guard(error, [&] {
    Intents& set = *require(intents, "intents").set;
    const auto texts = read_texts(examples, example_count, "examples", "example_count");
    const auto given = vsr::c_api::read_options(options, "vsr_intents_add_options");
    vsr::c_api::check_reserved(given.reserved, "vsr_intents_add_options.reserved");
    const auto threshold = given.threshold == nullptr ? std::nullopt : std::optional(*given.threshold);
    set.add(required_string(label, "label"), texts, threshold, read_limits(given));
  });
}

vsr_status vsr_intents_remove(vsr_intents* intents, const char* label, vsr_error* error) {
  return guard(error, [&] { require(intents, "intents").set->remove(required_string(label, "label")); });
}

vsr_status vsr_intents_describe(const vsr_intents* intents, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return require(intents, "intents").set->describe(); });
}

vsr_status vsr_intents_save(const vsr_intents* intents, const char* path, vsr_error* error) {
  return guard(error, [&] { require(intents, "intents").set->save(required_string(path, "path")); });
}

vsr_status vsr_intents_load(const vsr_engine* engine, const char* path, const char* task, vsr_intents** out_intents,
                            vsr_error* error) {
  return guard_new(out_intents, "out_intents", error, [&] {
    const std::string file = required_string(path, "path");
    return Intents::load(file, embedder_of(engine_of(engine), optional_string(task)));
  });
}

vsr_status vsr_intents_read_file(const vsr_engine* engine, const char* path,
                                 const vsr_intents_read_file_options* options, vsr_intents** out_intents,
                                 vsr_error* error) {
  return guard_new(out_intents, "out_intents", error, [&] {
    const auto given = vsr::c_api::read_options(options, "vsr_intents_read_file_options");
    vsr::c_api::check_reserved(given.reserved, "vsr_intents_read_file_options.reserved");
    GivenOptions set;
    if (given.rule != VSR_RULE_DEFAULT) set.rule = read_rule(given.rule);
    if (given.top_k != 0) set.top_k = read_top_k(given.top_k);
    if (given.threshold != nullptr) set.threshold = *given.threshold;
    const std::string file = required_string(path, "path");
    return Intents::from_file(file, embedder_of(engine_of(engine), optional_string(given.task)), set,
                              read_limits(given));
  });
}

void vsr_intents_free(vsr_intents* intents) { vsr::c_api::free_handle(intents); }

vsr_status vsr_intents_route(const vsr_intents* intents, const vsr_str* texts, size_t text_count,
                             const vsr_intents_route_options* options, vsr_matches** out_matches, vsr_error* error) {
  return guard_new(out_matches, "out_matches", error, [&] {
    const Intents& set = *require(intents, "intents").set;
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    return set.route(views, read_route_limits(options));
  });
}

vsr_status vsr_intents_route_vectors(const vsr_intents* intents, const float* vectors, size_t vector_count, size_t dim,
                                     const vsr_intents_route_options* options, vsr_matches** out_matches,
                                     vsr_error* error) {
  return guard_new(out_matches, "out_matches", error, [&] {
    const Intents& set = *require(intents, "intents").set;
    vsr::c_api::check_array(vectors, vector_count, "vectors", "vector_count");
    if (dim > std::numeric_limits<int32_t>::max()) fail(Status::kInvalidArgument, "dim is ", dim);
    return set.route_vectors({vectors, vector_count * dim}, dim, read_route_limits(options));
  });
}

size_t vsr_matches_match_count(const vsr_matches* matches) { return matches == nullptr ? 0 : matches->matches.size(); }

const vsr_match* vsr_matches_match(const vsr_matches* matches, size_t text) {
  return matches == nullptr ? nullptr : vsr::c_api::element(matches->views, text);
}

void vsr_matches_free(vsr_matches* matches) { vsr::c_api::free_handle(matches); }
