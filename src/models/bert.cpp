// BERT: post-norm blocks, learned absolute positions, full attention.
// Paper: arXiv:1810.04805. Reference: transformers, models/bert/modeling_bert.py.
// Reading order: Config, Embeddings, Block, Bert, heads, kBert.

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
#include "models/architectures.h"
#include "models/config_fields.h"
#include "models/head_form.h"

namespace vsr::models {
namespace {

using at::Tensor;
using base::fail;
using base::Status;
using core::Linear;
using core::WeightScope;

// Fields keep their names in config.json; defaults are those of transformers' BertConfig.
struct Config {
  int64_t vocab_size, hidden_size, num_hidden_layers, num_attention_heads, intermediate_size;
  int64_t max_position_embeddings, type_vocab_size;
  double layer_norm_eps;
  core::Activation hidden_act;
};

Config read_config(const base::JsonObject& json) {
  Config config{};
  config.vocab_size = positive(json, "vocab_size");
  config.hidden_size = positive(json, "hidden_size");
  config.num_hidden_layers = positive(json, "num_hidden_layers");
  config.num_attention_heads = positive(json, "num_attention_heads");
  config.intermediate_size = positive(json, "intermediate_size");
  config.max_position_embeddings = positive(json, "max_position_embeddings");
  config.type_vocab_size = json.contains("type_vocab_size") ? positive(json, "type_vocab_size") : 2;
  config.layer_norm_eps = json.optional<double>("layer_norm_eps", 1e-12);
  if (!(config.layer_norm_eps >= 0)) json.at("layer_norm_eps").fail("is negative");
  config.hidden_act =
      core::activation_named(json.optional<std::string>("hidden_act", "gelu"), json.path() + ": \"hidden_act\"");
  if (config.hidden_size % config.num_attention_heads != 0) {
    fail(Status::kParse, json.path(), ": hidden_size ", config.hidden_size,
         " is not a multiple of num_attention_heads ", config.num_attention_heads);
  }
  const auto positions = json.optional<std::string>("position_embedding_type", "absolute");
  if (positions != "absolute") {
    fail(Status::kUnsupported, json.path(), ": position_embedding_type \"", positions, "\" is not \"absolute\"");
  }
  if (json.optional<bool>("is_decoder", false)) fail(Status::kUnsupported, json.path(), ": is_decoder is true");
  return config;
}

class Embeddings {
 public:
  Embeddings(const WeightScope& weights, const Config& config)
      : words_(weights.scope("word_embeddings").take_table("weight", {config.vocab_size, config.hidden_size})),
        positions_(weights.scope("position_embeddings")
                       .take_table("weight", {config.max_position_embeddings, config.hidden_size})),
        types_(
            weights.scope("token_type_embeddings").take_table("weight", {config.type_vocab_size, config.hidden_size})),
        norm_(weights.scope("LayerNorm"), config.hidden_size, config.layer_norm_eps) {}

  // -> [total_tokens, hidden_size]
  Tensor forward(const core::PackedBatch& batch) const {
    Tensor sum = core::embedding(words_, batch.input_ids);
    sum.add_(core::embedding(types_, batch.type_ids));
    sum.add_(core::embedding(positions_, batch.position_ids));
    return norm_.forward(sum, batch);
  }

 private:
  Tensor words_, positions_, types_;
  core::LayerNorm norm_;
};

core::AttentionSpec full_attention(const Config& config) {
  const int64_t head_dim = config.hidden_size / config.num_attention_heads;
  return {.heads = config.num_attention_heads,
          .kv_heads = config.num_attention_heads,
          .head_dim = head_dim,
          .scale = 1 / std::sqrt(static_cast<double>(head_dim))};
}

class Block {
 public:
  Block(const WeightScope& weights, const Config& config)
      : attention_(full_attention(config)),
        hidden_act_(config.hidden_act),
        query_(weights.scope("attention.self.query"), config.hidden_size, config.hidden_size),
        key_(weights.scope("attention.self.key"), config.hidden_size, config.hidden_size),
        value_(weights.scope("attention.self.value"), config.hidden_size, config.hidden_size),
        attention_output_(weights.scope("attention.output.dense"), config.hidden_size, config.hidden_size),
        attention_norm_(weights.scope("attention.output.LayerNorm"), config.hidden_size, config.layer_norm_eps),
        intermediate_(weights.scope("intermediate.dense"), config.hidden_size, config.intermediate_size),
        output_(weights.scope("output.dense"), config.intermediate_size, config.hidden_size),
        output_norm_(weights.scope("output.LayerNorm"), config.hidden_size, config.layer_norm_eps) {}

  Tensor forward(const Tensor& hidden, const core::KeptRows& rows) const {
    const core::PackedBatch& batch = rows.batch();
    const Tensor kept = rows.take(hidden);
    const Tensor attended = core::attend(query_.forward(kept, batch), key_.forward(hidden, rows.source()),
                                         value_.forward(hidden, rows.source()), attention_, rows);
    const Tensor middle = attention_norm_.forward_sum(attention_output_.forward(attended, batch), kept, batch);
    const Tensor inner = core::activate(hidden_act_, intermediate_.forward(middle, batch));
    return output_norm_.forward_sum(output_.forward(inner, batch), middle, batch);
  }

