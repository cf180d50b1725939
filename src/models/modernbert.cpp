// ModernBERT, and mmBERT on the same encoder: pre-norm blocks, rotary positions, GeGLU, attention that is local except
// in every n-th layer. Paper: arXiv:2412.13663. Reference: transformers, models/modernbert/modeling_modernbert.py.
// Reading order: Config, Block, ModernBert, heads, kModernBert.

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "core/nn/nn_activation.h"
#include "core/nn/nn_attention.h"
#include "core/nn/nn_embedding.h"
#include "core/nn/nn_linear.h"
#include "core/nn/nn_norm.h"
#include "core/nn/nn_rope.h"
#include "models/architectures.h"
#include "models/attention_info.h"
#include "models/config_fields.h"
#include "models/head_form.h"

namespace vsr::models {
namespace {

using at::Tensor;
using base::fail;
using base::JsonObject;
using base::Status;
using core::LayerNorm;
using core::Linear;
using core::WeightScope;

// Fields keep their names in config.json; defaults are those of transformers' ModernBertConfig.
struct Config {
  int64_t vocab_size, hidden_size, num_hidden_layers, num_attention_heads, intermediate_size;
  int64_t max_position_embeddings, local_attention;
  double norm_eps;
  LayerNorm::Bias norm_bias;
  Linear::Bias attention_bias, mlp_bias, classifier_bias;
  core::Activation hidden_activation, classifier_activation;
  core::Pooling classifier_pooling;
  std::vector<LayerType> layer_types;

  int64_t head_dim() const { return hidden_size / num_attention_heads; }
};

Linear::Bias linear_bias(const JsonObject& json, const std::string& key) {
  return json.optional<bool>(key, false) ? Linear::Bias::kRequired : Linear::Bias::kNone;
}

core::Activation activation(const JsonObject& json, const std::string& key) {
  return core::activation_named(json.optional<std::string>(key, "gelu"), json.path() + ": \"" + key + "\"");
}

core::Pooling classifier_pooling(const JsonObject& json) {
  const auto name = json.optional<std::string>("classifier_pooling", "cls");
  if (name != "cls" && name != "mean") {
    fail(Status::kUnsupported, json.path(), ": classifier_pooling \"", name, "\" is neither \"cls\" nor \"mean\"");
  }
  return core::pooling_named(name, json.path());
}

Config read_config(const JsonObject& json) {
  Config config{};
  config.vocab_size = positive(json, "vocab_size");
  config.hidden_size = positive(json, "hidden_size");
  config.num_hidden_layers = positive(json, "num_hidden_layers");
  config.num_attention_heads = positive(json, "num_attention_heads");
  config.intermediate_size = positive(json, "intermediate_size");
  config.max_position_embeddings = positive(json, "max_position_embeddings", 8192);
  config.local_attention = positive(json, "local_attention", 128);
  config.norm_eps = positive_number(json, "norm_eps", 1e-5);
  config.norm_bias = json.optional<bool>("norm_bias", false) ? LayerNorm::Bias::kRequired : LayerNorm::Bias::kNone;
  config.attention_bias = linear_bias(json, "attention_bias");
  config.mlp_bias = linear_bias(json, "mlp_bias");
  config.classifier_bias = linear_bias(json, "classifier_bias");
  config.hidden_activation = activation(json, "hidden_activation");
  config.classifier_activation = activation(json, "classifier_activation");
  config.classifier_pooling = classifier_pooling(json);
  const int64_t period = positive(json, "global_attn_every_n_layers", 3);
  config.layer_types = read_layer_types(json, config.num_hidden_layers, [period](int64_t layer) {
    return layer % period == 0 ? LayerType::kFull : LayerType::kSliding;
  });
  if (config.hidden_size % config.num_attention_heads != 0) {
    fail(Status::kParse, json.path(), ": hidden_size ", config.hidden_size,
         " is not a multiple of num_attention_heads ", config.num_attention_heads);
  }
  return config;
}

// Both generations: "rope_parameters" per type of layer, or a base per type and one "rope_scaling" for both.
core::Rope rope_of(const JsonObject& json, const Config& config, LayerType type) {
  const bool full = type == LayerType::kFull;
  std::vector<JsonObject> parameters;
  if (const auto scaling = find_object(json, "rope_scaling")) parameters.push_back(*scaling);
  if (const auto both = find_object(json, "rope_parameters")) {
    const std::string key = full ? "full_attention" : "sliding_attention";
    if (!both->contains("full_attention") && !both->contains("sliding_attention")) {
      both->fail("has neither \"full_attention\" nor \"sliding_attention\"");
    }
    if (const auto own = find_object(*both, key)) parameters.push_back(*own);
  }
  const double theta =
      positive_number(json, full ? "global_rope_theta" : "local_rope_theta", full ? 160000.0 : 10000.0);
  return core::read_rope(parameters, {theta, config.head_dim(), config.max_position_embeddings}, json.path());
}

core::AttentionSpec attention_of(const Config& config, LayerType type) {
  core::AttentionSpec spec{.heads = config.num_attention_heads,
                           .kv_heads = config.num_attention_heads,
                           .head_dim = config.head_dim(),
                           .scale = 1 / std::sqrt(static_cast<double>(config.head_dim()))};
  if (type == LayerType::kSliding) spec.window = config.local_attention / 2;
  return spec;
}

class Block {
 public:
  Block(const WeightScope& weights, const Config& config, int64_t index)
      : layer_type(config.layer_types[static_cast<size_t>(index)]),
        attention_(attention_of(config, layer_type)),
        hidden_activation_(config.hidden_activation),
        qkv_(weights.scope("attn.Wqkv"), config.hidden_size, 3 * config.hidden_size, config.attention_bias),
        attention_output_(weights.scope("attn.Wo"), config.hidden_size, config.hidden_size, config.attention_bias),
        mlp_norm_(weights.scope("mlp_norm"), config.hidden_size, config.norm_eps, config.norm_bias),
        mlp_input_(weights.scope("mlp.Wi"), config.hidden_size, 2 * config.intermediate_size, config.mlp_bias),
        mlp_output_(weights.scope("mlp.Wo"), config.intermediate_size, config.hidden_size, config.mlp_bias) {
    // Block 0 has no norm of its own: that of the embeddings has just been applied.
    if (index != 0)
      attn_norm_.emplace(weights.scope("attn_norm"), config.hidden_size, config.norm_eps, config.norm_bias);
  }

