#include "lora/merge.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_replace.h"
#include "core/schedule/torch_call.h"
#include "core/weights/safetensors_writer.h"
#include "lora/load_adapter.h"
#include "lora/module_update.h"
#include "models/registry.h"

namespace vsr::lora {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::Status;
using Json = nlohmann::json;

// A folder under a temporary name, which gets its own once it is complete, and is removed if it never is.
class NewFolder {
 public:
  explicit NewFolder(const std::string& path) : path_(path), part_(path + ".part") {
    if (fs::exists(path_)) fail(Status::kInvalidArgument, path, ": exists already");
    std::error_code error;
    fs::remove_all(part_, error);
    if (!fs::create_directories(part_, error) || error) fail(Status::kIo, part_.string(), ": cannot be made");
  }
  ~NewFolder() {
    std::error_code ignored;
    fs::remove_all(part_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  std::string operator/(const fs::path& name) const { return (part_ / name).string(); }
  void finish() const {
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) fail(Status::kIo, path_.string(), ": ", error.message());
  }

 private:
  fs::path path_, part_;
};

// Everything but weights and config.json.
bool is_small_file(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kEndings{".json", ".txt", ".model", ".spm", ".jinja"};
  const std::string name = path.filename().string();
  if (name == "config.json" || name.ends_with(".safetensors.index.json")) return false;
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

void copy_file(const fs::path& from, const std::string& to) {
  std::error_code error;
  fs::create_directories(fs::path(to).parent_path(), error);
  if (!fs::copy_file(from, to, error) || error) fail(Status::kIo, to, ": ", error.message());
}

// Tokenizer, limits, prompts; with embeddings also the modules after the encoder.
void copy_files(const fs::path& from, bool with_modules, const NewFolder& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    const bool is_module_list = name == "modules.json";
    if (entry.is_regular_file() && is_small_file(name) && (with_modules || !is_module_list)) {
      copy_file(entry.path(), to / name);
    } else if (entry.is_directory() && with_modules) {
      for (const auto& inner : fs::directory_iterator(entry.path())) {
        if (inner.is_regular_file()) copy_file(inner.path(), to / (name / inner.path().filename()));
      }
    }
  }
}

class Merger {
 public:
  Merger(const Adapter& adapter, const AdapterBase& base)
      : adapter_(adapter), base_(base), naming_(models::naming_of(base.config)) {
    for (const std::string& name : base.weights.names()) is_bare_ = is_bare_ && !name.starts_with(naming_.prefix);
  }

  // The tensors of the merged checkpoint: the base's as stored, what changed in float32.
  std::vector<core::NewTensor> tensors() {
    replace_encoder_tensors();
    for (const auto& [name, tensor] : adapter_.head_tensors) change(headed_name(name), tensor);
    std::vector<core::NewTensor> all;
    for (const std::string& name : base_.weights.names()) {
      if (!is_kept(name)) continue;
      if (const std::string merged_name = headed_name(name); !changed_.contains(merged_name)) {
        all.push_back(stored_tensor(name, merged_name));
      }
    }
    for (const auto& [name, tensor] : changed_) {
      const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
      all.push_back({name, core::StoredType::kF32, tensor.sizes().vec(), tensor.nbytes(),
                     [data](size_t offset, std::byte* to, size_t size) { std::memcpy(to, data + offset, size); }});
    }
    return all;
  }

  Json config() const {
    Json config = base_.config.node();
    config["dtype"] = "float32";
    config.erase("torch_dtype");
    if (!adapter_.head) return config;
    const bool is_sequence = adapter_.head->kind == core::HeadKind::kSequence;
    config["architectures"] = {is_sequence ? naming_.sequence_architecture : naming_.token_architecture};
    config.erase("num_labels");
    config["id2label"] = Json::object();
    config["label2id"] = Json::object();
    for (size_t i = 0; i < adapter_.labels.names.size(); ++i) {
      config["id2label"][std::to_string(i)] = adapter_.labels.names[i];
      config["label2id"][adapter_.labels.names[i]] = i;
    }
    config.erase("problem_type");
    if (adapter_.labels.multi_label) config["problem_type"] = "multi_label_classification";
    return config;
  }

