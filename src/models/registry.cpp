#include "models/registry.h"

#include <array>
#include <string>

#include "base/error.h"
#include "models/architectures.h"

namespace vsr::models {
namespace {

constexpr std::array kArchitectures{
    &kBert,
    &kGemma3,
    &kModernBert,
    &kQwen3,
};

const Architecture& architecture_of(const base::JsonObject& config) {
  const auto model_type = config.required<std::string>("model_type");
  std::string known;
  for (const Architecture* architecture : kArchitectures) {
    if (architecture->model_type == model_type) return *architecture;
    known += (known.empty() ? "" : ", ") + std::string(architecture->model_type);
  }
  base::fail(base::Status::kUnsupported, config.path(), ": model_type \"", model_type, "\" is not one that vsr runs (",
             known, ")");
}

}  // namespace

LoadedParts make_model(const ModelSource& source) { return architecture_of(source.config).make(source); }

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  return architecture_of(source.config).make_head(source, kind);
}

const Naming& naming_of(const base::JsonObject& config) { return architecture_of(config).naming; }

}  // namespace vsr::models
