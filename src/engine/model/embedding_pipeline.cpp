#include "engine/model/embedding_pipeline.h"

#include <ATen/ops/cat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "core/weights/weights.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::JsonObject;
using base::Status;

// The form before sentence-transformers 5: one flag per pooling, those that are true joined in this order.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLegacyFlags{
    {{"pooling_mode_cls_token", "cls"},
     {"pooling_mode_max_tokens", "max"},
     {"pooling_mode_mean_tokens", "mean"},
     {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"},
     {"pooling_mode_weightedmean_tokens", "weightedmean"},
     {"pooling_mode_lasttoken", "lasttoken"}}};

std::vector<std::string> pooling_names(const JsonObject& config) {
  if (config.contains("pooling_mode")) {
    const base::JsonValue mode = config.at("pooling_mode");
    return mode.is_array() ? mode.as<std::vector<std::string>>() : std::vector{mode.as<std::string>()};
  }
  std::vector<std::string> names;
  for (const auto& [flag, name] : kLegacyFlags) {
    if (config.optional<bool>(std::string(flag), false)) names.emplace_back(name);
  }
  return names;
}

// "torch.nn.modules.activation.Tanh" and the like, as the module's class is written.
core::Activation dense_activation(const JsonObject& config) {
  const auto type = config.optional<std::string>("activation_function", "torch.nn.modules.activation.Tanh");
  const std::string name = type.substr(type.rfind('.') + 1);
  if (name == "Identity") return core::Activation::kIdentity;
  if (name == "Tanh") return core::Activation::kTanh;
  if (name == "ReLU") return core::Activation::kRelu;
  if (name == "GELU") return core::Activation::kGelu;
  if (name == "SiLU") return core::Activation::kSilu;
  config.at("activation_function").fail_unsupported("is \"" + type + "\", which vsr does not run");
}

at::Tensor normalize_rows(const at::Tensor& rows) { return rows.div(rows.norm(2, -1, true).clamp_min_(1e-12)); }

}  // namespace

EmbeddingPipeline::EmbeddingPipeline(const std::optional<std::vector<ModuleEntry>>& modules,
                                     core::Pooling default_pooling, int64_t hidden_size, at::Device device)
    : dim_(hidden_size), has_modules_(modules.has_value()) {
  if (!modules) {
    poolings_ = {default_pooling};
    return;
  }
  for (const ModuleEntry& module : *modules) {
    if (normalizes_)
      fail(Status::kUnsupported, module.folder, ": a module after Normalize, expected it to be the last");
    if (module.type == "Pooling") read_pooling(module.folder + "/config.json");
    if (module.type == "Dense") read_dense(module.folder, device);
    if (module.type == "Normalize") normalizes_ = true;
    modules_.push_back(module.type);
    if (module.type == "Dense") modules_.back() += " to " + std::to_string(dim_);
  }
  if (poolings_.empty()) fail(Status::kUnsupported, modules->front().folder, ": modules.json has no Pooling");
}

void EmbeddingPipeline::read_pooling(const std::string& path) {
  const JsonObject config = base::read_json_file(path);
  if (!poolings_.empty()) fail(Status::kUnsupported, path, ": a second Pooling");
  for (const std::string& name : pooling_names(config)) {
    poolings_.push_back(core::pooling_named(name, path));
    if (std::count(poolings_.begin(), poolings_.end(), poolings_.back()) > 1) {
      fail(Status::kParse, path, ": pooling_mode \"", name, "\" is given twice");
    }
  }
  if (poolings_.empty()) fail(Status::kParse, path, ": no pooling_mode is chosen");
  for (const char* key : {"word_embedding_dimension", "embedding_dimension"}) {
    if (config.contains(key) && config.required<int64_t>(key) != dim_) {
      config.at(key).fail("is not the encoder's hidden_size " + std::to_string(dim_));
    }
  }
  include_prompt_ = config.optional<bool>("include_prompt", true);
  dim_ *= static_cast<int64_t>(poolings_.size());
}

void EmbeddingPipeline::read_dense(const std::string& folder, at::Device device) {
  const JsonObject config = base::read_json_file(folder + "/config.json");
  if (poolings_.empty()) config.fail_unsupported("is a Dense module in front of Pooling");
  if (config.optional<bool>("use_residual", false)) config.at("use_residual").fail_unsupported("is true");
  const auto in_features = config.required<int64_t>("in_features");
  const auto out_features = config.required<int64_t>("out_features");
  if (in_features != dim_) config.at("in_features").fail("is not the " + std::to_string(dim_) + " values it is given");
  if (out_features < 1) config.at("out_features").fail("is below 1");
  const auto store = core::WeightStore::open_folder(folder);
  store->set_device(device);
  const auto bias = config.optional<bool>("bias", true) ? core::Linear::Bias::kRequired : core::Linear::Bias::kNone;
  dense_.push_back({core::Linear(core::WeightScope(*store).scope("linear"), in_features, out_features, bias),
                    dense_activation(config), store});
  store->finish({});
  dim_ = out_features;
}

at::Tensor EmbeddingPipeline::forward(const at::Tensor& hidden, const core::PackedBatch& batch, bool wanted) const {
  std::vector<at::Tensor> pooled;
  for (const core::Pooling pooling : poolings_) pooled.push_back(core::pool(pooling, hidden, batch));
  at::Tensor rows = pooled.size() == 1 ? pooled.front() : at::cat(pooled, -1);
  for (const Dense& dense : dense_) rows = core::activate(dense.activation, dense.linear.forward(rows));
  return normalizes(wanted) ? normalize_rows(rows) : rows;
}

core::TokenRange EmbeddingPipeline::tokens_read(const core::PackedBatch& batch, int64_t i) const {
  core::TokenRange range = core::pooled_tokens(poolings_.front(), batch, i);
  for (const core::Pooling pooling : poolings_) range = range.joined(core::pooled_tokens(pooling, batch, i));
  return range;
}

uint64_t EmbeddingPipeline::content_hash() const {
  uint64_t hash = core::mix_hash(core::kHashSeed, (has_modules_ ? 2 : 0) + (normalizes_ ? 1 : 0));
  for (const core::Pooling pooling : poolings_) hash = core::mix_hash(hash, static_cast<uint64_t>(pooling));
  for (const Dense& dense : dense_) {
    hash = core::mix_hash(core::mix_hash(hash, static_cast<uint64_t>(dense.activation)), dense.weights->content_hash());
  }
  return hash;
}

std::string EmbeddingPipeline::pooling_name() const {
  std::string name;
  for (const core::Pooling pooling : poolings_) {
    name += (name.empty() ? "" : "+") + std::string(core::pooling_name(pooling));
  }
  return name;
}

}  // namespace vsr::engine
