#include "models/registry.h"

#include <array>
#include <string_view>

#include "base/error.h"

namespace vsr::models {
namespace {

struct Architecture {
  std::string_view model_type;
  LoadedParts (*make)(const ModelSource&);
  core::ClassificationHead (*make_head)(const ModelSource&, core::HeadKind);
  Naming naming;
};

constexpr std::array<Architecture, 4> kArchitectures{{
    {"bert",
     &make_bert,
     &make_bert_head,
     {"bert.", "classifier", "BertForSequenceClassification", "BertForTokenClassification"}},
    {"gemma3_text", &make_gemma3, &make_gemma3_head, {"model.", "score", "Gemma3TextForSequenceClassification", ""}},
    {"modernbert",
     &make_modernbert,
     &make_modernbert_head,
     {"model.", "classifier", "ModernBertForSequenceClassification", "ModernBertForTokenClassification"}},
    {"qwen3",
     &make_qwen3,
     &make_qwen3_head,
     {"model.", "score", "Qwen3ForSequenceClassification", "Qwen3ForTokenClassification"}},
}};

const Architecture& architecture_of(const base::JsonObject& config) {
  const auto model_type = config.required<std::string>("model_type");
  std::string known;
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.model_type == model_type) return architecture;
    known += (known.empty() ? "" : ", ") + std::string(architecture.model_type);
  }
  base::fail(base::Status::kUnsupported, config.path(), ": model_type \"", model_type, "\" is not one that vsr runs (",
             known, ")");
}

}  // namespace

std::string ModelSource::architecture() const {
  const auto names = config.optional<std::vector<std::string>>("architectures", {});
  return names.empty() ? "" : names.front();
}

LoadedParts make_model(const ModelSource& source) { return architecture_of(source.config).make(source); }

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  return architecture_of(source.config).make_head(source, kind);
}

const Naming& naming_of(const base::JsonObject& config) { return architecture_of(config).naming; }

}  // namespace vsr::models
