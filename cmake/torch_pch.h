// The LibTorch headers that nearly every file of core, models and engine includes; precompiled once.
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>
