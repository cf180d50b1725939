#include "core/linear/linear_packing.h"

#include "base/error.h"
#include "core/kernels/isa.h"
#include "core/linear/linear_float.h"
#include "core/linear/linear_integer.h"
#include "core/linear/linear_onednn.h"
#include "core/linear/linear_plain.h"
#include "core/linear/quantize.h"
#include "core/schedule/machine.h"

namespace vsr::core {
namespace {

using at::Tensor;

// LibTorch multiplies on a GPU in either type as it is.
std::shared_ptr<const LinearWeight> device_linear_weight(const Tensor& weight, LinearType type) {
  if (type != LinearType::kBFloat16) return plain_linear_weight(weight);
  return plain_copy(weight.to(at::kBFloat16));
}

// Where AVX2 is all there is, vsr's own product is faster than LibTorch's, most of all for few rows (bench/README.md);
// with AVX-512 that has not been measured.
bool packs_floats() { return kernels::runnable_isas().back() == kernels::Isa::kAvx2; }

}  // namespace

std::shared_ptr<const LinearWeight> pack_linear_weight(const Tensor& weight, LinearType type) {
  if (!weight.is_cpu()) return device_linear_weight(weight, type);
  switch (type) {
    case LinearType::kFloat32:
      return packs_floats() ? pack_floats(weight) : plain_linear_weight(weight);
    case LinearType::kBFloat16:
      return pack_for_onednn(weight, at::kBFloat16);
    case LinearType::kInt8:
      if (weight.size(1) > kMostQuantizedInputs) return plain_linear_weight(weight);
      return machine().int8 ? quantize_for_onednn(weight) : quantize_for_integers(weight);
  }
  base::fail(base::Status::kInternal, "linear type ", static_cast<int>(type), " has no weight");
}

}  // namespace vsr::core
