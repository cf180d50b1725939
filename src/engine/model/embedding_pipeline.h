// From hidden states to embeddings: the modules that sentence-transformers puts after its Transformer.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "core/nn/nn_activation.h"
#include "core/nn/nn_linear.h"
#include "core/nn/pooling.h"
#include "core/weights/weights.h"
#include "engine/model/checkpoint_files.h"

namespace vsr::engine {

class EmbeddingPipeline {
 public:
  // Without modules: `default_pooling`, and normalisation unless the caller wants none. `device` is where the encoder's
  // hidden states are.
  EmbeddingPipeline(const std::optional<std::vector<ModuleEntry>>& modules, core::Pooling default_pooling,
                    int64_t hidden_size, at::Device device);

  // hidden [total_tokens, hidden_size] -> [sequences, dim()], of length 1 if normalizes(wanted).
  at::Tensor forward(const at::Tensor& hidden, const core::PackedBatch& batch, bool wanted) const;

  // The tokens of sequence i whose hidden states that takes.
  core::TokenRange tokens_read(const core::PackedBatch& batch, int64_t i) const;

  int64_t dim() const { return dim_; }
  // Whether sentence-transformers made the checkpoint.
  bool has_modules() const { return has_modules_; }
  // Whether the vectors of windows have length 1: the modules decide, or without modules the caller.
  bool normalizes(bool wanted) const { return has_modules_ ? normalizes_ : wanted; }
  // False: the tokens of a prompt stay out of the pooling.
  bool include_prompt() const { return include_prompt_; }
  // "mean", or "cls+mean" for two that are joined; for people.
  std::string pooling_name() const;
  // "Transformer", "Pooling", "Dense to 3072", "Normalize"; empty without modules.json. For people.
  const std::vector<std::string>& modules() const { return modules_; }
  // A hash of what follows the encoder: poolings, weights and activations of Dense modules, normalisation.
  uint64_t content_hash() const;

 private:
  struct Dense {
    core::Linear linear;
    core::Activation activation;
    std::shared_ptr<core::WeightStore> weights;
  };
  void read_pooling(const std::string& path);
  void read_dense(const std::string& folder, at::Device device);

  std::vector<std::string> modules_;
  std::vector<core::Pooling> poolings_;
  std::vector<Dense> dense_;
  int64_t dim_;
  bool has_modules_;
  bool normalizes_ = false;
  bool include_prompt_ = true;
};

}  // namespace vsr::engine
