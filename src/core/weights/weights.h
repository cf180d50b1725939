// The tensors of a checkpoint, taken by their own names. Whatever is taken is checked; whatever nobody took is an
// error.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/linear/linear_type.h"
#include "core/linear/row_updates.h"
#include "core/weights/safetensors.h"

namespace vsr::core {

using Shape = std::vector<int64_t>;
// "[4, 768]"
std::string shape_text(const Shape& shape);

// FNV-1a over 64-bit words: enough to tell checkpoints apart, and no defence against forgery.
constexpr uint64_t kHashSeed = 0xCBF29CE484222325;
constexpr uint64_t mix_hash(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001B3; }

// A layer that adapters may change, under the name that its weights have in the checkpoint.
struct Module {
  std::string name;  // "layers.3.attn.Wqkv"
  int64_t out_features;
  std::optional<int64_t> in_features;  // a norm has none
  std::optional<int64_t> block;        // none before and after the blocks
};

// All tensors of model.safetensors, or of the shards that model.safetensors.index.json lists.
class WeightStore {
 public:
  // Reads the headers. Throws kNotFound, kIo, kParse or kWeights.
  static std::shared_ptr<WeightStore> open_folder(const std::string& folder);
  static std::shared_ptr<WeightStore> open_file(const std::string& path);

  // An empty store, to be filled with borrow(); `path` is what errors call it.
  static std::shared_ptr<WeightStore> empty(std::string path);
  // Takes over the tensors of another store, without copying them, under the names that `rename` gives; where it gives
  // none the tensor stays away. What has the name of an earlier one replaces it.
  void borrow(const WeightStore& other, const std::function<std::optional<std::string>(const std::string&)>& rename);
  // Adds a computed tensor, or puts it in the place of the one of that name.
  void put(const std::string& name, at::Tensor tensor) { computed_.insert_or_assign(name, std::move(tensor)); }
  // How many tensors are stored, and the longest side of any.
  size_t size() const { return tensors_.size(); }
  int64_t longest_side() const;
  // The names of all stored tensors; the shape of one, computed ones included.
  std::vector<std::string> names() const;
  Shape shape(const std::string& name) const;
  const StoredTensor& stored(const std::string& name) const { return tensors_.at(name).tensor; }
  // Reads a part of a stored tensor's bytes. Throws kIo, also when the file was changed since it was opened.
  void read_stored(const std::string& name, size_t offset, std::byte* to, size_t size) const;
  bool was_taken(const std::string& name) const { return taken_.contains(name); }
  const std::set<std::string>& taken() const { return taken_; }

  bool contains(const std::string& name) const { return tensors_.contains(name) || computed_.contains(name); }
  // Whether two tensors hold the same bytes in the same type and shape; false for computed ones.
  bool same_data(const std::string& a, const std::string& b) const;
  // A float32 tensor of the given shape on device(). Throws kWeights, also for values that are not finite, and kIo,
  // also when the file was changed since it was opened.
  at::Tensor take(const std::string& name, const Shape& shape) { return take(name, shape, Halves::kWidened); }
  // The same of a table of which a pass reads some rows only: bfloat16 or float16 where the file has that.
  at::Tensor take_table(const std::string& name, const Shape& shape) { return take(name, shape, Halves::kAsStored); }
  // Throws kWeights naming the tensors that nobody took and no pattern matches. A pattern is a name, or a prefix that
  // ends with '*', or a suffix that begins with '*'.
  void finish(const std::vector<std::string_view>& ignored) const;

  // The modules built from these weights so far; a ModuleId is an index.
  const std::vector<Module>& modules() const { return modules_; }
  ModuleId add_module(Module module);

  // In which type the linear layers that are built from these weights compute; float32 if nobody asked for another.
  LinearType linear_type() const { return linear_type_; }
  void set_linear_type(LinearType type) { linear_type_ = type; }
  // Where the tensors that are taken live; the processor's memory if nobody asked for another.
  at::Device device() const { return device_; }
  void set_device(at::Device device) { device_ = device; }
  // Says that a layer has made a packed copy of what it took, which is gone.
  void replaced(int64_t taken_bytes, int64_t packed_bytes) { bytes_in_memory_ += packed_bytes - taken_bytes; }

  // Elements and stored bytes of what was taken.
  int64_t parameters() const { return parameters_; }
  int64_t bytes_in_memory() const { return bytes_in_memory_; }
  // A 64-bit hash of all stored data; reads every byte.
  uint64_t content_hash() const;
  const std::string& path() const { return path_; }

 private:
  enum class Halves { kWidened, kAsStored };
  struct Located {
    StoredTensor tensor;
    std::shared_ptr<const base::OpenFile> file;
  };
  explicit WeightStore(std::string path) : path_(std::move(path)) {}
  void add(const SafetensorsFile& file);
  at::Tensor take(const std::string& name, const Shape& shape, Halves halves);

  std::string path_;
  std::map<std::string, Located> tensors_;
  std::map<std::string, at::Tensor> computed_;
  std::set<std::string> taken_;
  std::vector<Module> modules_;
  LinearType linear_type_ = LinearType::kFloat32;
  at::Device device_ = at::kCPU;
  int64_t parameters_ = 0;
  int64_t bytes_in_memory_ = 0;
};

// A place in a store's names: scope("attn").take("Wqkv.weight", ...) takes "<prefix>attn.Wqkv.weight".
class WeightScope {
 public:
  explicit WeightScope(WeightStore& store) : WeightScope(store, "", std::nullopt) {}

  WeightScope scope(const std::string& name) const { return {*store_, prefix_ + name + ".", block_}; }
  // The scope of a block.
  WeightScope scope(const std::string& name, int64_t index) const {
    return {*store_, prefix_ + name + "." + std::to_string(index) + ".", index};
  }
  bool contains(const std::string& name) const { return store_->contains(prefix_ + name); }
  std::string name(const std::string& name) const { return prefix_ + name; }
  at::Tensor take(const std::string& name, const Shape& shape) const { return store_->take(prefix_ + name, shape); }
  at::Tensor take_table(const std::string& name, const Shape& shape) const {
    return store_->take_table(prefix_ + name, shape);
  }
  // Says that the module of this scope is one that adapters may change.
  ModuleId add_module(int64_t out_features, std::optional<int64_t> in_features = std::nullopt) const {
    return store_->add_module({prefix_.substr(0, prefix_.size() - 1), out_features, in_features, block_});
  }
  void replaced(int64_t taken_bytes, int64_t packed_bytes) const { store_->replaced(taken_bytes, packed_bytes); }
  bool in_block() const { return block_.has_value(); }
  WeightStore& store() const { return *store_; }

 private:
  WeightScope(WeightStore& store, std::string prefix, std::optional<int64_t> block)
      : store_(&store), prefix_(std::move(prefix)), block_(block) {}

  WeightStore* store_;
  std::string prefix_;
  std::optional<int64_t> block_;
};

}  // namespace vsr::core
