// engine::Engine: any folder is a model or refused, and a model answers every kind of call or says why not.
#include <optional>

#include "engine/engine.h"
#include "tiny_models.h"

using namespace vsr;

namespace {

constexpr std::string_view kDecoder =
    R"("vocab_size":8,"hidden_size":4,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,)"
    R"("head_dim":2,"intermediate_size":4,"max_position_embeddings":16,"tie_word_embeddings":true,"eos_token_id":3,)";

fuzz::InputFolder& folder() {
  static fuzz::InputFolder one({{'c', "config.json"},
                                {'w', "model.safetensors"},
                                {'t', "tokenizer.json"},
                                {'k', "tokenizer_config.json"},
                                {'j', "chat_template.jinja"},
                                {'g', "generation_config.json"},
                                {'m', "modules.json"},
                                {'p', "1_Pooling/config.json"},
                                {'s', "sentence_bert_config.json"},
                                {'n', "config_sentence_transformers.json"}});
  return one;
}

std::string seed(const std::string& config, const fuzz::TensorShapes& shapes, const std::string& more = "") {
  const auto part = fuzz::InputFolder::part;
  return part('c', config) + part('w', fuzz::weight_header(shapes)) + part('t', fuzz::kWords) + more;
}

void call(const engine::Engine& engine) {
  const std::vector<std::string_view> texts{"a b", "x"};
  const std::vector<engine::TextPair> pairs{{"a", std::nullopt}, {"b", "a a a a a a a a a a"}};
  const base::CallLimits limits{.deadline = base::deadline_in(2000), .cancel = {}};
  fuzz::accept_errors([&] {
    engine::EmbedOptions options;
    options.limits = limits;
    engine.embed(texts, options);
  });
  engine::ClassifyOptions options;
  options.limits = limits;
  fuzz::accept_errors([&] { engine.classify(pairs, options); });
  fuzz::accept_errors([&] { engine.entities(texts, options); });
  engine::GenerateOptions generate;
  generate.max_new_tokens = 2;
  generate.limits = limits;
  fuzz::accept_errors([&] { engine.generate("a b", generate); });
  engine::ModerateOptions moderate;
  moderate.max_new_tokens = 2;
  moderate.limits = limits;
  fuzz::accept_errors([&] { engine.moderate("a", "b", moderate); });
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  const auto part = fuzz::InputFolder::part;
  const std::string pooling =
      part('m', R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},)"
                R"({"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"},)"
                R"({"idx":2,"name":"2","path":"2_Normalize","type":"sentence_transformers.models.Normalize"}])") +
      part('p', R"({"word_embedding_dimension":4,"pooling_mode_mean_tokens":true,"pooling_mode_max_tokens":true,)"
                R"("include_prompt":false})") +
      part('s', R"({"max_seq_length":8,"do_lower_case":false})") +
      part('n', R"({"prompts":{"query":"a: "},"default_prompt_name":"query"})");
  const std::string chat = part('j', "{% for m in messages %}{{ m.role ~ ' ' ~ m.content }} {% endfor %}a") +
                           part('g', R"({"eos_token_id":[3,1]})") +
                           part('k', R"({"model_max_length":12,"bos_token":"s","eos_token":{"content":"b"}})");
  return {seed(std::string(fuzz::kBertConfig), fuzz::bert_shapes()),
          seed(R"({"model_type":"bert","architectures":["BertModel"],)" +
                   std::string(fuzz::kBertConfig.substr(fuzz::kBertConfig.find("\"vocab_size"))),
               fuzz::bert_shapes(false), pooling),
          seed(R"({"model_type":"qwen3","architectures":["Qwen3ForCausalLM"],)" + std::string(kDecoder) +
                   R"("rope_theta":10000,"rope_scaling":{"rope_type":"yarn","factor":2.0,)"
                   R"("original_max_position_embeddings":8},"use_sliding_window":true,"sliding_window":4,)"
                   R"("max_window_layers":0})",
               fuzz::decoder_shapes(false), chat),
          seed(R"({"model_type":"gemma3_text","architectures":["Gemma3ForCausalLM"],)" + std::string(kDecoder) +
                   R"("query_pre_attn_scalar":2,"sliding_window":4,"layer_types":["sliding_attention"],)"
                   R"("final_logit_softcapping":30.0})",
               fuzz::decoder_shapes(true), chat),
          seed(R"({"model_type":"modernbert","architectures":["ModernBertForMaskedLM"],"vocab_size":8,"hidden_size":4,)"
               R"("num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":4,"max_position_embeddings":16,)"
               R"("local_attention":4,"global_attn_every_n_layers":1,"global_rope_theta":160000.0})",
               fuzz::modernbert_shapes())};
}

int fuzz::runs() { return 1500; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  folder().fill(fuzz::text_of(data, size), fuzz::weight_data());
  fuzz::accept_errors([&] {
    engine::EngineOptions options;
    options.models.push_back({.name = "m", .path = folder().path(), .dtype = "float32", .device = "cpu", .traits = {}});
    options.threads = 1;
    call(*engine::Engine::open(options));
  });
  return 0;
}
