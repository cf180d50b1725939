// Memory for packed weights.
#pragma once

#include <ATen/core/Tensor.h>

namespace vsr::core {

// Like at::empty on the CPU; large tensors begin on pages of 2 MiB where Linux gives them ("madvise" or "always" in
// /sys/kernel/mm/transparent_hugepage/enabled). Filling those takes a fraction of the page faults, and reading them
// fewer entries of the TLB. No more memory is used than the values need, to a page of 4 KiB.
at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType type);

}  // namespace vsr::core
