// Qwen3: a causal decoder with grouped-query attention, normalised heads and SwiGLU: an encoder whose last token speaks
// for the text, and a causal LM. Paper: arXiv:2505.09388. Reference: transformers, models/qwen3/modeling_qwen3.py.
// Reading order: Config, Block, Qwen3, heads, kQwen3.

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "core/nn/nn_decoder.h"
#include "core/nn/nn_embedding.h"
#include "core/nn/nn_norm.h"
#include "core/nn/nn_rope.h"
#include "models/architectures.h"
#include "models/attention_info.h"
#include "models/config_fields.h"
#include "models/head_form.h"
#include "models/output_words.h"

namespace vsr::models {
namespace {

using at::Tensor;
using base::fail;
using base::JsonObject;
using core::Linear;
using core::RmsNorm;
using core::WeightScope;

// Fields keep their names in config.json; defaults are those of transformers' Qwen3Config.
struct Config {
  int64_t vocab_size, hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim;
  int64_t intermediate_size, max_position_embeddings;
  double rms_norm_eps;
  Linear::Bias attention_bias;
  core::Activation hidden_act;
  std::optional<int64_t> sliding_window;
  std::vector<LayerType> layer_types;
};

void read_layers(const JsonObject& json, Config& config) {
  if (json.optional<bool>("use_sliding_window", false)) config.sliding_window = positive(json, "sliding_window", 4096);
  const auto full_layers = json.optional<int64_t>("max_window_layers", 28);
  const bool sliding = config.sliding_window.has_value();
  config.layer_types = read_layer_types(json, config.num_hidden_layers, [=](int64_t layer) {
    return sliding && layer >= full_layers ? LayerType::kSliding : LayerType::kFull;
  });
  for (const LayerType type : config.layer_types) {
    if (type == LayerType::kSliding && !sliding) {
      json.at("layer_types").fail("has \"sliding_attention\", but use_sliding_window is not true");
    }
  }
}

Config read_config(const JsonObject& json) {
  Config config{};
  config.vocab_size = positive(json, "vocab_size");
  config.hidden_size = positive(json, "hidden_size");
  config.num_hidden_layers = positive(json, "num_hidden_layers");
  config.num_attention_heads = positive(json, "num_attention_heads");
  config.num_key_value_heads = positive(json, "num_key_value_heads", config.num_attention_heads);
  config.head_dim = positive(json, "head_dim", 128);
  config.intermediate_size = positive(json, "intermediate_size");
  config.max_position_embeddings = positive(json, "max_position_embeddings", 32768);
  config.rms_norm_eps = positive_number(json, "rms_norm_eps", 1e-6);
  config.attention_bias = json.optional<bool>("attention_bias", false) ? Linear::Bias::kRequired : Linear::Bias::kNone;
  config.hidden_act =
      core::activation_named(json.optional<std::string>("hidden_act", "silu"), json.path() + ": \"hidden_act\"");
  check_groups(json, config.num_attention_heads, config.num_key_value_heads);
  read_layers(json, config);
  return config;
}

core::Rope rope_of(const JsonObject& json, const Config& config) {
  std::vector<JsonObject> parameters;
  if (const auto scaling = find_object(json, "rope_scaling")) {
    parameters.push_back(*scaling);
  } else if (const auto current = find_object(json, "rope_parameters")) {
    parameters.push_back(*current);
  }
  const double theta = positive_number(json, "rope_theta", 10000.0);
  return core::read_rope(parameters, {theta, config.head_dim, config.max_position_embeddings}, json.path());
}

core::GroupedAttentionSpec attention_of(const Config& config, LayerType type) {
  core::GroupedAttentionSpec spec{.attention = {.heads = config.num_attention_heads,
                                                .kv_heads = config.num_key_value_heads,
                                                .head_dim = config.head_dim,
                                                .scale = 1 / std::sqrt(static_cast<double>(config.head_dim)),
                                                .causal = true},
                                  .rms_norm_eps = config.rms_norm_eps,
                                  .bias = config.attention_bias,
                                  .norm_weight = RmsNorm::Weight::kPlain};
  // "sliding_window" counts the token itself.
  if (type == LayerType::kSliding && config.sliding_window) spec.attention.window = *config.sliding_window - 1;
  return spec;
}

constexpr std::string_view kCausalLm = "Qwen3ForCausalLM";

class Block {
 public:
  Block(const WeightScope& weights, const Config& config, int64_t index)
      : input_norm_(weights.scope("input_layernorm"), config.hidden_size, config.rms_norm_eps),
        attention_(weights.scope("self_attn"), config.hidden_size,
                   attention_of(config, config.layer_types[static_cast<size_t>(index)])),
        attention_norm_(weights.scope("post_attention_layernorm"), config.hidden_size, config.rms_norm_eps),
        mlp_(weights.scope("mlp"), config.hidden_size, config.intermediate_size, config.hidden_act) {}

  void forward(core::ResidualStream& stream, const core::RopeTable& rope, const core::KeptRows& rows,
               core::LayerCache* cache) const {
    stream.add(attention_.forward(input_norm_.forward(stream), rope, rows, cache), rows);
    stream.add(mlp_.forward(attention_norm_.forward(stream), rows.batch()));
  }

