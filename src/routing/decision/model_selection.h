// Which of several candidates an algorithm selects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/algorithm.h"
#include "routing/config/model_catalog.h"
#include "routing/decision/model_measures.h"

namespace vsr::routing {

struct SelectionCandidate {
  std::string model;
  const CatalogModel* card = nullptr;  // null: not in the catalog
  double cost = 0;    // of the request, in millionths of the price's currency; infinite without a price
  double tokens = 0;  // prompt and assumed answer
  std::optional<double> similarity = std::nullopt;  // of the question to its description
};

// The index of the one that is selected, with a line for people in `notes`. Of equals the first.
//
// latency_aware: of each time with a percentile the ratio to the fastest's, their mean the least; only those that have
// all times are compared, and where none has the first is taken. multi_factor: those beyond a limit that was measured
// are out; of quality, latency (per token, else to the first), cost and load each that is known of all that are left
// counts, scaled from the worst to the best of them. router_dc: the nearest description, if it is near enough, else the
// first. hybrid: the largest sum of weights times quality (`quality_score`), similarity of the description, the mean of
// quality and cheapness, and cheapness, each scaled from the worst to the best and left out unless it is known of all;
// the cheapest whose quality is at most `quality_gap` less takes its place. Throws kNotFound when on_no_candidates is
// fail.
size_t select_model(const Algorithm& algorithm, const std::vector<SelectionCandidate>& candidates,
                    const ModelMeasures& measures, std::vector<std::string>& notes);

}  // namespace vsr::routing
