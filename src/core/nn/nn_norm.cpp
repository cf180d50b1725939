#include "core/nn/nn_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rms_norm.h>

#include "core/kernels/path.h"
#include "core/memory/buffers.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

using at::Tensor;

struct Parameters {
  kernels::Norm norm;
  const Tensor& weight;
  Tensor bias;  // undefined without one
  double eps;
};

template <class T>
kernels::NormRows<T> rows_from(kernels::NormRows<T> task, int64_t row) {
  const auto move = [offset = row * task.size](auto*& pointer) {
    if (pointer != nullptr) pointer += offset;
  };
  move(task.hidden);
  move(task.delta);
  move(task.sum);
  move(task.normed);
  move(task.output);
  return task;
}

template <class T>
void norm_rows(const kernels::NormRows<T>& task) {
  parallel_rows(task.rows, task.size, [&](int64_t begin, int64_t end) {
    kernels::NormRows<T> piece = rows_from(task, begin);
    piece.rows = end - begin;
    kernels::of<T>().norm(piece);
  });
}

template <class T>
kernels::NormRows<T> task_of(const Parameters& parameters, const Tensor& rows) {
  kernels::NormRows<T> task{};
  task.norm = parameters.norm;
  task.weight = kernels::data<float>(parameters.weight);
  task.bias = kernels::data_or_null<float>(parameters.bias);
  task.eps = static_cast<float>(parameters.eps);
  task.size = rows.size(-1);
  task.rows = rows.numel() / task.size;
  return task;
}

bool fits(const Tensor& tensor) { return kernels::runs_on(tensor) && tensor.is_contiguous() && tensor.numel() > 0; }

// The norm of `input`, which fits.
Tensor norm_of(const Parameters& parameters, const Tensor& input) {
  Tensor output = empty_buffer(input.sizes(), input.scalar_type());
  kernels::with_type_of(input, [&]<class T>() {
    kernels::NormRows<T> task = task_of<T>(parameters, input);
    Tensor sum;
    if constexpr (std::is_same_v<T, float>) {
      task.hidden = kernels::data<float>(input);
    } else {
      sum = empty_buffer(input.sizes(), at::kFloat);
      task.delta = kernels::data<T>(input);
      task.sum = kernels::data<float>(sum);
    }
    task.output = kernels::data<T>(output);
    norm_rows(task);
  });
  return output;
}

// Adds `delta` to `hidden` and gives the norm of the sum in delta's type.
Tensor add_and_norm(const Parameters& parameters, const Tensor& delta, const Tensor& hidden) {
  Tensor output = empty_buffer(delta.sizes(), delta.scalar_type());
  kernels::with_type_of(delta, [&]<class T>() {
    kernels::NormRows<T> task = task_of<T>(parameters, delta);
    task.hidden = kernels::data<float>(hidden);
    task.sum = kernels::data<float>(hidden);
    task.delta = kernels::data<T>(delta);
    task.output = kernels::data<T>(output);
    norm_rows(task);
  });
  return output;
}

// The norm of delta + hidden in float32; neither is changed.
Tensor norm_of_sum(const Parameters& parameters, const Tensor& delta, const Tensor& hidden) {
  Tensor output = empty_buffer(hidden.sizes(), hidden.scalar_type());
  kernels::with_type_of(delta, [&]<class T>() {
    kernels::NormRows<T> task = task_of<T>(parameters, delta);
    task.hidden = kernels::data<float>(hidden);
    task.delta = kernels::data<T>(delta);
    task.sum = kernels::data<float>(output);
    task.normed = kernels::data<float>(output);
    norm_rows(task);
  });
  return output;
}

}  // namespace

LayerNorm::LayerNorm(const WeightScope& weights, int64_t size, double eps, Bias bias)
    : id_(weights.add_module(size)), weight_(weights.take("weight", {size})), eps_(eps) {
  if (bias == Bias::kRequired) bias_ = weights.take("bias", {size});
}

at::Tensor LayerNorm::forward(const at::Tensor& input) const {
  if (fits(input)) return norm_of({kernels::Norm::kLayer, weight_, bias_, eps_}, input);
  return at::layer_norm(input.to(at::kFloat), weight_.sizes(), weight_, bias_, eps_).to(input.scalar_type());
}

at::Tensor LayerNorm::forward(const at::Tensor& input, const PackedBatch& batch) const {
  at::Tensor output = forward(input);
  apply_updates(batch.adapted, id_, input, bias_, output);
  return output;
}

at::Tensor LayerNorm::forward(ResidualStream& stream, const PackedBatch& batch) const {
  if (!stream.delta_.defined() || !fits(stream.delta_)) return forward(stream.hidden(), batch);
  at::Tensor output = add_and_norm({kernels::Norm::kLayer, weight_, bias_, eps_}, stream.delta_, stream.hidden_);
  stream.delta_.reset();
  apply_updates(batch.adapted, id_, stream.hidden_, bias_, output);
  return output;
}

at::Tensor LayerNorm::forward_sum(const at::Tensor& delta, const at::Tensor& hidden, const PackedBatch& batch) const {
  if (!fits(delta)) return forward(hidden.add(delta), batch);
  at::Tensor output = norm_of_sum({kernels::Norm::kLayer, weight_, bias_, eps_}, delta, hidden);
  apply_updates(batch.adapted, id_, hidden, bias_, output);
  return output;
}

RmsNorm::RmsNorm(const WeightScope& weights, int64_t size, double eps, Weight weight)
    : weight_(weights.take("weight", {size})), eps_(eps) {
  if (weight == Weight::kPlusOne) weight_ = weight_ + 1;  // a copy: what was taken may be a view of the file
}

at::Tensor RmsNorm::forward(const at::Tensor& input) const {
  if (fits(input)) return norm_of({kernels::Norm::kRms, weight_, {}, eps_}, input);
  return at::rms_norm(input.to(at::kFloat), weight_.sizes(), weight_, eps_).to(input.scalar_type());
}

at::Tensor RmsNorm::forward(ResidualStream& stream) const {
  if (!stream.delta_.defined() || !fits(stream.delta_)) return forward(stream.hidden());
  at::Tensor output = add_and_norm({kernels::Norm::kRms, weight_, {}, eps_}, stream.delta_, stream.hidden_);
  stream.delta_.reset();
  return output;
}

}  // namespace vsr::core