  void forward(core::ResidualStream& stream, const core::RopeTable& rope, const core::KeptRows& rows) const {
    const core::PackedBatch& batch = rows.batch();
    stream.add(attend(attn_norm_ ? attn_norm_->forward(stream, rows.source()) : stream.hidden(), rope, rows), rows);
    stream.add(feed_forward(mlp_norm_.forward(stream, batch), batch));
  }

  const LayerType layer_type;

 private:
  Tensor attend(const Tensor& input, const core::RopeTable& rope, const core::KeptRows& rows) const {
    const std::vector<Tensor> parts = qkv_.forward(input, rows.source()).chunk(3, 1);
    rope.rotate(parts[0]);
    rope.rotate(parts[1]);
    return attention_output_.forward(core::attend(rows.take(parts[0]), parts[1], parts[2], attention_, rows),
                                     rows.batch());
  }

  Tensor feed_forward(const Tensor& input, const core::PackedBatch& batch) const {
    const std::vector<Tensor> parts = mlp_input_.forward(input, batch).chunk(2, 1);
    return mlp_output_.forward(core::activate_gate(hidden_activation_, parts[0], parts[1]), batch);
  }

  core::AttentionSpec attention_;
  core::Activation hidden_activation_;
  std::optional<LayerNorm> attn_norm_;
  Linear qkv_, attention_output_;
  LayerNorm mlp_norm_;
  Linear mlp_input_, mlp_output_;
};

class ModernBert final : public core::Encoder {
 public:
  ModernBert(const WeightScope& weights, const JsonObject& json, const Config& config)
      : words_(weights.take_table("embeddings.tok_embeddings.weight", {config.vocab_size, config.hidden_size})),
        embeddings_norm_(weights.scope("embeddings.norm"), config.hidden_size, config.norm_eps, config.norm_bias),
        full_rope_(rope_of(json, config, LayerType::kFull)),
        sliding_rope_(rope_of(json, config, LayerType::kSliding)),
        final_norm_(weights.scope("final_norm"), config.hidden_size, config.norm_eps, config.norm_bias) {
    for (int64_t i = 0; i < config.num_hidden_layers; ++i) blocks_.emplace_back(weights.scope("layers", i), config, i);
    info_ = {.num_hidden_layers = config.num_hidden_layers,
             .hidden_size = config.hidden_size,
             .num_attention_heads = config.num_attention_heads,
             .num_key_value_heads = config.num_attention_heads,
             .head_dim = config.head_dim(),
             .intermediate_size = config.intermediate_size,
             .vocab_size = config.vocab_size,
             .max_position_embeddings = config.max_position_embeddings,
             .attention = attention_info(
                 config.layer_types,
                 {{LayerType::kFull, attention_of(config, LayerType::kFull), full_rope_.info},
                  {LayerType::kSliding, attention_of(config, LayerType::kSliding), sliding_rope_.info}})};
  }

