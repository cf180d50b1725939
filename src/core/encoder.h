// What a model gives to the tasks: hidden states from tokens. Implementations live in src/models.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "core/batch/kept_rows.h"
#include "core/nn/nn_rope.h"

namespace vsr::core {

// How the layers of one kind attend; for people.
struct AttentionInfo {
  std::string type;  // "full_attention", "sliding_attention"
  int64_t layers = 0;
  bool causal = false;
  std::optional<int64_t> window = std::nullopt;  // tokens to a side
  std::optional<RopeInfo> rope = std::nullopt;   // without: learned positions
};

struct EncoderInfo {
  int64_t num_hidden_layers = 0;
  int64_t hidden_size = 0;
  int64_t num_attention_heads = 0;
  int64_t num_key_value_heads = 0;
  int64_t head_dim = 0;
  int64_t intermediate_size = 0;
  int64_t vocab_size = 0;
  int64_t type_vocab_size = 0;  // token type ids run from 0 to this - 1; 0: the model has no types and ignores them
  int64_t max_position_embeddings = 0;
  std::vector<AttentionInfo> attention = {};  // kinds that no layer has are left out
};

// Blocks first .. last - 1.
struct BlockRange {
  int64_t first;
  int64_t last;
  const KeptRows* kept = nullptr;  // what leaves the last of them, of the pass's batch; null: all rows

  // The rows that leave block i, of a batch whose rows are `all`.
  const KeptRows& leaving(int64_t i, const KeptRows& all) const {
    return kept != nullptr && i + 1 == last ? *kept : all;
  }
};

// Hidden states are float32 [total_tokens, hidden_size]. A pass can be made in parts, with other rows in each, so that
// tasks that differ in their last blocks only share the first ones.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual const EncoderInfo& info() const = 0;

  // What enters the first block.
  virtual at::Tensor embed(const PackedBatch& batch) const = 0;
  // What leaves the last of `blocks`, [kept tokens, hidden_size], when `hidden` enters the first; may overwrite
  // `hidden`, which the caller gives up.
  virtual at::Tensor run_blocks(at::Tensor hidden, const PackedBatch& batch, BlockRange blocks) const = 0;
  // What follows the last block that was run; `batch` is that of the rows which left it.
  virtual at::Tensor final_norm(const at::Tensor& hidden, const PackedBatch& batch) const = 0;
};

}  // namespace vsr::core
