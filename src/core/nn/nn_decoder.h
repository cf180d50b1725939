// What the decoders that followed Llama share: grouped-query attention with normalised heads, and a gated MLP.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch/batch.h"
#include "core/nn/kv_cache.h"
#include "core/nn/nn_activation.h"
#include "core/nn/nn_attention.h"
#include "core/nn/nn_linear.h"
#include "core/nn/nn_norm.h"
#include "core/nn/nn_rope.h"
#include "core/weights/weights.h"

namespace vsr::core {

struct GroupedAttentionSpec {
  AttentionSpec attention;
  double rms_norm_eps;
  Linear::Bias bias;
  RmsNorm::Weight norm_weight;
};

// Grouped-query attention (arXiv:2305.13245); queries and keys are normalised per head before they are turned.
class GroupedAttention {
 public:
  // Takes q_proj, k_proj, v_proj, o_proj, q_norm and k_norm.
  GroupedAttention(const WeightScope& weights, int64_t hidden_size, const GroupedAttentionSpec& spec);
  // hidden: all rows of the source; returns the kept ones. With a cache, all are kept, and the batch's only sequence
  // goes on where the cache ends, sees what it holds and is added to it.
  at::Tensor forward(const at::Tensor& hidden, const RopeTable& rope, const KeptRows& rows,
                     LayerCache* cache = nullptr) const;

 private:
  AttentionSpec spec_;
  Linear query_, key_, value_, output_;
  RmsNorm query_norm_, key_norm_;
};

// A gated linear unit (arXiv:2002.05202): down_proj(activation(gate_proj(x)) * up_proj(x)).
class GatedMlp {
 public:
  // Takes gate_proj, up_proj and down_proj, which have no bias.
  GatedMlp(const WeightScope& weights, int64_t hidden_size, int64_t intermediate_size, Activation activation);
  at::Tensor forward(const at::Tensor& hidden, const PackedBatch& batch) const;

 private:
  Activation activation_;
  Linear gate_, up_, down_;
};

}  // namespace vsr::core
