#include "core/heads.h"

namespace vsr::core {

at::Tensor ClassificationHead::forward(const at::Tensor& hidden, const PackedBatch& batch) const {
  at::Tensor rows = pooling ? pool(*pooling, hidden, batch) : hidden;
  if (dense) rows = activate(dense->activation, dense->linear.forward(rows));
  return classifier.forward(rows);
}

}  // namespace vsr::core
