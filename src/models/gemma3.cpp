// Gemma 3's text model, and EmbeddingGemma on it: four norms per block, scaled embeddings, sliding and full attention,
// causal, and then a causal LM too, or in both directions. Papers: arXiv:2503.19786, arXiv:2509.20354.
// Reference: transformers, models/gemma3/modeling_gemma3.py. Reading order: Config, Block, Gemma3, head, kGemma3.

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
using base::Status;
using core::Linear;
using core::RmsNorm;
using core::WeightScope;

// Fields keep their names in config.json; defaults are those of transformers' Gemma3TextConfig.
struct Config {
  int64_t vocab_size, hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim;
  int64_t intermediate_size, max_position_embeddings, sliding_window;
  double rms_norm_eps, query_pre_attn_scalar;
  std::optional<double> final_logit_softcapping;
  bool use_bidirectional_attention;
  Linear::Bias attention_bias;
  core::Activation hidden_activation;
  std::vector<LayerType> layer_types;
};

Config read_config(const JsonObject& json) {
  Config config{};
  config.vocab_size = positive(json, "vocab_size");
  config.hidden_size = positive(json, "hidden_size");
  config.num_hidden_layers = positive(json, "num_hidden_layers");
  config.num_attention_heads = positive(json, "num_attention_heads");
  config.num_key_value_heads = positive(json, "num_key_value_heads", 4);
  config.head_dim = positive(json, "head_dim", 256);
  config.intermediate_size = positive(json, "intermediate_size");
  config.max_position_embeddings = positive(json, "max_position_embeddings", 131072);
  config.sliding_window = positive(json, "sliding_window", 4096);
  config.rms_norm_eps = positive_number(json, "rms_norm_eps", 1e-6);
  config.query_pre_attn_scalar = positive_number(json, "query_pre_attn_scalar", 256);
  if (json.contains("final_logit_softcapping")) {
    config.final_logit_softcapping = positive_number(json, "final_logit_softcapping", 0);
  }
  config.use_bidirectional_attention = json.optional<bool>("use_bidirectional_attention", false);
  config.attention_bias = json.optional<bool>("attention_bias", false) ? Linear::Bias::kRequired : Linear::Bias::kNone;
  config.hidden_activation = core::activation_named(
      json.optional<std::string>("hidden_activation", "gelu_pytorch_tanh"), json.path() + ": \"hidden_activation\"");
  const int64_t period = positive(json, "sliding_window_pattern", 6);
  config.layer_types = read_layer_types(json, config.num_hidden_layers, [period](int64_t layer) {
    return (layer + 1) % period == 0 ? LayerType::kFull : LayerType::kSliding;
  });
  check_groups(json, config.num_attention_heads, config.num_key_value_heads);
  if (json.contains("attn_logit_softcapping")) {
    json.at("attn_logit_softcapping").fail_unsupported("is set, which vsr does not run");
  }
  return config;
}

// Both generations: "rope_parameters" per type of layer, or a base per type and a "rope_scaling" of full layers only.
core::Rope rope_of(const JsonObject& json, const Config& config, LayerType type) {
  const bool full = type == LayerType::kFull;
  std::vector<JsonObject> parameters;
  if (const auto scaling = find_object(json, "rope_scaling"); scaling && full) parameters.push_back(*scaling);
  if (const auto both = find_object(json, "rope_parameters")) {
    const std::string key = full ? "full_attention" : "sliding_attention";
    if (!both->contains("full_attention") && !both->contains("sliding_attention")) {
      both->fail("has neither \"full_attention\" nor \"sliding_attention\"");
    }
    if (const auto own = find_object(*both, key)) parameters.push_back(*own);
  }
  const double theta = positive_number(json, full ? "rope_theta" : "rope_local_base_freq", full ? 1e6 : 1e4);
  return core::read_rope(parameters, {theta, config.head_dim, config.max_position_embeddings}, json.path());
}

core::GroupedAttentionSpec attention_of(const Config& config, LayerType type) {
  core::GroupedAttentionSpec spec{.attention = {.heads = config.num_attention_heads,
                                                .kv_heads = config.num_key_value_heads,
                                                .head_dim = config.head_dim,
                                                .scale = 1 / std::sqrt(config.query_pre_attn_scalar),
                                                .causal = !config.use_bidirectional_attention},
                                  .rms_norm_eps = config.rms_norm_eps,
                                  .bias = config.attention_bias,
                                  .norm_weight = RmsNorm::Weight::kPlusOne};
  // In one direction "sliding_window" counts the token itself, in both it is the width of the whole window.
  if (type == LayerType::kSliding) {
    spec.attention.window = spec.attention.causal ? config.sliding_window - 1 : config.sliding_window / 2;
  }
  return spec;
}

RmsNorm norm(const WeightScope& weights, const std::string& name, const Config& config) {
  return {weights.scope(name), config.hidden_size, config.rms_norm_eps, RmsNorm::Weight::kPlusOne};
}

constexpr std::string_view kCausalLm = "Gemma3ForCausalLM";

class Block {
 public:
  Block(const WeightScope& weights, const Config& config, int64_t index)
      : layer_type(config.layer_types[static_cast<size_t>(index)]),
        input_norm_(norm(weights, "input_layernorm", config)),
        attention_(weights.scope("self_attn"), config.hidden_size, attention_of(config, layer_type)),
        attention_norm_(norm(weights, "post_attention_layernorm", config)),
        mlp_input_norm_(norm(weights, "pre_feedforward_layernorm", config)),
        mlp_(weights.scope("mlp"), config.hidden_size, config.intermediate_size, config.hidden_activation),
        mlp_norm_(norm(weights, "post_feedforward_layernorm", config)) {}