 private:
  core::AttentionSpec attention_;
  core::Activation hidden_act_;
  Linear query_, key_, value_, attention_output_;
  core::LayerNorm attention_norm_;
  Linear intermediate_, output_;
  core::LayerNorm output_norm_;
};

class Bert final : public core::Encoder {
 public:
  Bert(const WeightScope& weights, const Config& config) : embeddings_(weights.scope("embeddings"), config) {
    for (int64_t i = 0; i < config.num_hidden_layers; ++i) {
      blocks_.emplace_back(weights.scope("encoder.layer", i), config);
    }
    info_ = {.num_hidden_layers = config.num_hidden_layers,
             .hidden_size = config.hidden_size,
             .num_attention_heads = config.num_attention_heads,
             .num_key_value_heads = config.num_attention_heads,
             .head_dim = config.hidden_size / config.num_attention_heads,
             .intermediate_size = config.intermediate_size,
             .vocab_size = config.vocab_size,
             .type_vocab_size = config.type_vocab_size,
             .max_position_embeddings = config.max_position_embeddings,
             .attention = {{.type = "full_attention", .layers = config.num_hidden_layers}}};
  }

  Tensor embed(const core::PackedBatch& batch) const override { return embeddings_.forward(batch); }

  Tensor run_blocks(Tensor hidden, const core::PackedBatch& batch, core::BlockRange blocks) const override {
    const core::KeptRows all(batch);
    for (int64_t i = blocks.first; i < blocks.last; ++i) {
      hidden = blocks_[static_cast<size_t>(i)].forward(hidden, blocks.leaving(i, all));
    }
    return hidden;
  }

  // Post-norm blocks end with a norm of their own, so leaving early needs no further one.
  Tensor final_norm(const Tensor& hidden, const core::PackedBatch&) const override { return hidden; }

  const core::EncoderInfo& info() const override { return info_; }

 private:
  Embeddings embeddings_;
  std::vector<Block> blocks_;
  core::EncoderInfo info_;
};

// The encoder is below "bert." in checkpoints with a head, and at the top in those without.
WeightScope encoder_scope(const WeightScope& weights) {
  return weights.contains("bert.embeddings.word_embeddings.weight") ? weights.scope("bert") : weights;
}

core::ClassificationHead head_of(const ModelSource& source, const WeightScope& encoder, int64_t hidden_size,
                                 core::HeadKind kind) {
  if (kind == core::HeadKind::kToken) {
    return {.kind = kind,
            .pooling = std::nullopt,
            .dense = std::nullopt,
            .classifier = Linear(source.weights.scope("classifier"), hidden_size, source.num_labels)};
  }
  return {.kind = kind,
          .pooling = core::Pooling::kCls,
          .dense = core::HeadDense{.linear = Linear(encoder.scope("pooler.dense"), hidden_size, hidden_size),
                                   .activation = core::Activation::kTanh},
          .classifier = Linear(source.weights.scope("classifier"), hidden_size, source.num_labels)};
}

const std::array<HeadForm, 6> kHeads{{{.architecture = ""},
                                      {.architecture = "BertModel"},
                                      {.architecture = "BertForMaskedLM"},
                                      {.architecture = "BertForPreTraining"},
                                      {"BertForSequenceClassification", core::HeadKind::kSequence},
                                      {"BertForTokenClassification", core::HeadKind::kToken}}};

// Buffers, and what only pre-training or an unused pooler needs.
const std::vector<std::string_view> kIgnored = {"*embeddings.position_ids", "cls.*",
                                                "pooler.dense.weight",      "pooler.dense.bias",
                                                "bert.pooler.dense.weight", "bert.pooler.dense.bias"};

LoadedParts make(const ModelSource& source) {
  const Config config = read_config(source.config);
  const HeadForm& form = head_form_of(source, kHeads, "BERT");
  const WeightScope encoder = encoder_scope(source.weights);
  LoadedParts parts;
  parts.encoder = std::make_unique<Bert>(encoder, config);
  parts.encoder_modules = source.weights.store().modules().size();
  if (form.kind) parts.head.emplace(head_of(source, encoder, config.hidden_size, *form.kind));
  source.weights.store().finish(kIgnored);
  return parts;
}

core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind) {
  return head_of(source, source.weights, read_config(source.config).hidden_size, kind);
}

}  // namespace

const Architecture kBert{.model_type = "bert",
                         .make = &make,
                         .make_head = &make_head,
                         .naming = {.prefix = "bert.",
                                    .classifier = "classifier",
                                    .sequence_architecture = "BertForSequenceClassification",
                                    .token_architecture = "BertForTokenClassification"}};

}  // namespace vsr::models
