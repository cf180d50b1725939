// Engine::load_adapter: any folder is an adapter of the base or refused, and its task answers or says why not.
#include "engine/engine.h"
#include "tiny_models.h"

using namespace vsr;

namespace {

// The base, which stays.
const engine::Engine& base_engine() {
  static fuzz::InputFolder folder({{'c', "config.json"}, {'w', "model.safetensors"}, {'t', "tokenizer.json"}});
  static const auto engine = [] {
    const auto part = fuzz::InputFolder::part;
    folder.fill(
        part('c', fuzz::kBertConfig) + part('w', fuzz::weight_header(fuzz::bert_shapes())) + part('t', fuzz::kWords),
        fuzz::weight_data());
    engine::EngineOptions options;
    options.models.push_back({.name = "m", .path = folder.path(), .dtype = "float32", .device = "cpu", .traits = {}});
    options.threads = 1;
    return engine::Engine::open(options);
  }();
  return *engine;
}

fuzz::InputFolder& folder() {
  static fuzz::InputFolder one(
      {{'c', "adapter_config.json"}, {'w', "adapter_model.safetensors"}, {'i', "id2label.json"}, {'o', "config.json"}});
  return one;
}

std::string header(fuzz::TensorShapes shapes, int64_t labels) {
  shapes.push_back({"base_model.model.classifier.weight", {labels, 4}});
  shapes.push_back({"base_model.model.classifier.bias", {labels}});
  return fuzz::weight_header(shapes);
}

void call(const std::string& task) {
  const engine::TextPair text{"a b", std::nullopt};
  engine::ClassifyOptions options;
  options.task = task;
  fuzz::accept_errors([&] { base_engine().classify({&text, 1}, options); });
  const std::string_view one = "a b";
  engine::EmbedOptions embed;
  embed.task = task;
  fuzz::accept_errors([&] { base_engine().embed({&one, 1}, embed); });
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  const auto part = fuzz::InputFolder::part;
  const std::string query = "base_model.model.bert.encoder.layer.0.attention.self.query.";
  const std::string dense = "base_model.model.bert.encoder.layer.0.intermediate.dense.";
  const std::string labels = part('i', R"({"0":"x","1":"y"})");
  return {
      part('c', R"json({"peft_type":"LORA","task_type":"SEQ_CLS","r":2,"lora_alpha":4,"target_modules":["query"],)json"
                R"json("modules_to_save":["classifier"],"bias":"none"})json") +
          part('w', header({{query + "lora_A.weight", {2, 4}}, {query + "lora_B.weight", {4, 2}}}, 2)) + labels,
      part('c', R"json({"peft_type":"LORA","task_type":"SEQ_CLS","r":1,"lora_alpha":2.5,"use_rslora":true,)json"
                R"json("use_dora":true,"target_modules":".*(query|intermediate.dense)","rank_pattern":{"dense":2},)json"
                R"json("alpha_pattern":{"query":3},"bias":"none","modules_to_save":["classifier"]})json") +
          part('w', header({{query + "lora_A.weight", {1, 4}},
                            {query + "lora_B.weight", {4, 1}},
                            {query + "lora_magnitude_vector", {4}},
                            {dense + "lora_A.weight", {2, 4}},
                            {dense + "lora_B.weight", {4, 2}},
                            {dense + "lora_magnitude_vector", {4}}},
                           1)) +
          part('o', R"({"id2label":{"0":"x"},"problem_type":"multi_label_classification"})"),
      part('c',
           R"json({"peft_type":"LORA","task_type":"FEATURE_EXTRACTION","r":1,"lora_alpha":1,"bias":"lora_only",)json"
           R"json("target_modules":["query"]})json") +
          part('w',
               fuzz::weight_header(
                   {{query + "lora_A.weight", {1, 4}}, {query + "lora_B.weight", {4, 1}}, {query + "bias", {4}}}))};
}

int fuzz::runs() { return 1500; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const engine::Engine& engine = base_engine();
  folder().fill(fuzz::text_of(data, size), fuzz::weight_data());
  fuzz::accept_errors([&] {
    engine.load_adapter({.name = "a", .path = folder().path(), .model = "m"}, true);
    call("a");
    engine.unload_adapter("a");
  });
  return 0;
}
