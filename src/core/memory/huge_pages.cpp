#include "core/memory/huge_pages.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>

#include <cstdint>
#include <memory>

#include "base/error.h"

namespace vsr::core {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

HugePages::HugePages(size_t bytes) : bytes_(round_up(bytes, kPage)) {
  const size_t reserved = bytes_ + kHugePage;
  void* const map = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    base::fail(base::Status::kOutOfMemory, "out of memory: ", bytes_, " bytes could not be mapped");
  auto* const begin = static_cast<std::byte*>(map);
  const auto address = reinterpret_cast<uintptr_t>(map);
  const size_t head = round_up(address, kHugePage) - address;
  if (head > 0) ::munmap(begin, head);
  if (head < kHugePage) ::munmap(begin + head + bytes_, kHugePage - head);
  data_ = begin + head;
#ifdef MADV_HUGEPAGE
  ::madvise(data_, bytes_, MADV_HUGEPAGE);  // where it fails, pages are small ones
#endif
}

HugePages::~HugePages() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType type) {
  const auto options = at::TensorOptions().dtype(type);
  const size_t bytes = bytes_of(sizes, type);
  if (bytes < kHugePage) return at::empty(sizes, options);
  auto pages = std::make_shared<HugePages>(bytes);
  void* const data = pages->data();
  return at::from_blob(
      data, sizes, [pages = std::move(pages)](void*) {}, options);
}

}  // namespace vsr::core
