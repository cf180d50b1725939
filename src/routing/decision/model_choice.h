// Which model a request goes to, once its decision is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/config/model_catalog.h"
#include "routing/config/router_config.h"
#include "routing/decision/model_measures.h"

namespace vsr::routing {

// A model is good enough for a domain when its score is at least this share of the best candidate's.
constexpr double kGoodEnough = 0.9;
// Answer tokens that a request is taken to cost when models are compared by price.
constexpr int64_t kAssumedAnswerTokens = 500;

struct ModelQuestion {
  std::string_view requested = {};                  // `model` of the request; empty asks for routing
  const Decision* decision = nullptr;               // nullptr: none matched
  const DomainRule* domain = nullptr;               // the matched domain, if any
  int64_t prompt_tokens = 0;                        // estimated
  const ModelMeasures* measures = nullptr;          // for algorithms that compare them; nullptr: nothing is measured
  std::map<std::string, double> similarities = {};  // by model, of the question to its description (router_dc)
};

struct ModelChoice {
  std::string model;                             // of the catalog, or as the request names it
  std::string lora = {};                         // takes the model's place in the request, when not empty
  bool routed = true;                            // false: the request named its own model and stays as it is
  std::optional<bool> reasoning = std::nullopt;  // absent: no decision says anything of it
  std::string effort = {};                       // with `reasoning`
  std::vector<std::string> notes = {};           // for people: why this one
};

// In this order:
// 1. A request that names a model of its own, none of `catalog.auto_names`, keeps it.
// 2. Candidates are the decision's modelRefs; of a decision without them the domain's model_scores. Those whose context
//    window cannot hold the prompt are passed over, as long as another can.
// 3. Where the domain scores candidates, those that it does not score are out, and the cheapest that is good enough
//    (kGoodEnough) wins, by what the request would cost with kAssumedAnswerTokens of answer. One without a price counts
//    as dearer than any with one; equal costs go to the higher score, then to the earlier. Without scores the greatest
//    weight wins, then the earlier. A decision's algorithm that selects by other things (model_selection.h) is asked
//    instead.
// 4. Without candidates it is the default model.
// The effort is the modelRef's, else the catalog's default, else "medium". With reasoning off it is "low", which every
// model with efforts takes, unless the modelRef names one of "none", "minimal" and "low".
// Throws kNotFound when nothing names a model.
ModelChoice choose_model(const ModelCatalog& catalog, const ModelQuestion& question);

}  // namespace vsr::routing
