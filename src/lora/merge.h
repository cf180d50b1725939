// Folding an adapter into a copy of its base, for deployments that have one task.
#pragma once

#include <string>

#include "lora/adapter.h"
#include "lora/adapter_base.h"

namespace vsr::lora {

// Writes `output`, a new folder with a checkpoint that needs neither peft nor the adapter: config.json with the head's
// architecture and labels, model.safetensors with names and types as the base has them, and copies of the base's other
// files (tokenizer, modules). `files` is the base's folder of config.json. Throws kInvalidArgument if `output` exists,
// kUnsupported for an adapter of embeddings whose base has a head, kIo, and what load_adapter() throws.
void merge_adapter(const std::string& adapter_path, const AdapterBase& base, const std::string& files,
                   const std::string& output);

}  // namespace vsr::lora
