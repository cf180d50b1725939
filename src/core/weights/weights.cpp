#include "core/weights/weights.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/process.h"
#include "base/quoted.h"
#include "base/text_stream.h"
#include "core/memory/buffers.h"
#include "core/memory/huge_pages.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

using base::fail;
using base::Status;

// Checkpoints saved before PyTorch renamed the parameters of LayerNorm; transformers reads them so too.
std::string modern_name(std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kRenames[] = {{"LayerNorm.gamma", "LayerNorm.weight"},
                                                                        {"LayerNorm.beta", "LayerNorm.bias"}};
  for (const auto& [old_suffix, new_suffix] : kRenames) {
    if (name.ends_with(old_suffix)) return name.replace(name.size() - old_suffix.size(), name.npos, new_suffix);
  }
  return name;
}

std::optional<at::ScalarType> float_type(StoredType type) {
  switch (type) {
    case StoredType::kF64:
      return at::kDouble;
    case StoredType::kF32:
      return at::kFloat;
    case StoredType::kF16:
      return at::kHalf;
    case StoredType::kBF16:
      return at::kBFloat16;
    default:
      return std::nullopt;
  }
}

// A value that is infinite or NaN has all bits of its exponent set; testing for that vectorises, isfinite does not.
template <class Word>
bool has_exponent(const std::byte* data, int64_t words, Word exponent) {
  Word found = 0;  // as wide as what is compared, or the loop stays scalar
  for (int64_t i = 0; i < words; ++i) {
    Word word;
    std::memcpy(&word, data + i * static_cast<int64_t>(sizeof(Word)), sizeof(Word));
    found |= static_cast<Word>((word & exponent) == exponent ? ~Word{0} : Word{0});
  }
  return found != 0;
}

template <class Word>
bool any_not_finite(const void* data, size_t bytes, Word exponent) {
  constexpr int64_t kWordsPerPiece = 1 << 18;
  const auto* const begin_of_data = static_cast<const std::byte*>(data);
  std::atomic<bool> found{false};
  parallel_pieces(static_cast<int64_t>(bytes / sizeof(Word)), kWordsPerPiece, [&](int64_t begin, int64_t end) {
    if (has_exponent(begin_of_data + begin * static_cast<int64_t>(sizeof(Word)), end - begin, exponent)) found = true;
  });
  return found;
}

bool any_not_finite(const at::Tensor& tensor) {
  const void* const data = tensor.const_data_ptr();
  switch (tensor.scalar_type()) {
    case at::kDouble:
      return any_not_finite<uint64_t>(data, tensor.nbytes(), 0x7FF0000000000000);
    case at::kFloat:
      return any_not_finite<uint32_t>(data, tensor.nbytes(), 0x7F800000);
    case at::kHalf:
      return any_not_finite<uint16_t>(data, tensor.nbytes(), 0x7C00);
    case at::kBFloat16:
      return any_not_finite<uint16_t>(data, tensor.nbytes(), 0x7F80);
    default:
      return false;
  }
}

constexpr size_t kBytesPerRead = size_t{4} << 20;

// Fills `values` with a tensor of the same size.
void read_all(const base::OpenFile& file, const StoredTensor& tensor, const at::Tensor& values) {
  auto* const data = static_cast<std::byte*>(values.mutable_data_ptr());
  parallel_pieces(static_cast<int64_t>(tensor.bytes), kBytesPerRead, [&](int64_t begin, int64_t end) {
    file.read(tensor.offset + static_cast<size_t>(begin), data + begin, static_cast<size_t>(end - begin));
  });
}

template <class T>
at::Tensor widened(const at::Tensor& stored) {
  constexpr int64_t kPerPiece = 1 << 18;
  at::Tensor values = empty_buffer(stored.sizes(), at::kFloat);
  const T* from = stored.const_data_ptr<T>();
  auto* to = values.mutable_data_ptr<float>();
  parallel_pieces(stored.numel(), kPerPiece, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]);
  });
  return values;
}

