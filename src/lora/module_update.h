// One module's part of an adapter, from its tensors to what a forward pass adds.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/linear/row_updates.h"
#include "core/weights/weights.h"
#include "lora/adapter_config.h"
#include "lora/adapter_tensors.h"
#include "lora/target_modules.h"

namespace vsr::lora {

// A tensor of the base in float32, whether or not the base's model took it.
at::Tensor base_tensor(const core::WeightStore& base, const std::string& name, const core::Shape& shape);

// The weight [out, in] that does what the module's weight and the update do.
at::Tensor merged_weight(const core::WeightStore& base, const core::Module& module, const core::ModuleUpdate& update);

class UpdateBuilder {
 public:
  UpdateBuilder(const AdapterConfig& config, const TargetModules& targets, const core::WeightStore& base,
                core::WeightStore& adapter)
      : config_(config), targets_(targets), base_(base), adapter_(adapter) {}

  // Throws kWeights where tensors are missing or fit neither the config nor the base, naming both sides.
  core::ModuleUpdate build(const ModuleTensors& tensors, const core::Module& linear) const;
  // What a trained bias adds to the base's.
  at::Tensor bias_difference(const std::string& stored_name, const std::string& base_name, int64_t size) const;

 private:
  void check_shape(const std::string& stored_name, const core::Shape& expected, const std::string& because) const;

  const AdapterConfig& config_;
  const TargetModules& targets_;
  const core::WeightStore& base_;
  core::WeightStore& adapter_;
};

}  // namespace vsr::lora
