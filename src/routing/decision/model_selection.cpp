#include "routing/decision/model_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/text_stream.h"

namespace vsr::routing {
namespace {

using Time = ModelMeasures::Time;
using Candidates = std::vector<SelectionCandidate>;
using Number = std::optional<double>;

size_t by_latency(const LatencySelection& latency, const Candidates& candidates, const ModelMeasures& measures,
                  std::vector<std::string>& notes) {
  std::vector<std::vector<double>> times(candidates.size());
  std::vector<double> fastest;
  for (const auto& [time, percent] :
       {std::pair(Time::kPerToken, latency.tpot_percentile), std::pair(Time::kFirstToken, latency.ttft_percentile)}) {
    if (percent == 0) continue;
    fastest.push_back(std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Number value = measures.percentile(candidates[i].model, time, percent);
      times[i].push_back(value.value_or(-1));
    }
  }
  const auto complete = [](const std::vector<double>& all) {
    return std::none_of(all.begin(), all.end(), [](double value) { return value < 0; });
  };
  for (const auto& all : times) {
    if (!complete(all)) continue;
    for (size_t k = 0; k < all.size(); ++k) fastest[k] = std::min(fastest[k], all[k]);
  }
  std::optional<size_t> best;
  double least = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!complete(times[i])) continue;
    double mean = 0;
    for (size_t k = 0; k < times[i].size(); ++k) mean += fastest[k] > 0 ? times[i][k] / fastest[k] : times[i][k] + 1;
    mean /= static_cast<double>(times[i].size());
    if (best && mean >= least) continue;
    best = i;
    least = mean;
  }
  notes.push_back(best
                      ? candidates[*best].model + " answers fastest (" + base::text_of(least) + " of the fastest times)"
                      : "no model was measured: the first");
  return best.value_or(0);
}

double price_per_1m(const SelectionCandidate& candidate) { return candidate.cost / candidate.tokens; }

bool within_limits(const FactorSelection& factors, const SelectionCandidate& candidate, const ModelMeasures& measures) {
  const auto above = [](const Number& value, const Number& limit) { return value && limit && *value > *limit; };
  const int percent = factors.latency_percentile;
  if (above(measures.percentile(candidate.model, Time::kPerToken, percent), factors.max_tpot_ms)) return false;
  if (above(measures.percentile(candidate.model, Time::kFirstToken, percent), factors.max_ttft_ms)) return false;
  if (std::isfinite(candidate.cost) && above(price_per_1m(candidate), factors.max_cost_per_1m)) return false;
  const auto in_flight = measures.in_flight(candidate.model);
  return !(in_flight && factors.max_inflight && *in_flight > *factors.max_inflight);
}

size_t cheapest(const Candidates& candidates) {
  const auto least = std::min_element(candidates.begin(), candidates.end(),
                                      [](const auto& a, const auto& b) { return a.cost < b.cost; });
  return static_cast<size_t>(least - candidates.begin());
}

size_t beyond_limits(const FactorSelection& factors, const Candidates& candidates, std::vector<std::string>& notes) {
  using NoCandidates = FactorSelection::NoCandidates;
  if (factors.on_no_candidates == NoCandidates::kFail) {
    base::fail(base::Status::kNotFound, "every model of the decision is beyond its limits (multi_factor.slo)");
  }
  const bool first = factors.on_no_candidates == NoCandidates::kFirst;
  notes.push_back(std::string("every model is beyond its limits: ") + (first ? "the first" : "the cheapest"));
  return first ? 0 : cheapest(candidates);
}

size_t by_factors(const FactorSelection& factors, const Candidates& candidates, const ModelMeasures& measures,
                  std::vector<std::string>& notes) {
  std::vector<size_t> left;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (within_limits(factors, candidates[i], measures)) left.push_back(i);
  }
  if (left.empty()) return beyond_limits(factors, candidates, notes);
  struct Factor {
    const char* name;
    double weight;
    std::function<Number(const SelectionCandidate&)> of;  // the more, the better
  };
  const int percent = factors.latency_percentile;
  const auto negative = [](const Number& value) { return value ? Number(-*value) : Number(); };
  const auto latency = [&](const SelectionCandidate& candidate) {
    const Number token = measures.percentile(candidate.model, Time::kPerToken, percent);
    return negative(token ? token : measures.percentile(candidate.model, Time::kFirstToken, percent));
  };
  const Factor all[] = {
      {"quality", factors.quality,
       [](const auto& c) { return c.card && c.card->quality_score > 0 ? Number(c.card->quality_score) : Number(); }},
      {"latency", factors.latency, latency},
      {"cost", factors.cost, [](const auto& c) { return std::isfinite(c.cost) ? Number(-c.cost) : Number(); }},
      {"load", factors.load, [&](const auto& c) {
         const auto in_flight = measures.in_flight(c.model);
         return in_flight ? Number(-static_cast<double>(*in_flight)) : Number();
       }}};
  const double weights = factors.quality + factors.latency + factors.cost + factors.load;
  std::vector<double> scores(left.size());
  std::string used;
  for (const Factor& factor : all) {
    const double weight = weights > 0 ? factor.weight / weights : 0.25;
    std::vector<double> values;
    for (const size_t i : left) {
      if (const Number value = factor.of(candidates[i])) values.push_back(*value);
    }
    if (weight == 0 || values.size() != left.size()) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    used += (used.empty() ? "" : ", ") + std::string(factor.name);
    if (*low == *high) continue;
    for (size_t k = 0; k < left.size(); ++k) scores[k] += weight * (values[k] - *low) / (*high - *low);
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  const size_t chosen = left[static_cast<size_t>(best - scores.begin())];
  notes.push_back(candidates[chosen].model + " is the best by " + (used.empty() ? "no factor that is known" : used));
  return chosen;
}

