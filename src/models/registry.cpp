#include "models/registry.h"

#include <array>
#include <string_view>

#include "base/error.h"

namespace vsr::models {
namespace {

struct Architecture {
  std::string_view model_type;
  LoadedParts (*make)(const ModelSource&);
};

constexpr std::array<Architecture, 4> kArchitectures{{
    {"bert", &make_bert},
    {"gemma3_text", &make_gemma3},
    {"modernbert", &make_modernbert},
    {"qwen3", &make_qwen3},
}};

}  // namespace

std::string ModelSource::architecture() const {
  const auto names = config.optional<std::vector<std::string>>("architectures", {});
  return names.empty() ? "" : names.front();
}

LoadedParts make_model(const ModelSource& source) {
  const auto model_type = source.config.required<std::string>("model_type");
  std::string known;
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.model_type == model_type) return architecture.make(source);
    known += (known.empty() ? "" : ", ") + std::string(architecture.model_type);
  }
  base::fail(base::Status::kUnsupported, source.config.path(), ": model_type \"", model_type,
             "\" is not one that vsr runs (", known, ")");
}

}  // namespace vsr::models
