// One checkpoint in memory: tokenizer, encoder, head, and how its embeddings are made. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chat/chat_template.h"
#include "core/causal_lm.h"
#include "core/encoder.h"
#include "core/nn/heads.h"
#include "core/schedule/compute_pool.h"
#include "core/weights/weights.h"
#include "engine/config/engine_options.h"
#include "engine/config/model_traits.h"
#include "engine/model/checkpoint_files.h"
#include "engine/model/embedding_pipeline.h"
#include "lora/adapter_base.h"
#include "models/labels.h"
#include "text/tokens/tokenizer.h"

namespace vsr::engine {

class LoadedModel {
 public:
  // Reads and checks every file. `compute` runs the forward passes and outlives the model. A tokenizer whose files are
  // those of one of the `earlier` models is shared with it, so that a text is tokenized once for both.
  static std::shared_ptr<const LoadedModel> load(const ModelOptions& options, core::ComputePool& compute,
                                                 std::span<const std::shared_ptr<const LoadedModel>> earlier = {});

  std::string name;
  std::string path;
  std::string files;         // the folder of config.json, weights and tokenizer: `path` or one in it
  std::string architecture;  // "BertModel"
  std::shared_ptr<const text::Tokenizer> tokenizer;
  std::unique_ptr<core::Encoder> encoder;
  const core::CausalLm* causal_lm = nullptr;  // the encoder itself, where it predicts tokens
  std::optional<core::ClassificationHead> head;
  models::Labels labels;  // of the head; empty without one
  std::optional<EmbeddingPipeline> embedding;
  Prompts prompts;
  ModelTraits traits;
  std::vector<int32_t> eos_tokens;                  // of a causal LM
  std::optional<chat::ChatTemplate> chat_template;  // of a causal LM
  size_t max_tokens = 0;                            // of one window, special tokens included
  std::string max_tokens_source;
  // What an adapter sees; borrows from the model.
  lora::AdapterBase adapter_base() const;

  std::string dtype;   // what linear layers compute in: core/linear/linear_type.h
  std::string device;  // "cpu", "cuda:0": core/schedule/device.h
  int64_t parameters = 0;
  int64_t bytes_in_memory = 0;
  // Where passes run. Throws kState for a model on a GPU in a child made by fork(): CUDA does not outlive one.
  core::ComputePool& compute() const;

  // Tells the model's vectors from another's: its name, dim, and a hash of config.json, weights and pooling, which the
  // first call computes.
  std::string fingerprint() const;

 private:
  core::ComputePool* compute_ = nullptr;
  uint64_t loaded_in_ = 0;  // which process: base::fork_generation()
  std::shared_ptr<core::WeightStore> weights_;
  std::optional<base::JsonObject> config_;
  size_t encoder_modules_ = 0;
  uint64_t config_hash_ = core::kHashSeed;
  mutable std::once_flag hashed_;
  mutable uint64_t hash_ = 0;
};

}  // namespace vsr::engine
