#include "lora/adapter_head.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "models/labels.h"
#include "models/registry.h"

namespace vsr::lora {

namespace fs = std::filesystem;
using base::fail;
using base::Status;

HeadLoader::HeadLoader(const Source& source)
    : source_(source),
      classifier_(models::naming_of(source.base.config).classifier),
      weights_(core::WeightStore::empty(source.tensors.store->path())) {
  weights_->set_device(source.base.weights.device());
  weights_->borrow(source_.base.weights, [this](const std::string& name) -> std::optional<std::string> {
    return name.starts_with(source_.prefix) ? name.substr(source_.prefix.size()) : name;
  });
  std::map<std::string, std::string> own_names;
  for (const auto& [name, stored] : source_.tensors.plain) own_names[stored] = name;
  weights_->borrow(*source_.tensors.store, [&](const std::string& stored) -> std::optional<std::string> {
    const auto found = own_names.find(stored);
    return found == own_names.end() ? std::nullopt : std::optional(found->second);
  });
  for (const auto& [name, stored] : source_.tensors.plain) own_.insert(name);
}

std::optional<core::HeadKind> HeadLoader::kind() const {
  const std::string& type = source_.config.task_type;
  if (type == "SEQ_CLS") return core::HeadKind::kSequence;
  if (type == "TOKEN_CLS") return core::HeadKind::kToken;
  if (type == "FEATURE_EXTRACTION") return std::nullopt;
  if (!type.empty()) {
    source_.config.json.at("task_type")
        .fail_unsupported("is \"" + type + "\", expected \"SEQ_CLS\", \"TOKEN_CLS\" or \"FEATURE_EXTRACTION\"");
  }
  if (source_.base.head) return source_.base.head;
  return saved_outputs() ? std::optional(core::HeadKind::kSequence) : std::nullopt;
}

std::optional<int64_t> HeadLoader::saved_outputs() const {
  const auto found = source_.tensors.plain.find(classifier_ + ".weight");
  if (found == source_.tensors.plain.end()) return std::nullopt;
  const core::Shape shape = source_.tensors.store->shape(found->second);
  if (shape.empty()) fail(Status::kWeights, weights_->path(), ": \"", found->second, "\" is a single number");
  return shape.front();
}

models::Labels HeadLoader::read_labels(const std::string& folder) const {
  const std::string map_path = (fs::path(folder) / "id2label.json").string();
  const std::string config_path = (fs::path(folder) / "config.json").string();
  const bool has_config = base::file_present(config_path);
  const base::JsonObject config = has_config ? base::read_json_file(config_path) : source_.base.config;
  const auto outputs = saved_outputs();
  models::Labels labels;
  std::string from = map_path;
  if (base::file_present(map_path)) {
    labels.names = models::label_names(base::read_json_file(map_path));
  } else if (has_config && config.contains("id2label")) {
    labels.names = models::label_names(config.required<base::JsonObject>("id2label"));
    from = config_path;
  } else if (outputs) {
    labels.names = models::numbered_labels(*outputs);
  } else {
    return source_.base.labels;
  }
  if (outputs && static_cast<int64_t>(labels.names.size()) != *outputs) {
    fail(Status::kWeights, from, ": has ", labels.names.size(), " labels, but \"",
         source_.tensors.plain.at(classifier_ + ".weight"), "\" in ", weights_->path(), " has ", *outputs, " rows");
  }
  labels.multi_label = models::is_multi_label(config, labels.names.size());
  return labels;
}

// Layers of a head are small and the adapter's alone, so what adapts them is folded into a copy.
void HeadLoader::fold_low_rank(const std::set<std::string>& used) {
  for (const auto& [name, parts] : source_.tensors.adapted) {
    if (used.contains(name)) continue;
    for (const std::string& in_base : {name, source_.prefix + name}) {
      if (!source_.base.weights.contains(in_base + ".weight")) continue;
      const core::Shape shape = source_.base.weights.shape(in_base + ".weight");
      if (shape.size() != 2) continue;
      const core::Module linear{in_base, shape[0], shape[1], std::nullopt};
      const core::ModuleUpdate update = source_.builder.build(parts, linear);
      weights_->put(name + ".weight", merged_weight(source_.base.weights, linear, update));
      own_.insert(name + ".weight");
      if (update.bias.defined()) {
        fail(Status::kUnsupported, weights_->path(), ": \"", parts.up_bias,
             "\" is a bias in a head, which vsr does not run");
      }
    }
  }
}

std::map<std::string, at::Tensor> HeadLoader::tensors() const {
  std::map<std::string, at::Tensor> tensors;
  for (const std::string& name : weights_->taken()) tensors[name] = weights_->take(name, weights_->shape(name));
  return tensors;
}

std::optional<core::ClassificationHead> HeadLoader::load(const std::string& folder, models::Labels& labels,
                                                         const std::set<std::string>& used) {
  const auto wanted = kind();
  if (!wanted) return std::nullopt;
  labels = read_labels(folder);
  fold_low_rank(used);
  core::ClassificationHead head = models::make_head(
      {source_.base.config, core::WeightScope(*weights_), static_cast<int64_t>(labels.names.size())}, *wanted);
  for (const std::string& name : own_) {
    if (!weights_->was_taken(name) || !source_.tensors.plain.contains(name)) continue;
    int64_t count = 1;
    for (const int64_t size : source_.tensors.store->shape(source_.tensors.plain.at(name))) count *= size;
    parameters_ += count;
  }
  return head;
}

}  // namespace vsr::lora
