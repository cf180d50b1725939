#include "core/heads.h"

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

}  // namespace vsr::core
