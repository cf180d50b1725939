#include "routing/config/router_config.h"

#include <algorithm>

namespace vsr::routing {

bool RouterConfig::answers_similar() const {
  const auto similar = [](const Recipe& recipe) { return recipe.config->answers_similar(); };
  if (std::any_of(recipes.begin(), recipes.end(), similar)) return true;
  return cache.semantic.enabled || std::any_of(decisions.begin(), decisions.end(), [](const Decision& decision) {
           return decision.plugins.response_cache && decision.plugins.response_cache->semantic;
         });
}

}  // namespace vsr::routing
