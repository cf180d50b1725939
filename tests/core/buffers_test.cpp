#include "core/memory/buffers.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace vsr::core;

namespace {

constexpr int64_t kRows = 4096, kColumns = 1000;  // 16 MB

at::Tensor large(int64_t rows = kRows) { return empty_buffer({rows, kColumns}, at::kFloat); }

}  // namespace

TEST_CASE("buffers: within a scope a large tensor takes over the memory of one that is gone", "[core][buffers]") {
  const BufferScope scope;
  at::Tensor first = large();
  const at::Tensor second = large();
  CHECK(second.data_ptr() != first.data_ptr());
  const void* const memory = first.data_ptr();
  first.reset();
  CHECK(large(kRows / 3).data_ptr() != memory);  // far smaller: the memory is kept for what needs it
  CHECK(large(kRows - 10).data_ptr() == memory);
  const at::Tensor again = large();
  CHECK(again.data_ptr() == memory);
  CHECK(again.sizes() == at::IntArrayRef({kRows, kColumns}));
}

TEST_CASE("buffers: a tensor outlives its scope, and may end on another thread", "[core][buffers]") {
  at::Tensor kept;
  {
    const BufferScope outer;
    const at::Tensor below = large().fill_(1);
    const void* memory = nullptr;
    {
      const BufferScope inner;
      kept = large().fill_(2);
      memory = kept.data_ptr();
    }
    CHECK(large().data_ptr() != memory);
    CHECK(below.sum().item<double>() == static_cast<double>(kRows * kColumns));
  }
  CHECK(kept.sum().item<double>() == 2.0 * static_cast<double>(kRows * kColumns));
  std::thread([tensor = std::move(kept)]() mutable { tensor.reset(); }).join();
}

TEST_CASE("buffers: small tensors, and those outside of a scope, are the allocator's own", "[core][buffers]") {
  CHECK(large().numel() == kRows * kColumns);
  const BufferScope scope;
  CHECK(empty_buffer({0, 5}, at::kFloat).numel() == 0);
  CHECK(empty_buffer({3, 5}, at::kBFloat16).scalar_type() == at::kBFloat16);
}
