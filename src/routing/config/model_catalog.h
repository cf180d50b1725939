// The models that a request can go to: `routing.modelCards` and `providers` of a config file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vsr::routing {

// How a family of models is told to reason.
struct ReasoningFamily {
  enum class Type { kChatTemplateKwargs, kReasoningEffort, kTopLevelReasoningEffort, kThinking };
  Type type = Type::kChatTemplateKwargs;
  std::string parameter;  // may be dotted: "reasoning.effort"
};

struct CatalogModel {
  std::string name;
  int64_t context_window = 0;  // tokens; 0: not known
  double quality_score = 0;
  std::string description = {};
  std::vector<std::string> capabilities = {};
  std::vector<std::string> loras = {};
  std::string reasoning_family = {};
  std::string api_format = {};
  std::string currency = {};                           // of the prices; empty: not said
  std::optional<double> prompt_per_1m = std::nullopt;  // price
  std::optional<double> completion_per_1m = std::nullopt;
};

struct ModelCatalog {
  std::string default_model = {};
  std::string default_reasoning_effort = "medium";
  std::map<std::string, ReasoningFamily> reasoning_families = {};
  std::vector<CatalogModel> models = {};           // of modelCards and providers.models, joined by name
  std::vector<std::string> auto_names = {"auto"};  // names in a request that ask for routing

  const CatalogModel* find(const std::string& name) const {
    for (const CatalogModel& model : models) {
      if (model.name == name) return &model;
    }
    return nullptr;
  }
};

}  // namespace vsr::routing
