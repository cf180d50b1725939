#include "models/output_words.h"

#include <ATen/ops/linear.h>

namespace vsr::models {

at::Tensor OutputWords::logits(const at::Tensor& hidden) const {
  std::call_once(widened_->once, [this] { widened_->table = table_.to(at::kFloat); });
  return at::linear(hidden, widened_->table);
}

// As the reference: a table that is stored twice is one, and one that differs counts whatever the config says.
OutputWords take_output_words(const ModelSource& source, const core::WeightScope& weights, const at::Tensor& words,
                              bool tied_by_default) {
  const core::WeightStore& store = source.weights.store();
  const bool tied = source.config.optional<bool>("tie_word_embeddings", tied_by_default);
  if (!store.contains("lm_head.weight")) return tied ? OutputWords(words) : OutputWords();
  if (tied && store.same_data("lm_head.weight", weights.name("embed_tokens.weight"))) return OutputWords(words);
  return OutputWords(source.weights.take_table("lm_head.weight", words.sizes().vec()));
}

}  // namespace vsr::models
