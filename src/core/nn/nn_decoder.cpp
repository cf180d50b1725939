#include "core/nn/nn_decoder.h"

#include "core/nn/nn_attention_cached.h"

namespace vsr::core {
GroupedAttention::GroupedAttention(const WeightScope& weights, int64_t hidden_size, const GroupedAttentionSpec& spec)
    : spec_(spec.attention),
      query_(weights.scope("q_proj"), hidden_size, spec_.heads * spec_.head_dim, spec.bias),
      key_(weights.scope("k_proj"), hidden_size, spec_.kv_heads * spec_.head_dim, spec.bias),
      value_(weights.scope("v_proj"), hidden_size, spec_.kv_heads * spec_.head_dim, spec.bias),
      output_(weights.scope("o_proj"), spec_.heads * spec_.head_dim, hidden_size, spec.bias),
      query_norm_(weights.scope("q_norm"), spec_.head_dim, spec.rms_norm_eps, spec.norm_weight),
      key_norm_(weights.scope("k_norm"), spec_.head_dim, spec.rms_norm_eps, spec.norm_weight) {}

at::Tensor GroupedAttention::forward(const at::Tensor& hidden, const RopeTable& rope, const KeptRows& rows,
                                     LayerCache* cache) const {
  const at::Tensor query = query_.forward(rows.take(hidden), rows.batch());
  const at::Tensor key = key_.forward(hidden, rows.source());
  rope.of(rows).rotate(query, &query_norm_);
  rope.rotate(key, &key_norm_);
  const at::Tensor value = value_.forward(hidden, rows.source());
  if (cache == nullptr) return output_.forward(attend(query, key, value, spec_, rows), rows.batch());
  cache->append(key, value);
  // The first tokens of a sequence see each other only, which needs no masks.
  const bool first = cache->size() == rows.source().total_tokens();
  return output_.forward(
      first ? attend(query, key, value, spec_, rows) : attend_cached(query, cache->key(), cache->value(), spec_),
      rows.batch());
}

GatedMlp::GatedMlp(const WeightScope& weights, int64_t hidden_size, int64_t intermediate_size, Activation activation)
    : activation_(activation),
      gate_(weights.scope("gate_proj"), hidden_size, intermediate_size, Linear::Bias::kNone),
      up_(weights.scope("up_proj"), hidden_size, intermediate_size, Linear::Bias::kNone),
      down_(weights.scope("down_proj"), intermediate_size, hidden_size, Linear::Bias::kNone) {}

at::Tensor GatedMlp::forward(const at::Tensor& hidden, const PackedBatch& batch) const {
  const at::Tensor gate = gate_.forward(hidden, batch);
  return down_.forward(activate_gate(activation_, gate, up_.forward(hidden, batch)), batch);
}

}  // namespace vsr::core
