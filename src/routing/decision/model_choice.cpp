#include "routing/decision/model_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text_stream.h"
#include "routing/decision/model_selection.h"

namespace vsr::routing {
namespace {

struct Candidate {
  ModelRef ref;
  const CatalogModel* card = nullptr;  // nullptr: not in the catalog
  std::optional<double> score = std::nullopt;
};

std::vector<Candidate> candidates_of(const ModelCatalog& catalog, const ModelQuestion& question) {
  std::vector<Candidate> candidates;
  if (!question.decision) return candidates;
  const std::vector<ModelScore> scores = question.domain ? question.domain->model_scores : std::vector<ModelScore>();
  for (const ModelRef& ref : question.decision->models) candidates.push_back({.ref = ref});
  if (candidates.empty()) {
    for (const ModelScore& score : scores)
      candidates.push_back({.ref = {.model = score.model, .use_reasoning = score.use_reasoning}});
  }
  for (Candidate& candidate : candidates) {
    candidate.card = catalog.find(candidate.ref.model);
    const auto same = [&](const ModelScore& score) { return score.model == candidate.ref.model; };
    if (const auto score = std::find_if(scores.begin(), scores.end(), same); score != scores.end())
      candidate.score = score->score;
  }
  return candidates;
}

bool fits(const CatalogModel* card, int64_t tokens) {
  return !card || card->context_window == 0 || tokens < card->context_window;
}

std::string too_long(const CatalogModel& card, int64_t tokens) {
  return card.name + " has a window of " + std::to_string(card.context_window) + " tokens, the prompt about " +
         std::to_string(tokens);
}

void pass_over_small_windows(std::vector<Candidate>& candidates, int64_t tokens, std::vector<std::string>& notes) {
  const auto too_small = [&](const Candidate& candidate) { return !fits(candidate.card, tokens); };
  const bool none = std::all_of(candidates.begin(), candidates.end(), too_small);
  for (const Candidate& candidate : candidates) {
    if (too_small(candidate)) notes.push_back((none ? "" : "passed over: ") + too_long(*candidate.card, tokens));
  }
  if (!none) std::erase_if(candidates, too_small);
}

// What the request would cost, in millionths of the price's currency; infinite without a price.
double cost(const Candidate& candidate, int64_t prompt_tokens) {
  const CatalogModel* card = candidate.card;
  if (!card || !(card->prompt_per_1m || card->completion_per_1m)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(prompt_tokens) * card->prompt_per_1m.value_or(0) +
         static_cast<double>(kAssumedAnswerTokens) * card->completion_per_1m.value_or(0);
}

const Candidate& cheapest_good_enough(const std::vector<Candidate>& candidates, const ModelQuestion& question,
                                      std::vector<std::string>& notes) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates) best = std::max(best, candidate.score.value_or(best));
  const Candidate* chosen = nullptr;
  double least = 0;
  for (const Candidate& candidate : candidates) {
    if (!candidate.score || (*candidate.score < best && *candidate.score < kGoodEnough * best)) continue;
    const double price = cost(candidate, question.prompt_tokens);
    if (!chosen || price < least || (price == least && *candidate.score > *chosen->score)) {
      chosen = &candidate;
      least = price;
    }
  }
  notes.push_back(chosen->ref.model + " scores " + base::text_of(*chosen->score) + " in " + question.domain->name +
                  " (best " + base::text_of(best) + ")" +
                  (std::isinf(least) ? ", no prices known" : ", the cheapest that is good enough"));
  return *chosen;
}

const Candidate& heaviest(const std::vector<Candidate>& candidates) {
  return *std::max_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.ref.weight < b.ref.weight; });
}

bool selects(const Decision& decision) {
  const Algorithm::Kind kind = decision.algorithm.kind;
  return kind != Algorithm::Kind::kStatic && kind != Algorithm::Kind::kPlan;
}

const Candidate& selected(const std::vector<Candidate>& candidates, const ModelQuestion& question,
                          std::vector<std::string>& notes) {
  static const ModelMeasures kNothing{ModelCatalog{}};
  std::vector<SelectionCandidate> of;
  for (const Candidate& candidate : candidates) {
    const auto similarity = question.similarities.find(candidate.ref.model);
    of.push_back({.model = candidate.ref.model,
                  .card = candidate.card,
                  .cost = cost(candidate, question.prompt_tokens),
                  .tokens = static_cast<double>(question.prompt_tokens + kAssumedAnswerTokens)});
    if (similarity != question.similarities.end()) of.back().similarity = similarity->second;
  }
  const ModelMeasures& measures = question.measures == nullptr ? kNothing : *question.measures;
  return candidates[select_model(question.decision->algorithm, of, measures, notes)];
}

std::string effort_of(const ModelCatalog& catalog, const ModelRef& ref) {
  const std::string asked = ref.reasoning_effort.value_or("");
  if (!ref.use_reasoning) return asked == "none" || asked == "minimal" ? asked : "low";
  if (!asked.empty()) return asked;
  return catalog.default_reasoning_effort.empty() ? "medium" : catalog.default_reasoning_effort;
}

ModelChoice default_choice(const ModelCatalog& catalog, const ModelQuestion& question) {
  if (catalog.default_model.empty())
    base::fail(base::Status::kNotFound, "no model for the request: ",
               question.decision ? "decision " + question.decision->name + " names none" : "no decision matched",
               " and providers.defaults.default_model is not set");
  ModelChoice choice{.model = catalog.default_model};
  choice.notes.push_back(question.decision ? "the decision names no model: the default" : "no decision: the default");
  if (const CatalogModel* card = catalog.find(choice.model); !fits(card, question.prompt_tokens))
    choice.notes.push_back(too_long(*card, question.prompt_tokens));
  return choice;
}

bool asks_for_routing(const ModelCatalog& catalog, std::string_view requested) {
  const auto& names = catalog.auto_names;
  return requested.empty() || std::find(names.begin(), names.end(), requested) != names.end();
}

}  // namespace

ModelChoice choose_model(const ModelCatalog& catalog, const ModelQuestion& question) {
  if (!asks_for_routing(catalog, question.requested))
    return {.model = std::string(question.requested), .routed = false, .notes = {"the request names its model"}};
  std::vector<Candidate> candidates = candidates_of(catalog, question);
  if (candidates.empty()) return default_choice(catalog, question);
  ModelChoice choice;
  pass_over_small_windows(candidates, question.prompt_tokens, choice.notes);
  const bool scored =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.score.has_value(); });
  const Candidate& chosen = selects(*question.decision) ? selected(candidates, question, choice.notes)
                            : scored                    ? cheapest_good_enough(candidates, question, choice.notes)
                                                        : heaviest(candidates);
  choice.model = chosen.ref.model;
  choice.lora = chosen.ref.lora_name;
  choice.reasoning = chosen.ref.use_reasoning;
  choice.effort = effort_of(catalog, chosen.ref);
  return choice;
}

}  // namespace vsr::routing
