#include "lora/module_update.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mm.h>

#include <optional>

#include "base/error.h"

namespace vsr::lora {
namespace {

using at::Tensor;
using base::fail;
using base::Status;
using core::Shape;
using core::shape_text;

}  // namespace

Tensor base_tensor(const core::WeightStore& base, const std::string& name, const Shape& shape) {
  const auto copy = core::WeightStore::empty(base.path());
  copy->set_device(base.device());
  copy->borrow(base, [&](const std::string& other) { return other == name ? std::optional(name) : std::nullopt; });
  return copy->take(name, shape);
}

Tensor merged_weight(const core::WeightStore& base, const core::Module& module, const core::ModuleUpdate& update) {
  const Tensor weight = base_tensor(base, module.name + ".weight", {module.out_features, *module.in_features});
  const Tensor own = update.scale.defined() ? weight.mul(update.scale.unsqueeze(1)) : weight.clone();
  return update.down.defined() ? own.add(at::mm(update.up, update.down)) : own;
}

void UpdateBuilder::check_shape(const std::string& stored_name, const Shape& expected,
                                const std::string& because) const {
  if (adapter_.shape(stored_name) == expected) return;
  fail(Status::kWeights, adapter_.path(), ": \"", stored_name, "\" is ", shape_text(adapter_.shape(stored_name)),
       ", expected ", shape_text(expected), ": ", because);
}

core::ModuleUpdate UpdateBuilder::build(const ModuleTensors& tensors, const core::Module& linear) const {
  const int64_t in_features = *linear.in_features;
  const std::string& module = tensors.trained_name;
  if (tensors.down.empty() || tensors.up.empty()) {
    fail(Status::kWeights, adapter_.path(), ": \"", module, "\" has only one of lora_A and lora_B");
  }
  if (config_.use_dora == tensors.magnitude.empty()) {
    fail(Status::kWeights, adapter_.path(), ": \"", module, "\" has ", config_.use_dora ? "no" : "a",
         " lora_magnitude_vector, but use_dora in ", config_.path, " is ", config_.use_dora ? "true" : "false");
  }
  const int64_t rank = targets_.rank(module);
  const double scaling = targets_.scaling(module);
  const std::string because = "the rank in " + config_.path + " is " + std::to_string(rank) + ", and \"" + linear.name +
                              "\" of " + base_.path() + " is " + shape_text({linear.out_features, in_features});
  check_shape(tensors.down, {rank, in_features}, because);
  check_shape(tensors.up, {linear.out_features, rank}, because);

  core::ModuleUpdate update;
  update.down = adapter_.take(tensors.down, {rank, in_features});
  update.up = adapter_.take(tensors.up, {linear.out_features, rank}).mul(scaling);
  if (!tensors.up_bias.empty()) {
    check_shape(tensors.up_bias, {linear.out_features}, because);
    update.bias = adapter_.take(tensors.up_bias, {linear.out_features}).mul(scaling);
  }
  if (!tensors.magnitude.empty()) {
    check_shape(tensors.magnitude, {linear.out_features}, because);
    const Tensor weight = base_tensor(base_, linear.name + ".weight", {linear.out_features, in_features});
    const Tensor norms = at::linalg_vector_norm(weight + at::mm(update.up, update.down), 2, at::IntArrayRef{1});
    update.scale = adapter_.take(tensors.magnitude, {linear.out_features}).div(norms);
    update.up.mul_(update.scale.unsqueeze(1));
    if (update.bias.defined()) update.bias.mul_(update.scale);
  }
  return update;
}

Tensor UpdateBuilder::bias_difference(const std::string& stored_name, const std::string& base_name,
                                      int64_t size) const {
  check_shape(stored_name, {size}, "so is \"" + base_name + "\" of " + base_.path());
  return adapter_.take(stored_name, {size}).sub(base_tensor(base_, base_name, {size}));
}

}  // namespace vsr::lora