 private:
  RmsNorm input_norm_;
  core::GroupedAttention attention_;
  RmsNorm attention_norm_;
  core::GatedMlp mlp_;
};

class Qwen3 final : public core::Encoder, public core::CausalLm {
 public:
  Qwen3(const WeightScope& weights, const ModelSource& source, const Config& config)
      : words_(weights.take_table("embed_tokens.weight", {config.vocab_size, config.hidden_size})),
        rope_(rope_of(source.config, config)),
        norm_(weights.scope("norm"), config.hidden_size, config.rms_norm_eps) {
    for (int64_t i = 0; i < config.num_hidden_layers; ++i) blocks_.emplace_back(weights.scope("layers", i), config, i);
    info_ = {.num_hidden_layers = config.num_hidden_layers,
             .hidden_size = config.hidden_size,
             .num_attention_heads = config.num_attention_heads,
             .num_key_value_heads = config.num_key_value_heads,
             .head_dim = config.head_dim,
             .intermediate_size = config.intermediate_size,
             .vocab_size = config.vocab_size,
             .max_position_embeddings = config.max_position_embeddings,
             .attention = attention_info(
                 config.layer_types,
                 {{LayerType::kFull, attention_of(config, LayerType::kFull).attention, rope_.info},
                  {LayerType::kSliding, attention_of(config, LayerType::kSliding).attention, rope_.info}})};
    if (source.architecture() == kCausalLm) output_words_ = take_output_words(source, weights, words_, false);
  }

  Tensor embed(const core::PackedBatch& batch) const override { return core::embedding(words_, batch.input_ids); }

  Tensor run_blocks(Tensor hidden, const core::PackedBatch& batch, core::BlockRange blocks) const override {
    return run(std::move(hidden), batch, blocks, nullptr);
  }

  Tensor final_norm(const Tensor& hidden, const core::PackedBatch&) const override { return norm_.forward(hidden); }

  const core::EncoderInfo& info() const override { return info_; }

  bool predicts() const { return output_words_.defined(); }
  core::KvCache new_cache() const override { return core::KvCache(info_.num_hidden_layers); }

  Tensor read(const core::PackedBatch& batch, core::KvCache& cache, const base::CallLimits& limits) const override {
    return norm_.forward(run(embed(batch), batch, {0, info_.num_hidden_layers}, &cache, limits));
  }

  Tensor logits(const Tensor& hidden) const override { return output_words_.logits(hidden); }

 private:
  Tensor run(Tensor hidden, const core::PackedBatch& batch, core::BlockRange blocks, core::KvCache* cache,
             const base::CallLimits& limits = {}) const {
    const core::RopeTable rope = rope_.table(batch.position_ids, hidden.device());
    const core::KeptRows all(batch);
    core::ResidualStream stream(std::move(hidden));
    for (int64_t i = blocks.first; i < blocks.last; ++i) {
      limits.check();
      core::LayerCache* layer = cache == nullptr ? nullptr : &cache->layer(i);
      blocks_[static_cast<size_t>(i)].forward(stream, rope, blocks.leaving(i, all), layer);
    }
    return stream.hidden();
  }

  Tensor words_;
  OutputWords output_words_;
  core::Rope rope_;
  std::vector<Block> blocks_;
  RmsNorm norm_;
  core::EncoderInfo info_;
};

core::ClassificationHead head_of(const ModelSource& source, int64_t hidden_size, core::HeadKind kind) {
  const WeightScope score = source.weights.scope("score");
  if (kind == core::HeadKind::kToken) {
    return {.kind = kind,
            .pooling = std::nullopt,
            .dense = std::nullopt,
            .classifier = Linear(score, hidden_size, source.num_labels)};
  }
  core::ClassificationHead head{.kind = kind,
                                .pooling = core::Pooling::kLastToken,
                                .dense = std::nullopt,
                                .classifier = Linear(score, hidden_size, source.num_labels, Linear::Bias::kNone)};
  if (source.config.contains("pad_token_id")) head.pad_token_id = source.config.required<int64_t>("pad_token_id");
  return head;
}

const std::array<HeadForm, 5> kHeads{{{.architecture = ""},
                                      {.architecture = "Qwen3Model"},
                                      {.architecture = kCausalLm},
                                      {"Qwen3ForSequenceClassification", core::HeadKind::kSequence},
                                      {"Qwen3ForTokenClassification", core::HeadKind::kToken}}};

// Buffers of older files; a head that predicts tokens, in a checkpoint whose architecture has none.
const std::vector<std::string_view> kIgnored = {"lm_head.weight", "*rotary_emb.inv_freq"};

LoadedParts make(const ModelSource& source) {
  const Config config = read_config(source.config);
  const HeadForm& form = head_form_of(source, kHeads, "Qwen3");
  // Embedding checkpoints name the architecture of a causal LM but leave "model." out.
  const bool below = source.weights.contains("model.embed_tokens.weight");
  LoadedParts parts;
  auto model = std::make_unique<Qwen3>(below ? source.weights.scope("model") : source.weights, source, config);
  if (model->predicts()) parts.causal_lm = model.get();
  parts.encoder = std::move(model);
  parts.encoder_modules = source.weights.store().modules().size();
  if (form.kind) parts.head.emplace(head_of(source, config.hidden_size, *form.kind));
  parts.default_pooling = core::Pooling::kLastToken;
  source.weights.store().finish(kIgnored);
  return parts;
}

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  return head_of(source, read_config(source.config).hidden_size, kind);
}

}  // namespace

const Architecture kQwen3{.model_type = "qwen3",
                          .make = &make,
                          .make_head = &make_head,
                          .naming = {.prefix = "model.",
                                     .classifier = "score",
                                     .sequence_architecture = "Qwen3ForSequenceClassification",
                                     .token_architecture = "Qwen3ForTokenClassification"}};

}  // namespace vsr::models
