// Large pieces of memory, on pages of 2 MiB where Linux gives them ("madvise" or "always" in
// /sys/kernel/mm/transparent_hugepage/enabled): filling those takes a fraction of the page faults, and reading them
// fewer entries of the TLB. No more is used than asked for, to a page of 4 KiB.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <utility>

namespace vsr::core {

constexpr size_t kHugePage = size_t{2} << 20;

inline size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

inline size_t bytes_of(at::IntArrayRef sizes, at::ScalarType type) {
  return static_cast<size_t>(c10::multiply_integers(sizes)) * c10::elementSize(type);
}

// Mapped by itself, and given back to the system at the end.
class HugePages {
 public:
  explicit HugePages(size_t bytes);  // throws kOutOfMemory
  HugePages(HugePages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  HugePages& operator=(HugePages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~HugePages();

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* data_;
  size_t bytes_;
};

// Like at::empty on the CPU, for what is filled once and read often; small tensors are the allocator's.
at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType type);

}  // namespace vsr::core
