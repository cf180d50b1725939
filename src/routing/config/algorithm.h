// `algorithm` of a decision: how one of its models is chosen, or what the gateway does with several.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vsr::routing {

struct LatencySelection {
  int tpot_percentile = 0;  // 0: not compared
  int ttft_percentile = 0;
};

struct FactorSelection {
  enum class NoCandidates { kCheapest, kFirst, kFail };
  double quality = 0.25, latency = 0.25, cost = 0.25, load = 0.25;  // weights
  std::optional<double> max_tpot_ms = std::nullopt;
  std::optional<double> max_ttft_ms = std::nullopt;
  std::optional<double> max_cost_per_1m = std::nullopt;
  std::optional<int64_t> max_inflight = std::nullopt;
  int latency_percentile = 95;
  NoCandidates on_no_candidates = NoCandidates::kCheapest;
};

struct DescriptionSelection {
  double min_similarity = 0.3;  // of the question and a model's description
  bool require_descriptions = false;
  bool use_capabilities = true;
};

// A weighted sum of what is known of the models, and the cheaper one where it is nearly as good.
struct HybridSelection {
  double experience = 0.25, descriptions = 0.25, quality_for_cost = 0.25, cost = 0.25;  // weights
  double quality_gap = 0;  // of quality_score, which a cheaper model may lack
};

struct Algorithm {
  enum class Kind {
    kStatic,        // the domain's scores, else the greatest weight
    kLatencyAware,  // by what the gateway measured
    kMultiFactor,
    kRouterDc,
    kHybrid,
    kPlan,  // models are called more than once: the gateway does it, by Decision::plan
  };
  Kind kind = Kind::kStatic;
  std::string type = "static";
  std::string parameters = {};  // of kPlan: the file's, as JSON
  LatencySelection latency = {};
  FactorSelection factors = {};
  DescriptionSelection descriptions = {};
  HybridSelection hybrid = {};
};

}  // namespace vsr::routing
