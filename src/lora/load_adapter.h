// Reads an adapter from its folder.
#pragma once

#include <memory>
#include <string>

#include "lora/adapter.h"
#include "lora/adapter_base.h"

namespace vsr::lora {

// Loads adapter_config.json and adapter_model.safetensors of `path`, and the labels in id2label.json or config.json.
// Throws kNotFound, kIo, kParse, kWeights for tensors that do not fit the config or the base (naming both sides),
// kUnsupported for kinds of adapters that vsr does not run.
std::shared_ptr<const Adapter> load_adapter(const std::string& name, const std::string& path, const AdapterBase& base);

}  // namespace vsr::lora
