// Models of a few numbers, as InputFolder parts: what targets that load whole folders start from.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input_folder.h"

namespace vsr::fuzz {

// Data for any header below: small floats.
inline const std::string& weight_data() {
  static const std::string data = [] {
    std::vector<float> values(1024);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) * 0.125F - 0.375F;
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }();
  return data;
}

using TensorShapes = std::vector<std::pair<std::string, std::vector<int64_t>>>;

// The header of a safetensors file.
inline std::string weight_header(const TensorShapes& shapes) {
  nlohmann::ordered_json header;
  int64_t begin = 0;
  for (const auto& [name, shape] : shapes) {
    int64_t size = sizeof(float);
    for (const int64_t side : shape) size *= side;
    header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, begin + size}}};
    begin += size;
  }
  demand(begin <= static_cast<int64_t>(weight_data().size()), "the tensors of a seed fit the data");
  return header.dump();
}

inline constexpr std::string_view kBertConfig =
    R"({"model_type":"bert","architectures":["BertForSequenceClassification"],"vocab_size":8,"hidden_size":4,)"
    R"("num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":4,"max_position_embeddings":8,)"
    R"("type_vocab_size":2,"layer_norm_eps":1e-12,"hidden_act":"gelu","id2label":{"0":"no","1":"yes"}})";

inline constexpr std::string_view kWords =
    R"({"pre_tokenizer":{"type":"Whitespace"},"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":)"
    R"({"id":"s","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},)"
    R"({"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"s":{"id":"s","ids":[1],"tokens":["s"]}}},)"
    R"("model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"s":1,"a":2,"Safety":3,":":4,"Safe":5,)"
    R"("Controversial":6,"Unsafe":7}}})";

inline TensorShapes bert_shapes(bool with_head = true) {
  const std::string layer = "bert.encoder.layer.0.";
  TensorShapes shapes{{"bert.embeddings.word_embeddings.weight", {8, 4}},
                      {"bert.embeddings.position_embeddings.weight", {8, 4}},
                      {"bert.embeddings.token_type_embeddings.weight", {2, 4}}};
  const auto linear = [&](const std::string& name, int64_t out) {
    shapes.push_back({name + ".weight", {out, 4}});
    shapes.push_back({name + ".bias", {out}});
  };
  const auto norm = [&](const std::string& name) {
    shapes.push_back({name + ".weight", {4}});
    shapes.push_back({name + ".bias", {4}});
  };
  norm("bert.embeddings.LayerNorm");
  for (const char* part : {"attention.self.query", "attention.self.key", "attention.self.value",
                           "attention.output.dense", "intermediate.dense", "output.dense"}) {
    linear(layer + part, 4);
  }
  norm(layer + "attention.output.LayerNorm");
  norm(layer + "output.LayerNorm");
  linear("bert.pooler.dense", 4);
  if (with_head) linear("classifier", 2);
  return shapes;
}

// Qwen3 or Gemma 3: one layer, two heads of two values, one for keys.
inline TensorShapes decoder_shapes(bool gemma) {
  const std::string layer = "model.layers.0.";
  TensorShapes shapes{{"model.embed_tokens.weight", {8, 4}},           {"model.norm.weight", {4}},
                      {layer + "self_attn.q_proj.weight", {4, 4}},     {layer + "self_attn.k_proj.weight", {2, 4}},
                      {layer + "self_attn.v_proj.weight", {2, 4}},     {layer + "self_attn.o_proj.weight", {4, 4}},
                      {layer + "self_attn.q_norm.weight", {2}},        {layer + "self_attn.k_norm.weight", {2}},
                      {layer + "mlp.gate_proj.weight", {4, 4}},        {layer + "mlp.up_proj.weight", {4, 4}},
                      {layer + "mlp.down_proj.weight", {4, 4}},        {layer + "input_layernorm.weight", {4}},
                      {layer + "post_attention_layernorm.weight", {4}}};
  if (gemma) {
    shapes.push_back({layer + "pre_feedforward_layernorm.weight", {4}});
    shapes.push_back({layer + "post_feedforward_layernorm.weight", {4}});
  }
  return shapes;
}

inline TensorShapes modernbert_shapes() {
  const std::string layer = "layers.0.";
  return {{"embeddings.tok_embeddings.weight", {8, 4}},
          {"embeddings.norm.weight", {4}},
          {layer + "attn.Wqkv.weight", {12, 4}},
          {layer + "attn.Wo.weight", {4, 4}},
          {layer + "mlp_norm.weight", {4}},
          {layer + "mlp.Wi.weight", {8, 4}},
          {layer + "mlp.Wo.weight", {4, 4}},
          {"final_norm.weight", {4}}};
}

}  // namespace vsr::fuzz
