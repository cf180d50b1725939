#include "core/kernels/path.h"

namespace vsr::core::kernels {
namespace {

thread_local bool plain = false;

}  // namespace

PlainPath::PlainPath() : before_(plain) { plain = true; }
PlainPath::~PlainPath() { plain = before_; }

bool runs_on(const at::Tensor& tensor) {
  const at::ScalarType type = tensor.scalar_type();
  return !plain && tensor.is_cpu() && (type == at::kFloat || type == at::kBFloat16) && tensor.stride(-1) == 1;
}

}  // namespace vsr::core::kernels