  void forward(core::ResidualStream& stream, const core::RopeTable& rope, const core::KeptRows& rows,
               core::LayerCache* cache) const {
    stream.add(attention_norm_.forward(attention_.forward(input_norm_.forward(stream), rope, rows, cache)), rows);
    stream.add(mlp_norm_.forward(mlp_.forward(mlp_input_norm_.forward(stream), rows.batch())));
  }

  const LayerType layer_type;

 private:
  RmsNorm input_norm_;
  core::GroupedAttention attention_;
  RmsNorm attention_norm_, mlp_input_norm_;
  core::GatedMlp mlp_;
  RmsNorm mlp_norm_;
};

class Gemma3 final : public core::Encoder, public core::CausalLm {
 public:
  Gemma3(const WeightScope& weights, const ModelSource& source, const Config& config)
      : words_(weights.take_table("embed_tokens.weight", {config.vocab_size, config.hidden_size})),
        // In the type of the weights, as the reference has it.
        embed_scale_(std::sqrt(static_cast<float>(config.hidden_size))),
        full_rope_(rope_of(source.config, config, LayerType::kFull)),
        sliding_rope_(rope_of(source.config, config, LayerType::kSliding)),
        norm_(norm(weights, "norm", config)) {
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
                 {{LayerType::kFull, attention_of(config, LayerType::kFull).attention, full_rope_.info},
                  {LayerType::kSliding, attention_of(config, LayerType::kSliding).attention, sliding_rope_.info}})};
    logit_cap_ = config.final_logit_softcapping;
    if (source.architecture() == kCausalLm && !config.use_bidirectional_attention) {
      output_words_ = take_output_words(source, weights, words_, true);
    }
  }

  Tensor embed(const core::PackedBatch& batch) const override {
    return core::embedding(words_, batch.input_ids).mul_(embed_scale_);
  }

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

  Tensor logits(const Tensor& hidden) const override {
    const Tensor logits = output_words_.logits(hidden);
    return logit_cap_ ? logits.div(*logit_cap_).tanh_().mul_(*logit_cap_) : logits;
  }

 private:
  Tensor run(Tensor hidden, const core::PackedBatch& batch, core::BlockRange blocks, core::KvCache* cache,
             const base::CallLimits& limits = {}) const {
    const core::RopeTable full = full_rope_.table(batch.position_ids, hidden.device());
    const core::RopeTable sliding = sliding_rope_.table(batch.position_ids, hidden.device());
    const core::KeptRows all(batch);
    core::ResidualStream stream(std::move(hidden));
    for (int64_t i = blocks.first; i < blocks.last; ++i) {
      limits.check();
      const Block& block = blocks_[static_cast<size_t>(i)];
      core::LayerCache* layer = cache == nullptr ? nullptr : &cache->layer(i);
      block.forward(stream, block.layer_type == LayerType::kFull ? full : sliding, blocks.leaving(i, all), layer);
    }
    return stream.hidden();
  }

  Tensor words_;
  OutputWords output_words_;
  std::optional<double> logit_cap_;
  float embed_scale_;
  core::Rope full_rope_, sliding_rope_;
  std::vector<Block> blocks_;
  RmsNorm norm_;
  core::EncoderInfo info_;
};

// An absent key has the default of the reference's config, null means none.
std::optional<int64_t> pad_token_id(const JsonObject& json) {
  if (!json.node().contains("pad_token_id")) return 0;
  return json.contains("pad_token_id") ? std::optional(json.required<int64_t>("pad_token_id")) : std::nullopt;
}

core::ClassificationHead sequence_head(const ModelSource& source, int64_t hidden_size) {
  return {.kind = core::HeadKind::kSequence,
          .pooling = core::Pooling::kLastToken,
          .dense = std::nullopt,
          .classifier = Linear(source.weights.scope("score"), hidden_size, source.num_labels, Linear::Bias::kNone),
          .pad_token_id = pad_token_id(source.config)};
}

const std::array<HeadForm, 5> kHeads{{{.architecture = ""},
                                      {.architecture = "Gemma3TextModel"},
                                      {.architecture = kCausalLm},
                                      {"Gemma3ForSequenceClassification", core::HeadKind::kSequence},
                                      {"Gemma3TextForSequenceClassification", core::HeadKind::kSequence}}};

// Buffers of older files; a head that predicts tokens, in a checkpoint whose architecture has none.
const std::vector<std::string_view> kIgnored = {"lm_head.weight", "*rotary_emb.inv_freq", "*rotary_emb_local.inv_freq"};

LoadedParts make(const ModelSource& source) {
  const Config config = read_config(source.config);
  const HeadForm& form = head_form_of(source, kHeads, "Gemma 3");
  // The model is below "model." in checkpoints with a head, and at the top in those without.
  const bool below = source.weights.contains("model.embed_tokens.weight");
  LoadedParts parts;
  auto model = std::make_unique<Gemma3>(below ? source.weights.scope("model") : source.weights, source, config);
  if (model->predicts()) parts.causal_lm = model.get();
  parts.encoder = std::move(model);
  parts.encoder_modules = source.weights.store().modules().size();
  if (form.kind) parts.head.emplace(sequence_head(source, config.hidden_size));
  source.weights.store().finish(kIgnored);
  return parts;
}

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  if (kind == core::HeadKind::kToken) {
    fail(Status::kUnsupported, source.config.path(), ": Gemma 3 has no head for token classification that vsr runs");
  }
  return sequence_head(source, read_config(source.config).hidden_size);
}

}  // namespace

const Architecture kGemma3{.model_type = "gemma3_text",
                           .make = &make,
                           .make_head = &make_head,
                           .naming = {.prefix = "model.",
                                      .classifier = "score",
                                      .sequence_architecture = "Gemma3TextForSequenceClassification",
                                      .token_architecture = ""}};

}  // namespace vsr::models
