#include "lora/adapter_tensors.h"

#include <array>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace vsr::lora {
namespace {

using base::fail;
using base::Status;

constexpr std::string_view kPeftPrefix = "base_model.model.";

struct Ending {
  std::string_view text;
  std::string ModuleTensors::*part;
};
constexpr std::array<Ending, 5> kEndings{{{".lora_A.weight", &ModuleTensors::down},
                                          {".lora_B.weight", &ModuleTensors::up},
                                          {".lora_B.bias", &ModuleTensors::up_bias},
                                          {".lora_magnitude_vector", &ModuleTensors::magnitude},
                                          {".lora_magnitude_vector.weight", &ModuleTensors::magnitude}}};

void remove_part(std::string& name, std::string_view part) {
  if (const size_t at = name.find(part); at != name.npos) name.erase(at, part.size() - 1);
}

// With bias "all", peft saves the biases of a saved module several times: the copies are no one's.
bool is_copy(std::string_view name) {
  return name.find(".original_module.") != name.npos || name.find(".modules_to_save.") != name.npos;
}

}  // namespace

AdapterTensors read_adapter_tensors(const std::string& folder, const std::string& prefix) {
  AdapterTensors tensors;
  const std::string path = (std::filesystem::path(folder) / "adapter_model.safetensors").string();
  tensors.store = core::WeightStore::open_file(path);
  for (const std::string& stored : tensors.store->names()) {
    if (!stored.starts_with(kPeftPrefix)) {
      fail(Status::kWeights, path, ": \"", stored, "\" does not begin with \"", kPeftPrefix, "\", as what peft saves");
    }
    if (is_copy(stored)) continue;
    std::string name = stored.substr(kPeftPrefix.size());
    if (name.starts_with(prefix)) {
      name.erase(0, prefix.size());
      tensors.trained_prefix = prefix;
    }
    if (name.find(".lora_embedding_") != name.npos) {
      fail(Status::kUnsupported, path, ": \"", stored, "\" adapts an embedding, which vsr does not run");
    }
    bool is_adapted = false;
    for (const Ending& ending : kEndings) {
      if (!name.ends_with(ending.text)) continue;
      ModuleTensors& module = tensors.adapted[name.substr(0, name.size() - ending.text.size())];
      module.*ending.part = stored;
      module.trained_name = stored.substr(kPeftPrefix.size(), stored.size() - kPeftPrefix.size() - ending.text.size());
      is_adapted = true;
    }
    if (is_adapted) continue;
    remove_part(name, ".base_layer.");
    tensors.plain[name] = stored;
  }
  return tensors;
}

}  // namespace vsr::lora
