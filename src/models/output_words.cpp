#include "models/output_words.h"

namespace vsr::models {

// As the reference: a table that is stored twice is one, and one that differs counts whatever the config says.
at::Tensor take_output_words(const ModelSource& source, const core::WeightScope& weights, const at::Tensor& words,
                             bool tied_by_default) {
  const core::WeightStore& store = source.weights.store();
  const bool tied = source.config.optional<bool>("tie_word_embeddings", tied_by_default);
  if (!store.contains("lm_head.weight")) return tied ? words : at::Tensor();
  if (tied && store.same_data("lm_head.weight", weights.name("embed_tokens.weight"))) return words;
  return source.weights.take("lm_head.weight", words.sizes().vec());
}

}  // namespace vsr::models
