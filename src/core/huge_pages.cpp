#include "core/huge_pages.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "base/error.h"

namespace vsr::core {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kPage = 4096;

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// `bytes` from a multiple of kHugePage on, all zero.
void* map_aligned(size_t bytes) {
  const size_t reserved = bytes + kHugePage;
  void* const map = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) base::fail(base::Status::kOutOfMemory, "out of memory: ", bytes, " bytes for weights");
  auto* const begin = static_cast<std::byte*>(map);
  const size_t head = round_up(reinterpret_cast<uintptr_t>(map), kHugePage) - reinterpret_cast<uintptr_t>(map);
  if (head > 0) ::munmap(begin, head);
  ::munmap(begin + head + bytes, reserved - head - bytes);
#ifdef MADV_HUGEPAGE
  ::madvise(begin + head, bytes, MADV_HUGEPAGE);  // where it fails, pages are small ones
#endif
  return begin + head;
}

}  // namespace

at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType type) {
  const auto options = at::TensorOptions().dtype(type);
  const auto needed = static_cast<size_t>(c10::multiply_integers(sizes)) * c10::elementSize(type);
  if (needed < kHugePage) return at::empty(sizes, options);
  const size_t bytes = round_up(needed, kPage);
  return at::from_blob(
      map_aligned(bytes), sizes, [bytes](void* begin) { ::munmap(begin, bytes); }, options);
}

}  // namespace vsr::core
