#include "engine/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text_stream.h"
#include "engine/generate/prompt.h"
#include "engine/model/loaded_model.h"
#include "text/windows.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

struct Weights {
  double quality;
  double speed;
};

double priority(double value, const char* name) {
  if (!(value >= 0 && value <= 1)) fail(Status::kInvalidArgument, name, " is ", value, ", expected 0 to 1");
  return value;
}

Weights weights_of(const EmbedPolicy& policy) {
  const double quality = priority(policy.quality_priority, "quality_priority");
  const double latency = priority(policy.latency_priority, "latency_priority");
  const double sum = quality + latency;
  return sum == 0 ? Weights{0.5, 0.5} : Weights{quality / sum, latency / sum};
}

std::string read_language(const EmbedPolicy& policy) {
  if (policy.language.empty()) return "";
  const auto tag = language_tag(policy.language);
  if (!tag) {
    fail(Status::kInvalidArgument, "language is \"", policy.language, "\", expected one such as \"de\" or \"pt-BR\"");
  }
  return *tag;
}

template <class Values>
std::string joined(const Values& values) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += ", ";
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
      text += std::to_string(value);
    } else {
      text += value;
    }
  }
  return text;
}

bool gives_dim(const LoadedModel& model, int64_t dim) {
  const auto& dims = model.traits.matryoshka_dims;
  return dim == 0 || dim == model.embedding->dim() || std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Why a model cannot serve the call, whatever the texts; empty: it can.
std::string objection(const LoadedModel& model, const std::string& language, const EmbedOptions& options) {
  if (model.head && !model.embedding->has_modules()) return "is a classifier: it has a head and no modules.json";
  if (!gives_dim(model, options.dim)) {
    const std::string cuts = joined(model.traits.matryoshka_dims);
    return "has vectors of " + std::to_string(model.embedding->dim()) + " values" +
           (cuts.empty() ? " and no matryoshka_dims" : " and matryoshka_dims " + cuts) + ", not " +
           std::to_string(options.dim);
  }
  if (options.layer > model.encoder->info().num_hidden_layers) {
    return "has " + std::to_string(model.encoder->info().num_hidden_layers) + " layers, not " +
           std::to_string(options.layer);
  }
  if (!language.empty() && !model.traits.lists(language)) {
    const std::string known = joined(model.traits.languages);
    return known.empty() ? "lists no languages" : "lists the languages " + known + ", not " + language;
  }
  if (options.prompt && !model.prompts.by_name.contains(*options.prompt)) {
    return "has no prompt \"" + *options.prompt + "\"";
  }
  return "";
}

int64_t parameters_that_compute(const LoadedModel& model) {
  const core::EncoderInfo& info = model.encoder->info();
  return std::max<int64_t>(model.parameters - info.vocab_size * info.hidden_size, 1);
}

// A model that may be chosen, and what the texts cost it.
struct Load {
  const LoadedModel* model;
  Candidate* candidate;
  double work = 0;  // tokens of all windows times parameters
};

void measure(Load& load, std::span<const std::string_view> texts, const EmbedOptions& options) {
  const LoadedModel& model = *load.model;
  std::vector<std::string> storage;
  size_t run = 0;
  for (const TextPair& text : with_prompt(texts, resolve_prompt(model, options), storage)) {
    const text::WindowedInput input(*model.tokenizer, text.text, nullptr, model.max_tokens, 0);
    load.candidate->tokens = std::max(load.candidate->tokens, input.token_count());
    load.candidate->windows += input.window_count();
    for (size_t w = 0; w < input.window_count(); ++w) run += input.encoded_size(w);
  }
  load.work = static_cast<double>(std::max<size_t>(run, 1)) * static_cast<double>(parameters_that_compute(model));
}

// One window for each text, where any model can do so.
void keep_those_that_fit(std::vector<Load>& loads, size_t n_texts) {
  const auto fits = [n_texts](const Load& load) { return load.candidate->windows <= n_texts; };
  if (std::none_of(loads.begin(), loads.end(), fits)) return;
  for (const Load& load : loads) {
    if (fits(load)) continue;
    load.candidate->rejected = "reads " + std::to_string(load.candidate->tokens) + " tokens in windows of " +
                               std::to_string(load.model->max_tokens);
  }
  std::erase_if(loads, [&](const Load& load) { return !fits(load); });
}

void score(std::vector<Load>& loads, const Weights& weights) {
  double least = std::numeric_limits<double>::infinity();
  for (const Load& load : loads) least = std::min(least, load.work);
  for (const Load& load : loads) {
    Candidate& candidate = *load.candidate;
    candidate.speed = least / load.work;
    candidate.score = weights.quality * candidate.quality + weights.speed * candidate.speed;
  }
}

std::string number(double value) { return base::fixed_decimals(value, 3); }

std::string reason_of(const Load& best, const Load* second, const Weights& weights, bool in_windows) {
  const Candidate& chosen = *best.candidate;
  std::string reason = "score " + number(chosen.score) + " = " + number(weights.quality) + " x quality " +
                       number(chosen.quality) + " + " + number(weights.speed) + " x speed " + number(chosen.speed);
  reason += second == nullptr
                ? "; no other model qualifies"
                : "; next is \"" + second->candidate->model + "\" with " + number(second->candidate->score);
  if (in_windows) reason += "; no model reads " + std::to_string(chosen.tokens) + " tokens in one window";
  return reason;
}

[[noreturn]] void fail_with_reasons(const std::vector<Candidate>& candidates) {
  std::string reasons;
  for (const Candidate& candidate : candidates) {
    reasons += (reasons.empty() ? "\"" : "; \"") + candidate.model + "\" " + candidate.rejected;
  }
  fail(Status::kNotFound, "no embedding model qualifies: ", reasons);
}

}  // namespace

double quality_of(const LoadedModel& model) {
  if (model.traits.quality) return *model.traits.quality;
  return std::clamp(std::log10(static_cast<double>(parameters_that_compute(model)) / 1e6) / 3, 0.0, 1.0);
}

Selection select_model(const std::vector<std::shared_ptr<const LoadedModel>>& models,
                       std::span<const std::string_view> texts, const EmbedPolicy& policy,
                       const EmbedOptions& options) {
  if (!options.task.empty()) fail(Status::kInvalidArgument, "task is \"", options.task, "\", and a policy chooses it");
  const Weights weights = weights_of(policy);
  const std::string language = read_language(policy);
  Selection selection;
  for (const auto& model : models) {
    selection.candidates.push_back(
        {.model = model->name, .rejected = objection(*model, language, options), .quality = quality_of(*model)});
  }
  std::vector<Load> loads;
  for (size_t i = 0; i < models.size(); ++i) {
    if (!selection.candidates[i].rejected.empty()) continue;
    loads.push_back({models[i].get(), &selection.candidates[i]});
    measure(loads.back(), texts, options);
  }
  if (loads.empty()) fail_with_reasons(selection.candidates);
  keep_those_that_fit(loads, texts.size());
  score(loads, weights);
  // Of equals the one with less work, then the engine's order.
  std::stable_sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
    return a.candidate->score != b.candidate->score ? a.candidate->score > b.candidate->score : a.work < b.work;
  });
  selection.model = loads.front().candidate->model;
  selection.reason = reason_of(loads.front(), loads.size() > 1 ? &loads[1] : nullptr, weights,
                               loads.front().candidate->windows > texts.size());
  return selection;
}

}  // namespace vsr::engine