 private:
  void change(const std::string& name, const at::Tensor& tensor) { changed_[name] = tensor.cpu().contiguous(); }

  core::NewTensor stored_tensor(const std::string& name, const std::string& merged_name) const {
    const core::StoredTensor& stored = base_.weights.stored(name);
    return {
        merged_name, stored.type, stored.shape, stored.bytes,
        [this, name](size_t offset, std::byte* to, size_t size) { base_.weights.read_stored(name, offset, to, size); }};
  }

  // As it is called in a checkpoint with a head.
  std::string headed_name(const std::string& name) const {
    if (!adapter_.head || name.starts_with(naming_.prefix)) return name;
    const bool in_encoder = is_bare_ && base_.weights.contains(name);
    const bool below_prefix = base_.weights.contains(std::string(naming_.prefix) + name);
    return in_encoder || below_prefix ? std::string(naming_.prefix) + name : name;
  }

  // What the base has for another head, or for predicting tokens, goes.
  bool is_kept(const std::string& name) const {
    if (!adapter_.head) return true;
    if (encoder_tensors_.contains(name)) return true;
    if (!base_.weights.was_taken(name)) return false;
    return !name_of_module(name);
  }

  // The module of the base's own head that a tensor belongs to.
  std::optional<core::ModuleId> name_of_module(const std::string& name) const {
    const auto& modules = base_.weights.modules();
    for (core::ModuleId id = base_.encoder_modules; id < modules.size(); ++id) {
      if (name == modules[id].name + ".weight" || name == modules[id].name + ".bias") return id;
    }
    return std::nullopt;
  }

  void replace_encoder_tensors() {
    for (core::ModuleId id = 0; id < base_.encoder_modules; ++id) {
      const core::Module& module = base_.weights.modules()[id];
      for (const char* part : {".weight", ".bias"}) {
        if (base_.weights.contains(module.name + part)) encoder_tensors_.insert(module.name + part);
      }
      if (id >= adapter_.updates.size() || !adapter_.updates[id]) continue;
      const core::ModuleUpdate& update = *adapter_.updates[id];
      if (update.down.defined() || update.scale.defined()) {
        change(headed_name(module.name + ".weight"), merged_weight(base_.weights, module, update));
      }
      if (update.bias.defined()) {
        if (!base_.weights.contains(module.name + ".bias")) {
          fail(Status::kUnsupported, adapter_.path, ": adds a bias to \"", module.name, "\" of ", base_.path,
               ", which has none");
        }
        const at::Tensor bias = base_tensor(base_.weights, module.name + ".bias", {module.out_features});
        change(headed_name(module.name + ".bias"), bias + update.bias);
      }
    }
  }

  const Adapter& adapter_;
  const AdapterBase& base_;
  const models::Naming& naming_;
  bool is_bare_ = true;  // no name of the base has the prefix of checkpoints with a head
  std::set<std::string> encoder_tensors_;
  std::map<std::string, at::Tensor> changed_;
};

}  // namespace

void merge_adapter(const std::string& adapter_path, const AdapterBase& base, const std::string& files,
                   const std::string& output) {
  const core::OneThread alone;
  const auto adapter = load_adapter("merged", adapter_path, base);
  if (!adapter->head && base.head) {
    fail(Status::kUnsupported, adapter_path, ": adapts embeddings, but ", base.path, " has a head, which would remain");
  }
  const NewFolder folder(output);
  Merger merger(*adapter, base);
  core::write_safetensors(folder / "model.safetensors", merger.tensors());
  base::replace_file(folder / "config.json", merger.config().dump(2) + "\n", 0666);
  copy_files(files, !adapter->head, folder);
  folder.finish();
}

}  // namespace vsr::lora
