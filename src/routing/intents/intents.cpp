#include "routing/intents/intents.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/file_replace.h"
#include "base/utf8.h"
#include "routing/intents/intents_file.h"
#include "routing/intents/intents_source.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

// Numbers as float, so that 0.3 is printed as 0.3.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, int64_t, uint64_t, float>;

void check_threshold(float threshold) {
  if (!(threshold >= -1 && threshold <= 1))
    fail(Status::kInvalidArgument, "threshold is ", threshold, ", expected -1 to 1");
}

void check_label(const std::string& label) {
  if (label.empty()) fail(Status::kInvalidArgument, "label is empty");
  if (base::CleanText(label).replaced_bytes() > 0) fail(Status::kInvalidArgument, "label \"", label, "\" is not UTF-8");
}

// Similarities are products of vectors of length 1; NaN, as of a text that was not read, is none either.
void check_unit(std::span<const float> vector, size_t index) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  if (std::abs(squares - 1) < 1e-3) return;
  fail(Status::kInvalidArgument, "vectors[", index, "] has length ", std::sqrt(squares), ", expected 1");
}

// The examples, each once, that the intent does not have and that are not embedded yet.
std::vector<std::string_view> missing(const IntentsState& state, const std::string& label,
                                      std::span<const std::string_view> examples,
                                      const std::vector<std::string_view>& embedded) {
  const Intent* intent = state.find(label);
  if (intent == nullptr && examples.empty()) fail(Status::kInvalidArgument, "intent \"", label, "\" has no examples");
  std::unordered_set<std::string_view> known(embedded.begin(), embedded.end());
  if (intent != nullptr) {
    for (const auto& example : intent->examples) known.insert(*example);
  }
  std::vector<std::string_view> fresh;
  for (const std::string_view example : examples) {
    if (known.insert(example).second) fresh.push_back(example);
  }
  return fresh;
}

}  // namespace

Intents::Intents(std::shared_ptr<const inference::Embedder> embedder, const IntentsOptions& options)
    : Intents(embedder, options, IntentsState(embedder->dim())) {
  check_threshold(options.threshold);
  if (options.top_k < 1 || options.top_k > kMaxTopK) {
    fail(Status::kInvalidArgument, "top_k is ", options.top_k, ", expected 1 to ", kMaxTopK);
  }
}

Intents::Intents(std::shared_ptr<const inference::Embedder> embedder, const IntentsOptions& options, IntentsState state)
    : embedder_(std::move(embedder)),
      options_(options),
      state_(std::make_shared<const IntentsState>(std::move(state))) {}

std::vector<float> Intents::embed(std::span<const std::string_view> texts, const base::CallLimits& limits) const {
  if (texts.empty()) return {};
  auto vectors = embedder_->embed(texts, limits);
  const size_t dim = embedder_->dim();
  if (vectors.size() != texts.size() * dim) {
    fail(Status::kInternal, "embedding has ", vectors.size(), " values, expected ", texts.size(), " x ", dim);
  }
  for (size_t i = 0; i < vectors.size(); ++i) {
    if (!std::isfinite(vectors[i])) fail(Status::kInternal, "embedding of text ", i / dim, " is not finite");
  }
  return vectors;
}

void Intents::add(const std::string& label, std::span<const std::string_view> examples, std::optional<float> threshold,
                  const base::CallLimits& limits) {
  check_label(label);
  if (threshold) check_threshold(*threshold);

  // Embedding takes long, so it happens before the change. If examples that were there have gone meanwhile, with the
  // whole intent, they are embedded as well.
  std::vector<std::string_view> embedded;
  std::vector<float> vectors;
  for (bool done = false; !done;) {
    const auto more = missing(*state_.load(), label, examples, embedded);
    const auto rows = embed(more, limits);
    embedded.insert(embedded.end(), more.begin(), more.end());
    vectors.insert(vectors.end(), rows.begin(), rows.end());
    state_.update([&](const auto& now) {
      done = missing(*now, label, examples, embedded).empty();
      if (!done) return now;
      return std::make_shared<const IntentsState>(now->with(label, embedded, vectors, threshold));
    });
  }
}

void Intents::remove(const std::string& label) {
  state_.update([&](const auto& now) { return std::make_shared<const IntentsState>(now->without(label)); });
}

std::vector<Match> Intents::route(std::span<const std::string_view> texts, const base::CallLimits& limits) const {
  const auto state = state_.load();
  if (state->intents().empty()) return std::vector<Match>(texts.size());
  return state->match(embed(texts, limits), options_, limits);
}

std::vector<Match> Intents::route_vectors(std::span<const float> vectors, size_t dim,
                                          const base::CallLimits& limits) const {
  limits.check();
  if (dim != embedder_->dim()) {
    fail(Status::kInvalidArgument, "dim is ", dim, ", the set's vectors have ", embedder_->dim());
  }
  for (size_t first = 0; first < vectors.size(); first += dim) check_unit(vectors.subspan(first, dim), first / dim);
  const auto state = state_.load();
  if (state->intents().empty()) return std::vector<Match>(vectors.size() / dim);
  return state->match(vectors, options_, limits);
}

std::string Intents::describe() const {
  const auto state = state_.load();
  Json intents = Json::array();
  for (const auto& intent : state->intents()) {
    const Json threshold = intent->threshold ? Json(*intent->threshold) : Json(nullptr);
    intents.push_back({{"label", intent->label}, {"examples", intent->examples.size()}, {"threshold", threshold}});
  }
  return Json{{"rule", rule_name(options_.rule)},
              {"top_k", options_.top_k},
              {"threshold", options_.threshold},
              {"dim", state->index().dim()},
              {"index", state->index().has_graph() ? "hnsw" : "exact"},
              {"intents", std::move(intents)}}
      .dump();
}

void Intents::save(const std::string& path) const {
  base::replace_file(path, write_intents({options_, embedder_->fingerprint(), *state_.load()}));
}

std::unique_ptr<Intents> Intents::from_file(const std::string& path,
                                            std::shared_ptr<const inference::Embedder> embedder,
                                            const GivenOptions& given, const base::CallLimits& limits) {
  const IntentsSource source = read_intents_source(path);
  IntentsOptions options;
  options.rule = given.rule.value_or(source.rule.value_or(options.rule));
  options.top_k = given.top_k.value_or(source.top_k.value_or(options.top_k));
  options.threshold = given.threshold.value_or(source.threshold.value_or(options.threshold));
  auto intents = std::make_unique<Intents>(std::move(embedder), options);
  for (const IntentSource& intent : source.intents) {
    limits.check();
    const std::vector<std::string_view> examples(intent.examples.begin(), intent.examples.end());
    intents->add(intent.label, examples, given.threshold ? std::nullopt : intent.threshold, limits);
  }
  return intents;
}

std::unique_ptr<Intents> Intents::load(const std::string& path, std::shared_ptr<const inference::Embedder> embedder) {
  const base::FileContents file(path);
  SavedIntents saved = read_intents(file.text(), path, embedder->fingerprint(), embedder->dim());
  return std::unique_ptr<Intents>(new Intents(std::move(embedder), saved.options, std::move(saved.state)));
}

}  // namespace vsr::routing
