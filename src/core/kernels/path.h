// Which path a forward pass takes: vsr's kernels, or the plain operators of LibTorch that they are checked against.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/kernels/table.h"

namespace vsr::core::kernels {

// While one of these lives, this thread's forward passes use LibTorch's operators only.
class PlainPath {
 public:
  PlainPath();
  ~PlainPath();
  PlainPath(const PlainPath&) = delete;
  PlainPath& operator=(const PlainPath&) = delete;

 private:
  bool before_;
};

// Whether the kernels can work on this tensor: float32 or bfloat16 in the processor's memory, its last dimension dense.
bool runs_on(const at::Tensor& tensor);

// The kernels, and a tensor's memory, by type of element.
template <class T>
const Kernels<T>& of();
template <>
inline const Kernels<float>& of() {
  return table().f32;
}
template <>
inline const Kernels<Bf16>& of() {
  return table().bf16;
}

template <class T>
T* data(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.mutable_data_ptr());
}
template <class T>
T* data_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? data<T>(tensor) : nullptr;
}

// body.operator()<T>() with the tensor's type of element, which must be one that runs_on() accepts.
template <class Body>
auto with_type_of(const at::Tensor& tensor, const Body& body) {
  return tensor.scalar_type() == at::kFloat ? body.template operator()<float>() : body.template operator()<Bf16>();
}

}  // namespace vsr::core::kernels
