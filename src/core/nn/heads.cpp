#include "core/nn/heads.h"

namespace vsr::core {

at::Tensor ClassificationHead::forward(const at::Tensor& hidden, const PackedBatch& batch) const {
  at::Tensor rows = hidden;
  if (pooling && pad_token_id) {
    rows = pool_last_unpadded(hidden, batch, *pad_token_id);
  } else if (pooling) {
    rows = pool(*pooling, hidden, batch);
  }
  if (dense) {
    rows = activate(dense->activation, dense->linear.forward(rows));
    if (dense->norm) rows = dense->norm->forward(rows);
  }
  return classifier.forward(rows);
}

TokenRange ClassificationHead::tokens_read(const PackedBatch& batch, int64_t i) const {
  if (!pooling) return batch.whole(i);
  return pad_token_id ? last_unpadded(batch, i, *pad_token_id) : pooled_tokens(*pooling, batch, i);
}

}  // namespace vsr::core