at::Tensor to_float32(const at::Tensor& stored) {
  switch (stored.scalar_type()) {
    case at::kDouble:
      return widened<double>(stored);
    case at::kHalf:
      return widened<at::Half>(stored);
    case at::kBFloat16:
      return widened<at::BFloat16>(stored);
    default:
      return stored;
  }
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return name == pattern;
}

}  // namespace

std::string shape_text(const Shape& shape) {
  base::TextStream out;
  out << '[';
  for (size_t i = 0; i < shape.size(); ++i) out << (i == 0 ? "" : ", ") << shape[i];
  out << ']';
  return out.str();
}

std::shared_ptr<WeightStore> WeightStore::open_file(const std::string& path) {
  std::shared_ptr<WeightStore> store(new WeightStore(path));
  store->add(SafetensorsFile(path));
  return store;
}

std::shared_ptr<WeightStore> WeightStore::empty(std::string path) {
  return std::shared_ptr<WeightStore>(new WeightStore(std::move(path)));
}

void WeightStore::borrow(const WeightStore& other,
                         const std::function<std::optional<std::string>(const std::string&)>& rename) {
  for (const auto& [name, located] : other.tensors_) {
    if (auto own_name = rename(name)) tensors_.insert_or_assign(*std::move(own_name), located);
  }
}

Shape WeightStore::shape(const std::string& name) const {
  const auto computed = computed_.find(name);
  return computed == computed_.end() ? tensors_.at(name).tensor.shape : computed->second.sizes().vec();
}

int64_t WeightStore::longest_side() const {
  int64_t longest = 0;
  for (const auto& [name, located] : tensors_) {
    for (const int64_t side : located.tensor.shape) longest = std::max(longest, side);
  }
  return longest;
}

std::vector<std::string> WeightStore::names() const {
  std::vector<std::string> names;
  for (const auto& [name, located] : tensors_) names.push_back(name);
  return names;
}

std::shared_ptr<WeightStore> WeightStore::open_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  const std::string single = (fs::path(folder) / "model.safetensors").string();
  const std::string index = single + ".index.json";
  if (base::file_present(single) || !base::file_present(index)) return open_file(single);

  const auto weight_map = base::read_json_file(index).required<std::map<std::string, std::string>>("weight_map");
  std::set<std::string> shards;
  for (const auto& [name, shard] : weight_map) {
    if (shard.empty() || shard == "." || shard == ".." || fs::path(shard).filename() != shard) {
      fail(Status::kParse, index, ": weight_map[\"", name, "\"] is \"", shard, "\", expected a file of this folder");
    }
    shards.insert(shard);
  }
  std::shared_ptr<WeightStore> store(new WeightStore(index));
  for (const std::string& shard : shards) store->add(SafetensorsFile((fs::path(folder) / shard).string()));
  for (const auto& [name, shard] : weight_map) {
    const auto found = store->tensors_.find(modern_name(name));
    if (found == store->tensors_.end() || fs::path(found->second.file->path()).filename() != shard) {
      fail(Status::kWeights, index, ": \"", name, "\" is not in ", shard);
    }
  }
  return store;
}

void WeightStore::add(const SafetensorsFile& file) {
  for (const StoredTensor& tensor : file.tensors()) {
    const auto [place, added] = tensors_.try_emplace(modern_name(tensor.name), Located{tensor, file.file()});
    if (!added) {
      fail(Status::kWeights, file.path(), ": \"", tensor.name, "\" is also in ", place->second.file->path());
    }
  }
}

void WeightStore::read_stored(const std::string& name, size_t offset, std::byte* to, size_t size) const {
  const Located& located = tensors_.at(name);
  located.file->read(located.tensor.offset + offset, to, size);
}

