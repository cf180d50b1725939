// Options of every version: shorter structs of older callers, longer ones of newer callers, and uninitialised ones.
#include <cstring>

#include "support/handles.h"

using namespace vsr::test;

namespace {

// A struct as a caller of a newer header would pass it, with `extra` more bytes.
template <class Options>
struct Newer {
  Options options;
  unsigned char extra[16] = {};
};

vsr_status embed_with(const vsr_embed_options* options, vsr_error* error) {
  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(embedder(), &text, 1, options, &result, error);
  CHECK((result != nullptr) == (status == VSR_OK));
  vsr_result_free(result);
  return status;
}

std::string rejected(vsr_embed_options options, vsr_status expected = VSR_ERR_INVALID_ARGUMENT) {
  vsr_error error = VSR_ERROR_INIT;
  CHECK(embed_with(&options, &error) == expected);
  return error.message;
}

}  // namespace

TEST_CASE("options: a struct_size that no version has is rejected with a hint", "[c_api]") {
  for (const uint32_t size : {0u, 1u, 4u, 12u, 63u, 4097u, 0xFFFFFFFFu}) {
    vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
    options.struct_size = size;
    CHECK_THAT(rejected(options),
               Catch::Contains("vsr_embed_options.struct_size is " + std::to_string(size)) && Catch::Contains("_INIT"));
  }
}

TEST_CASE("options: fields beyond an older caller's struct are not read", "[c_api]") {
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.task = "no such task";
  options.max_tokens = 1;
  options.struct_size = offsetof(vsr_embed_options, task);
  vsr_error error = VSR_ERROR_INIT;
  CHECK(embed_with(&options, &error) == VSR_OK);
  options.struct_size = offsetof(vsr_embed_options, prompt);
  CHECK_THAT(rejected(options, VSR_ERR_NOT_FOUND), Catch::Contains("no such task"));
}

TEST_CASE("options: a newer caller's struct is read when its new fields are zero", "[c_api]") {
  Newer<vsr_embed_options> newer{VSR_EMBED_OPTIONS_INIT};
  newer.options.struct_size = sizeof newer;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(embed_with(&newer.options, &error) == VSR_OK);
  newer.extra[15] = 1;
  CHECK(embed_with(&newer.options, &error) == VSR_ERR_UNSUPPORTED);
  CHECK_THAT(error.message, Catch::Contains("vsr_embed_options"));
}

TEST_CASE("options: values out of range are rejected by name", "[c_api]") {
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.dim = -1;
  CHECK_THAT(rejected(options), Catch::Contains("dim is -1"));
  options.dim = INT32_MAX;
  CHECK_THAT(rejected(options), Catch::Contains("2147483647"));
  options.dim = 0;
  options.layer = INT32_MIN;
  CHECK_THAT(rejected(options), Catch::Contains("layer is -2147483648"));
  options.layer = 4;  // the tiny model has three blocks
  CHECK_THAT(rejected(options), Catch::Contains("layer"));
  options.layer = 0;
  options.no_normalize = 2;
  CHECK_THAT(rejected(options), Catch::Contains("no_normalize is 2"));
  options.no_normalize = 0;
  options.prompt = "no such prompt";
  CHECK_THAT(rejected(options, VSR_ERR_NOT_FOUND), Catch::Contains("no such prompt"));
  options.instruction = "both";
  CHECK_THAT(rejected(options), Catch::Contains("prompt and instruction"));
}

TEST_CASE("options: a threshold is a probability, and only entities have one", "[c_api]") {
  const vsr_str text = str("where is my card?");
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = nullptr;
  for (const float bad :
       {-0.1f, 1.5f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    options.threshold = bad;
    CHECK(vsr_entities(tagger(), &text, 1, &options, &result, &error) == VSR_ERR_INVALID_ARGUMENT);
    CHECK_THAT(error.message, Catch::StartsWith("threshold is "));
  }
  options.threshold = 0.9f;
  CHECK(vsr_classify(classifier(), &text, nullptr, 1, &options, &result, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("vsr_entities"));
  CHECK(vsr_entities(tagger(), &text, 1, &options, &result, &error) == VSR_OK);
  vsr_result_free(result);
}

TEST_CASE("options: an engine's models are checked one by one", "[c_api]") {
  vsr_model_options model = VSR_MODEL_OPTIONS_INIT;
  const vsr_model_options* models[] = {&model, nullptr};
  vsr_engine_options options = VSR_ENGINE_OPTIONS_INIT;
  options.models = models;
  vsr_engine* engine = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  const auto reject = [&](vsr_status expected = VSR_ERR_INVALID_ARGUMENT) {
    CHECK(vsr_engine_open(&options, &engine, &error) == expected);
    CHECK(engine == nullptr);
    return std::string(error.message);
  };
  CHECK_THAT(reject(), Catch::Contains("model"));  // none at all
  options.model_count = 1;
  CHECK_THAT(reject(), Catch::Contains("models[0].path"));
  const std::string path = tiny("bert-embedding");
  model.path = path.c_str();
  model.reserved = 7;
  CHECK_THAT(reject(), Catch::Contains("models[0].reserved is 7"));
  model.reserved = 0;
  options.model_count = 2;
  CHECK_THAT(reject(), Catch::Contains("models[1] is NULL"));
  models[1] = &model;
  CHECK_THAT(reject(), Catch::Contains("bert-embedding"));  // two of one name
  options.model_count = SIZE_MAX;
  CHECK_THAT(reject(), Catch::Contains("model_count is 18446744073709551615"));
  options.models = nullptr;
  options.model_count = 1;
  CHECK_THAT(reject(), Catch::Contains("models is NULL with model_count 1"));
  options.model_count = 0;
  options.thread_count = UINT32_MAX;
  CHECK_THAT(reject(), Catch::Contains("thread_count is 4294967295"));
  options.thread_count = 0;
  options.config_path = "/nowhere/vsr.yaml";
  CHECK_THAT(reject(VSR_ERR_NOT_FOUND), Catch::Contains("/nowhere/vsr.yaml"));
}

TEST_CASE("options: what a build cannot run is unsupported, not ignored", "[c_api]") {
  vsr_model_options options = VSR_MODEL_OPTIONS_INIT;
  vsr_engine* model = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  const std::string path = tiny("bert-embedding");
  options.dtype = "float99";
  CHECK(vsr_engine_open_model(path.c_str(), &options, &model, &error) == VSR_ERR_UNSUPPORTED);
  CHECK_THAT(error.message, Catch::Contains("float99"));
  options.dtype = "auto";
  options.device = "abacus";
  CHECK(vsr_engine_open_model(path.c_str(), &options, &model, &error) == VSR_ERR_UNSUPPORTED);
  CHECK_THAT(error.message, Catch::Contains("abacus"));
  CHECK(model == nullptr);
}
