// One module's part of an adapter, from its tensors to what a forward pass adds.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/row_updates.h"
#include "core/weights.h"
#include "lora/adapter_config.h"
#include "lora/adapter_tensors.h"
#include "lora/target_modules.h"

namespace vsr::lora {

// A linear layer of the base.
struct BaseLinear {
  std::string name;  // as the base's file has it
  int64_t in_features;
  int64_t out_features;
};

class UpdateBuilder {
 public:
  UpdateBuilder(const AdapterConfig& config, const TargetModules& targets, const core::WeightStore& base,
                core::WeightStore& adapter)
      : config_(config), targets_(targets), base_(base), adapter_(adapter) {}

  // Throws kWeights where tensors are missing or fit neither the config nor the base, naming both sides.
  core::ModuleUpdate build(const ModuleTensors& tensors, const BaseLinear& linear) const;
  // The weight [out, in] that does what the base's weight and the update do.
  at::Tensor merged_weight(const core::ModuleUpdate& update, const BaseLinear& linear) const;
  // What a trained bias adds to the base's.
  at::Tensor bias_difference(const std::string& stored_name, const std::string& base_name, int64_t size) const;
  at::Tensor base_tensor(const std::string& name, const core::Shape& shape) const;

 private:
  void check_shape(const std::string& stored_name, const core::Shape& expected, const std::string& because) const;

  const AdapterConfig& config_;
  const TargetModules& targets_;
  const core::WeightStore& base_;
  core::WeightStore& adapter_;
};

}  // namespace vsr::lora
