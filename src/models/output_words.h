// The matrix with which a causal LM turns hidden states into logits.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>

#include "models/architecture.h"

namespace vsr::models {

class OutputWords {
 public:
  OutputWords() = default;
  // table: [vocab_size, hidden_size], as WeightStore::take_table() gives it. One that is not float32 is widened when
  // logits are first asked for: many a causal LM only ever embeds.
  explicit OutputWords(at::Tensor table) : table_(std::move(table)), widened_(std::make_shared<Widened>()) {}

  // False for a checkpoint that does not predict tokens.
  bool defined() const { return table_.defined(); }
  // hidden: float32 [rows, hidden_size] -> float32 [rows, vocab_size]. Thread-safe.
  at::Tensor logits(const at::Tensor& hidden) const;

 private:
  struct Widened {
    std::once_flag once;
    at::Tensor table;
  };
  at::Tensor table_;
  std::shared_ptr<Widened> widened_;
};

// Of lm_head.weight where the checkpoint has one of its own; of `words`, which is "embed_tokens.weight" of `weights`,
// where config.json ties the two.
OutputWords take_output_words(const ModelSource& source, const core::WeightScope& weights, const at::Tensor& words,
                              bool tied_by_default);

}  // namespace vsr::models
