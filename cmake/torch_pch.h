// The LibTorch headers that nearly every file of core, models and engine includes; precompiled once.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#if defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#error "LibTorch uses the C++11 ABI of std::string: build with _GLIBCXX_USE_CXX11_ABI=1"
#endif
