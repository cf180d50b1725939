#include "engine/model/loaded_model.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/process.h"
#include "core/memory/buffers.h"
#include "core/schedule/device.h"
#include "core/schedule/torch_call.h"
#include "engine/model/eos_tokens.h"
#include "models/config_counts.h"
#include "models/registry.h"
#include "text/load_tokenizer.h"

namespace vsr::engine {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::Status;

// Of single texts; a model that reads no pairs may have a tokenizer whose template of pairs has more types.
void check_type_ids(const LoadedModel& model) {
  const int64_t types = model.encoder->info().type_vocab_size;
  if (types == 0) return;
  const text::TokenSequence one{.ids = {0}, .offsets = {{0, 0}}};
  const text::Encoding encoding = model.tokenizer->apply_template({&one, 0, 1}, nullptr, true);
  const auto most = std::max_element(encoding.type_ids.begin(), encoding.type_ids.end());
  if (most != encoding.type_ids.end() && *most >= types) {
    fail(Status::kParse, model.path, ": the tokenizer's template gives the token type id ", *most,
         ", config.json's type_vocab_size is ", types);
  }
}

// What the tokenizer can say must be something the embedding table can answer.
void check_tokenizer_fits(const LoadedModel& model) {
  const auto rows = static_cast<size_t>(model.encoder->info().vocab_size);
  if (model.tokenizer->vocab_size() > rows) {
    fail(Status::kParse, model.path, ": the tokenizer has ", model.tokenizer->vocab_size(),
         " ids, config.json's vocab_size is ", rows, " (hint: a tokenizer of another model?)");
  }
  check_type_ids(model);
  const size_t specials = model.tokenizer->special_token_count(false);
  if (model.max_tokens <= specials) {
    fail(Status::kParse, model.path, ": a limit of ", model.max_tokens, " tokens has no room for a text beside ",
         specials, " special tokens");
  }
}

}  // namespace

std::shared_ptr<const LoadedModel> LoadedModel::load(const ModelOptions& options, core::ComputePool& compute,
                                                     std::span<const std::shared_ptr<const LoadedModel>> earlier) {
  const core::OneThread alone;
  const core::BufferScope buffers;  // of tensors that are widened, packed and gone
  const at::Device device = core::device_named(options.device);
  const core::LinearType linear_type = core::linear_type_named(options.dtype, device);
  check_model_folder(options.path);
  auto model = std::make_shared<LoadedModel>();
  model->path = options.path;
  model->name = options.name.empty() ? last_part(options.path) : options.name;
  model->compute_ = &compute;
  model->loaded_in_ = base::fork_generation();

  const auto modules = read_modules(options.path);
  const std::string folder = transformer_folder(options.path, modules);
  model->files = folder;
  const auto config = base::read_json_file((fs::path(folder) / "config.json").string());
  for (const char c : config.node().dump()) {
    model->config_hash_ = core::mix_hash(model->config_hash_, static_cast<uint8_t>(c));
  }
  model->weights_ = core::WeightStore::open_folder(folder);
  models::check_counts(config, *model->weights_);
  model->labels = models::read_labels(config);
  model->weights_->set_linear_type(linear_type);
  model->weights_->set_device(device);
  model->dtype = core::linear_type_name(linear_type);
  model->device = device.str();
  const models::ModelSource source{config, core::WeightScope(*model->weights_),
                                   static_cast<int64_t>(model->labels.names.size())};
  models::LoadedParts parts = models::make_model(source);
  model->architecture =
      source.architecture().empty() ? config.required<std::string>("model_type") : source.architecture();
  model->causal_lm = parts.causal_lm;
  model->config_ = config;
  model->encoder_modules_ = parts.encoder_modules;
  model->encoder = std::move(parts.encoder);
  model->head = std::move(parts.head);
  if (!model->head) model->labels = {};
  model->embedding.emplace(modules, parts.default_pooling, model->encoder->info().hidden_size, device);
  model->traits = options.traits;
  check_matryoshka_dims(model->traits, model->embedding->dim());
  model->prompts = read_prompts(options.path);
  TokenLimit limit = read_token_limit(folder, model->encoder->info());
  model->max_tokens = limit.tokens;
  model->max_tokens_source = std::move(limit.source);
  const auto same = std::find_if(earlier.begin(), earlier.end(),
                                 [&](const auto& other) { return same_tokenizer_files(other->files, folder); });
  model->tokenizer = same == earlier.end() ? text::load_tokenizer(folder) : (*same)->tokenizer;
  if (model->causal_lm != nullptr) {
    model->eos_tokens = read_eos_tokens(folder, config, model->encoder->info().vocab_size);
    model->chat_template = chat::ChatTemplate::load(folder);
  }
  check_tokenizer_fits(*model);
  model->parameters = model->weights_->parameters();
  model->bytes_in_memory = model->weights_->bytes_in_memory();
  return model;
}

core::ComputePool& LoadedModel::compute() const {
  if (device != "cpu" && loaded_in_ != base::fork_generation()) {
    fail(Status::kState, path, ": is on ", device,
         " since before this process was forked, and CUDA does not outlive that ",
         "(hint: load models after the fork)");
  }
  return *compute_;
}

lora::AdapterBase LoadedModel::adapter_base() const {
  return {.path = path,
          .config = *config_,
          .weights = *weights_,
          .encoder_modules = encoder_modules_,
          .layers = encoder->info().num_hidden_layers,
          .head = head ? std::optional(head->kind) : std::nullopt,
          .labels = labels};
}

std::string LoadedModel::fingerprint() const {
  std::call_once(hashed_, [this] {
    hash_ = core::mix_hash(core::mix_hash(config_hash_, weights_->content_hash()), embedding->content_hash());
  });
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(hash_));
  return name + " dim=" + std::to_string(embedding->dim()) + " weights=" + hash;
}

}  // namespace vsr::engine