size_t by_description(const DescriptionSelection& selection, const Candidates& candidates,
                      std::vector<std::string>& notes) {
  std::optional<size_t> best;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Number& similarity = candidates[i].similarity;
    if (!similarity || *similarity < selection.min_similarity) continue;
    if (!best || *similarity > *candidates[*best].similarity) best = i;
  }
  notes.push_back(best ? "the question is nearest to what " + candidates[*best].model + " is described as (" +
                             base::text_of(*candidates[*best].similarity) + ")"
                       : "no model's description is near enough to the question: the first");
  return best.value_or(0);
}

// Each from the worst to the best of the candidates, 0 to 1; empty unless it is known of all, or the same of all.
std::vector<double> scaled(const Candidates& candidates, const std::function<Number(const SelectionCandidate&)>& of) {
  std::vector<double> values;
  for (const SelectionCandidate& candidate : candidates) {
    const Number value = of(candidate);
    if (!value) return {};
    values.push_back(*value);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = *least, high = *most;
  if (low == high) return {};
  for (double& value : values) value = (value - low) / (high - low);
  return values;
}

Number quality_of(const SelectionCandidate& candidate) {
  const bool known = candidate.card != nullptr && candidate.card->quality_score > 0;
  return known ? Number(candidate.card->quality_score) : Number();
}

Number cheapness_of(const SelectionCandidate& candidate) {
  return std::isfinite(candidate.cost) ? Number(-candidate.cost) : Number();
}

// The cheapest of those that are as good as the chosen one, but for the gap.
size_t nearly_as_good(const HybridSelection& hybrid, const Candidates& candidates, size_t chosen) {
  const Number quality = quality_of(candidates[chosen]);
  if (hybrid.quality_gap <= 0 || !quality) return chosen;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Number other = quality_of(candidates[i]);
    if (other && *other >= *quality - hybrid.quality_gap && candidates[i].cost < candidates[chosen].cost) chosen = i;
  }
  return chosen;
}

size_t by_hybrid(const HybridSelection& hybrid, const Candidates& candidates, std::vector<std::string>& notes) {
  const std::vector<double> quality = scaled(candidates, quality_of), cheapness = scaled(candidates, cheapness_of);
  std::vector<double> quality_for_cost(quality.empty() && cheapness.empty() ? 0 : candidates.size());
  for (size_t i = 0; i < quality_for_cost.size(); ++i) {
    quality_for_cost[i] = ((quality.empty() ? 0 : quality[i]) + (cheapness.empty() ? 0 : cheapness[i])) / 2;
  }
  struct Part {
    const char* name;
    double weight;
    std::vector<double> values;
  };
  const Part parts[] = {
      {"quality", hybrid.experience, quality},
      {"description", hybrid.descriptions, scaled(candidates, [](const auto& c) { return c.similarity; })},
      {"quality for cost", hybrid.quality_for_cost, quality_for_cost},
      {"cost", hybrid.cost, cheapness}};
  std::vector<double> scores(candidates.size());
  std::string used;
  for (const Part& part : parts) {
    if (part.weight == 0 || part.values.empty()) continue;
    used += (used.empty() ? "" : ", ") + std::string(part.name);
    for (size_t i = 0; i < scores.size(); ++i) scores[i] += part.weight * part.values[i];
  }
  const auto best = static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  const size_t chosen = nearly_as_good(hybrid, candidates, best);
  notes.push_back(candidates[best].model + " is the best by " + (used.empty() ? "no part that is known" : used));
  if (chosen != best) notes.push_back(candidates[chosen].model + " is nearly as good, and cheaper");
  return chosen;
}

}  // namespace

size_t select_model(const Algorithm& algorithm, const std::vector<SelectionCandidate>& candidates,
                    const ModelMeasures& measures, std::vector<std::string>& notes) {
  switch (algorithm.kind) {
    case Algorithm::Kind::kLatencyAware:
      return by_latency(algorithm.latency, candidates, measures, notes);
    case Algorithm::Kind::kMultiFactor:
      return by_factors(algorithm.factors, candidates, measures, notes);
    case Algorithm::Kind::kRouterDc:
      return by_description(algorithm.descriptions, candidates, notes);
    case Algorithm::Kind::kHybrid:
      return by_hybrid(algorithm.hybrid, candidates, notes);
    case Algorithm::Kind::kStatic:
    case Algorithm::Kind::kPlan:
      break;
  }
  base::fail(base::Status::kInternal, "the algorithm ", algorithm.type, " selects no model");
}

}  // namespace vsr::routing
