// Rotary position embeddings (arXiv:2104.09864), in the layout of transformers: dimension i turns with i + head_dim
// / 2.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "core/batch/kept_rows.h"
#include "core/nn/nn_norm.h"

namespace vsr::core {

// What one forward pass needs: one angle for each token and each pair of dimensions.
struct RopeTable {
  at::Tensor cos;  // float32 [total_tokens, 1, head_dim / 2]
  at::Tensor sin;

  // Turns rows [total_tokens, heads * head_dim] in place; a strided view will do. With a norm over head_dim each head
  // is normalised first.
  void rotate(const at::Tensor& rows, const RmsNorm* head_norm = nullptr) const;
  // The angles of the kept tokens.
  RopeTable of(const KeptRows& rows) const { return {rows.take(cos), rows.take(sin)}; }
};

// What the config asked for.
struct RopeInfo {
  std::string type = "default";
  double theta = 0;
  double factor = 1;
};

class Rope {
 public:
  // inverse_frequencies: float32 [head_dim / 2]; the attention factor of YaRN scales cosine and sine.
  Rope(at::Tensor inverse_frequencies, double attention_factor)
      : inverse_frequencies_(std::move(inverse_frequencies)), attention_factor_(attention_factor) {}

  RopeInfo info;

  bool is_finite() const;
  // position_ids: int64 [total_tokens]; the table is for rows on `device`.
  RopeTable table(const at::Tensor& position_ids, at::Device device) const;

 private:
  at::Tensor inverse_frequencies_;
  double attention_factor_;
};

struct RopeDefaults {
  double rope_theta;  // where the parameters name none
  int64_t head_dim;
  int64_t max_position_embeddings;
};

// From the objects that config.json has as "rope_parameters" or "rope_scaling"; a key is taken from the first that has
// it, and none of them at all means unscaled frequencies. Types: default, linear, llama3, yarn (arXiv:2309.00071).
// Throws kUnsupported for another type, kParse for numbers that make no frequencies; `config_path` is for messages.
Rope read_rope(const std::vector<base::JsonObject>& parameters, const RopeDefaults& defaults,
               const std::string& config_path);

}  // namespace vsr::core
