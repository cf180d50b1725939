#include "core/kernels/attention_kernel.h"
#include "core/kernels/float_kernels.h"
#include "core/kernels/integer_kernels.h"
#include "core/kernels/quantize_kernels.h"
#include "core/kernels/row_kernels.h"

namespace vsr::core::kernels::baseline {

#include "core/kernels/table.inc"

}  // namespace vsr::core::kernels::baseline