  Tensor embed(const core::PackedBatch& batch) const override {
    return embeddings_norm_.forward(core::embedding(words_, batch.input_ids), batch);
  }

  Tensor run_blocks(Tensor hidden, const core::PackedBatch& batch, core::BlockRange blocks) const override {
    const core::RopeTable full = full_rope_.table(batch.position_ids, hidden.device());
    const core::RopeTable sliding = sliding_rope_.table(batch.position_ids, hidden.device());
    const core::KeptRows all(batch);
    core::ResidualStream stream(std::move(hidden));
    for (int64_t i = blocks.first; i < blocks.last; ++i) {
      const Block& block = blocks_[static_cast<size_t>(i)];
      block.forward(stream, block.layer_type == LayerType::kFull ? full : sliding, blocks.leaving(i, all));
    }
    return stream.hidden();
  }

  Tensor final_norm(const Tensor& hidden, const core::PackedBatch& batch) const override {
    return final_norm_.forward(hidden, batch);
  }

  const core::EncoderInfo& info() const override { return info_; }

 private:
  Tensor words_;
  LayerNorm embeddings_norm_;
  core::Rope full_rope_, sliding_rope_;
  std::vector<Block> blocks_;
  LayerNorm final_norm_;
  core::EncoderInfo info_;
};

// The same three layers over pooled texts or over every token; the classifier always has a bias.
core::ClassificationHead head_of(const ModelSource& source, const Config& config, core::HeadKind kind) {
  const WeightScope head = source.weights.scope("head");
  const int64_t size = config.hidden_size;
  const bool sequence = kind == core::HeadKind::kSequence;
  return {.kind = kind,
          .pooling = sequence ? std::optional(config.classifier_pooling) : std::nullopt,
          .dense = core::HeadDense{.linear = Linear(head.scope("dense"), size, size, config.classifier_bias),
                                   .activation = config.classifier_activation,
                                   .norm = LayerNorm(head.scope("norm"), size, config.norm_eps, config.norm_bias)},
          .classifier = Linear(source.weights.scope("classifier"), size, source.num_labels)};
}

const std::array<HeadForm, 5> kHeads{{{.architecture = ""},
                                      {.architecture = "ModernBertModel"},
                                      {"ModernBertForMaskedLM", std::nullopt, {"head.*", "decoder.*"}},
                                      {"ModernBertForSequenceClassification", core::HeadKind::kSequence},
                                      {"ModernBertForTokenClassification", core::HeadKind::kToken}}};

LoadedParts make(const ModelSource& source) {
  const Config config = read_config(source.config);
  const HeadForm& form = head_form_of(source, kHeads, "ModernBERT");
  // The encoder is below "model." in checkpoints with a head, and at the top in those without.
  const bool below = source.weights.contains("model.embeddings.tok_embeddings.weight");
  LoadedParts parts;
  parts.encoder =
      std::make_unique<ModernBert>(below ? source.weights.scope("model") : source.weights, source.config, config);
  parts.encoder_modules = source.weights.store().modules().size();
  if (form.kind) parts.head.emplace(head_of(source, config, *form.kind));
  source.weights.store().finish(form.ignored);
  return parts;
}

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  return head_of(source, read_config(source.config), kind);
}

}  // namespace

const Architecture kModernBert{.model_type = "modernbert",
                               .make = &make,
                               .make_head = &make_head,
                               .naming = {.prefix = "model.",
                                          .classifier = "classifier",
                                          .sequence_architecture = "ModernBertForSequenceClassification",
                                          .token_architecture = "ModernBertForTokenClassification"}};

}  // namespace vsr::models
