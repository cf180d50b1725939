// The tensors of an adapter_model.safetensors, sorted by what they are.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/weights/weights.h"

namespace vsr::lora {

// What one module has; a part that is absent is an empty name.
struct ModuleTensors {
  std::string trained_name;  // of the module in the model that was trained
  std::string down;          // lora_A.weight
  std::string up;            // lora_B.weight
  std::string up_bias;       // lora_B.bias
  std::string magnitude;     // lora_magnitude_vector
  std::string bias;          // the module's own, which was trained too
};

struct AdapterTensors {
  std::shared_ptr<core::WeightStore> store;
  // Of modules with low-rank matrices, by their name without the prefix of models with a head ("bert.", "model.").
  std::map<std::string, ModuleTensors> adapted;
  // All others, by such a name with the tensor's own: "classifier.weight" -> the name in the file.
  std::map<std::string, std::string> plain;
  // That prefix, if the model that was trained had one.
  std::string trained_prefix;
};

// Throws kNotFound, kIo, kWeights; kUnsupported for an adapted embedding.
AdapterTensors read_adapter_tensors(const std::string& folder, const std::string& prefix);

}  // namespace vsr::lora
