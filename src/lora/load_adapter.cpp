#include "lora/load_adapter.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "core/schedule/torch_call.h"
#include "lora/adapter_config.h"
#include "lora/adapter_head.h"
#include "lora/adapter_tensors.h"
#include "lora/module_update.h"
#include "lora/target_modules.h"
#include "models/registry.h"
#include "text/regex/match_work.h"

namespace vsr::lora {
namespace {

using base::fail;
using base::Status;

// The base's modules by their names without the prefix of models with a head.
std::map<std::string, core::ModuleId> modules_by_name(const AdapterBase& base, const std::string& prefix) {
  std::map<std::string, core::ModuleId> ids;
  for (core::ModuleId id = 0; id < base.encoder_modules; ++id) {
    const std::string& name = base.weights.modules()[id].name;
    ids.emplace(name.starts_with(prefix) ? name.substr(prefix.size()) : name, id);
  }
  return ids;
}

class Loader {
 public:
  Loader(const std::string& path, const AdapterBase& base)
      : base_(base),
        config_(read_adapter_config(path)),
        targets_(config_),
        prefix_(models::naming_of(base.config).prefix),
        tensors_(read_adapter_tensors(path, prefix_)),
        builder_(config_, targets_, base.weights, *tensors_.store),
        ids_(modules_by_name(base, prefix_)) {
    tensors_.store->set_device(base.weights.device());
  }

  void load(Adapter& adapter) {
    check_targets();
    adapter.updates.resize(base_.encoder_modules);
    adapter.first_block = base_.layers;
    for (const auto& [name, parts] : tensors_.adapted) adapt(adapter, name, parts);
    if (config_.bias != "none") take_biases(adapter);
    HeadLoader head({config_, base_, tensors_, builder_, prefix_});
    adapter.head = head.load(adapter.path, adapter.labels, used_);
    adapter.head_tensors = head.tensors();
    check_all_used(head);
    adapter.parameters = tensors_.store->parameters() + head.parameters();
    adapter.head_parameters = head.parameters();
    adapter.bytes_in_memory = tensors_.store->bytes_in_memory() + head.bytes_in_memory();
  }

 private:
  void check_targets() const {
    std::vector<std::string> names;
    for (const auto& [name, id] : ids_) names.push_back(tensors_.trained_prefix + name);
    for (const auto& [name, parts] : tensors_.adapted) names.push_back(parts.trained_name);
    if (const auto unknown = targets_.unknown_target(names)) {
      fail(Status::kWeights, config_.path, ": \"target_modules\" has \"", *unknown, "\", which no module of ",
           base_.path, " is called");
    }
    for (const auto& [name, id] : ids_) {
      const bool is_linear = base_.weights.modules()[id].in_features.has_value();
      if (is_linear && targets_.selects(tensors_.trained_prefix + name) && !tensors_.adapted.contains(name)) {
        fail(Status::kWeights, tensors_.store->path(), ": has no lora_A and lora_B for \"", name, "\" of ", base_.path,
             ", which target_modules of ", config_.path, " selects");
      }
    }
    for (const auto& [name, parts] : tensors_.adapted) {
      if (targets_.selects(parts.trained_name)) continue;
      fail(Status::kWeights, tensors_.store->path(), ": adapts \"", parts.trained_name, "\", which target_modules of ",
           config_.path, " does not select");
    }
  }

  void adapt(Adapter& adapter, const std::string& name, const ModuleTensors& parts) {
    const auto found = ids_.find(name);
    if (found == ids_.end()) return;  // of a head, or of nothing: see check_all_used
    const core::Module& module = base_.weights.modules()[found->second];
    if (!module.in_features) {
      fail(Status::kUnsupported, tensors_.store->path(), ": adapts \"", name, "\", which is no linear layer");
    }
    adapter.updates[found->second] = builder_.build(parts, module);
    adapter.rank = std::max(adapter.rank, targets_.rank(parts.trained_name));
    changes(adapter, module);
    used_.insert(name);
  }

  void take_biases(Adapter& adapter) {
    for (const auto& [name, stored] : tensors_.plain) {
      if (!name.ends_with(".bias")) continue;
      const auto found = ids_.find(name.substr(0, name.size() - 5));
      if (found == ids_.end()) continue;
      const core::Module& module = base_.weights.modules()[found->second];
      auto& update = adapter.updates[found->second];
      if (!update) update.emplace();
      const at::Tensor difference = builder_.bias_difference(stored, module.name + ".bias", module.out_features);
      update->bias = update->bias.defined() ? update->bias.add(difference) : difference;
      changes(adapter, module);
      used_.insert(name);
    }
  }

  // What is outside of the blocks is taken to be in front of them, which is always right.
  static void changes(Adapter& adapter, const core::Module& module) {
    adapter.first_block = std::min(adapter.first_block, module.block.value_or(0));
  }

  // Whatever was saved must change what vsr computes, or something of the base that the task does not need.
  void check_all_used(const HeadLoader& head) const {
    for (const auto& [name, parts] : tensors_.adapted) {
      if (!used_.contains(name) && !head.uses(name + ".weight")) check_idle(name + ".weight", parts.trained_name);
    }
    for (const auto& [name, stored] : tensors_.plain) {
      if (!used_.contains(name) && !head.uses(name)) check_idle(name, stored);
    }
  }

  void check_idle(const std::string& name, const std::string& stored) const {
    for (const std::string& in_base : {name, prefix_ + name}) {
      if (!base_.weights.contains(in_base)) continue;
      if (!base_.weights.was_taken(in_base)) return;
      fail(Status::kUnsupported, tensors_.store->path(), ": \"", stored, "\" replaces a tensor of the base ",
           base_.path, ", where vsr runs low-rank updates and biases only");
    }
    fail(Status::kWeights, tensors_.store->path(), ": \"", stored, "\" fits nothing in the base ", base_.path);
  }

  const AdapterBase& base_;
  const AdapterConfig config_;
  const TargetModules targets_;
  const std::string prefix_;
  const AdapterTensors tensors_;
  const UpdateBuilder builder_;
  const std::map<std::string, core::ModuleId> ids_;
  std::set<std::string> used_;  // names as in `tensors_`
};

}  // namespace

std::shared_ptr<const Adapter> load_adapter(const std::string& name, const std::string& path, const AdapterBase& base) {
  const core::OneThread alone;
  const text::MatchWork work(text::match_steps(0));  // of all its expressions on all names of the base
  auto adapter = std::make_shared<Adapter>();
  adapter->name = name;
  adapter->path = path;
  Loader(path, base).load(*adapter);
  return adapter;
}

}  // namespace vsr::lora