bool WeightStore::same_data(const std::string& a, const std::string& b) const {
  if (computed_.contains(a) || computed_.contains(b)) return false;
  const StoredTensor& left = stored(a);
  const StoredTensor& right = stored(b);
  if (left.type != right.type || left.shape != right.shape || left.bytes != right.bytes) return false;
  std::vector<std::byte> left_piece(std::min(kBytesPerRead, left.bytes)), right_piece(left_piece.size());
  for (size_t offset = 0; offset < left.bytes; offset += kBytesPerRead) {
    const size_t size = std::min(kBytesPerRead, left.bytes - offset);
    read_stored(a, offset, left_piece.data(), size);
    read_stored(b, offset, right_piece.data(), size);
    if (std::memcmp(left_piece.data(), right_piece.data(), size) != 0) return false;
  }
  return true;
}

at::Tensor WeightStore::take(const std::string& name, const Shape& shape, Halves halves) {
  base::check_not_ending();  // loading may take long
  if (const auto computed = computed_.find(name); computed != computed_.end()) {
    if (computed->second.sizes() != shape)
      fail(Status::kInternal, path_, ": computed \"", name, "\" has another shape");
    taken_.insert(name);
    return computed->second.to(device_);
  }
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    fail(Status::kWeights, path_, ": \"", name, "\" is missing, expected ", shape_text(shape));
  }
  const StoredTensor& tensor = found->second.tensor;
  const std::string where = found->second.file->path() + ": \"" + name + "\"";
  if (tensor.shape != shape) {
    fail(Status::kWeights, where, " is ", shape_text(tensor.shape), ", config.json needs ", shape_text(shape));
  }
  const auto type = float_type(tensor.type);
  if (!type) fail(Status::kWeights, where, " holds integers, expected floating point");
  // A table stays as it is read. What a layer takes is mostly packed and gone: the memory of large ones serves the
  // next, and that of others goes back to the system, which the allocator might keep.
  constexpr size_t kLarge = size_t{4} << 20;
  const bool is_table = halves == Halves::kAsStored;
  at::Tensor values =
      is_table || tensor.bytes < kLarge ? empty_in_huge_pages(shape, *type) : empty_buffer(shape, *type);
  read_all(*found->second.file, tensor, values);
  if (any_not_finite(values)) fail(Status::kWeights, where, " holds values that are not finite");
  taken_.insert(name);
  if (!is_table || *type == at::kDouble) values = to_float32(values);
  if (!device_.is_cpu()) values = values.to(device_);
  parameters_ += values.numel();
  bytes_in_memory_ += static_cast<int64_t>(values.nbytes());
  return values;
}

void WeightStore::finish(const std::vector<std::string_view>& ignored) const {
  std::string left;
  size_t count = 0;
  for (const auto& [name, located] : tensors_) {
    const bool known = taken_.contains(name) ||
                       std::any_of(ignored.begin(), ignored.end(),
                                   [&, &tensor = name](std::string_view pattern) { return matches(pattern, tensor); });
    if (known) continue;
    if (++count <= 3) base::add_quoted(left, name);
  }
  if (count != 0) {
    fail(Status::kWeights, path_, ": ", count, " tensors that the architecture does not have: ", left,
         count > 3 ? ", ..." : "", " (hint: does config.json name another architecture?)");
  }
}

ModuleId WeightStore::add_module(Module module) {
  modules_.push_back(std::move(module));
  return modules_.size() - 1;
}

uint64_t WeightStore::content_hash() const {
  uint64_t hash = kHashSeed;
  const auto mix = [&hash](uint64_t word) { hash = mix_hash(hash, word); };
  std::vector<std::byte> piece(kBytesPerRead);
  for (const auto& [name, located] : tensors_) {
    for (const char c : name) mix(static_cast<uint8_t>(c));
    for (size_t offset = 0; offset < located.tensor.bytes; offset += kBytesPerRead) {
      const size_t size = std::min(kBytesPerRead, located.tensor.bytes - offset);
      located.file->read(located.tensor.offset + offset, piece.data(), size);
      size_t i = 0;
      for (; i + 8 <= size; i += 8) {
        uint64_t word;
        std::memcpy(&word, piece.data() + i, 8);
        mix(word);
      }
      for (; i < size; ++i) mix(static_cast<uint64_t>(piece[i]));
    }
  }
  return hash;
}

}  // namespace vsr::core
