// Adapters that come and go, and that engines are opened with.
#include "support/adapters.h"

using namespace vsr::test;

namespace {

vsr_status classify(const vsr_engine* engine, const char* task, vsr_error* error = nullptr) {
  const vsr_str text = str("where is my card?");
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  options.task = task;
  vsr_result* result = nullptr;
  const vsr_status status = vsr_classify(engine, &text, nullptr, 1, &options, &result, error);
  vsr_result_free(result);
  return status;
}

std::string describe(const vsr_engine* engine) {
  vsr_string* json = nullptr;
  REQUIRE(vsr_engine_describe(engine, &json, nullptr) == VSR_OK);
  const StringHandle owner(json);
  return text_of(vsr_string_text(json));
}

}  // namespace

TEST_CASE("adapters: each answers a task of its own name until it is unloaded", "[c_api]") {
  const EngineHandle engine = load(tiny("bert-embedding"));
  vsr_error error = VSR_ERROR_INIT;
  CHECK(classify(engine.get(), "topic") == VSR_ERR_UNSUPPORTED);  // nothing has such a head
  REQUIRE(load_adapter(engine.get(), "topic", "bert-last-layer", false, &error) == VSR_OK);
  CHECK(classify(engine.get(), "topic") == VSR_OK);
  CHECK_THAT(describe(engine.get()), Catch::Contains("\"banking\"") && Catch::Contains("bert-last-layer") &&
                                         Catch::Contains("\"path\":\"lora\",\"adapter\":\"topic\""));
  REQUIRE(vsr_engine_unload_adapter(engine.get(), "topic", &error) == VSR_OK);
  CHECK(classify(engine.get(), "topic") == VSR_ERR_UNSUPPORTED);
  CHECK_THAT(describe(engine.get()), !Catch::Contains("banking"));
  CHECK(vsr_engine_unload_adapter(engine.get(), "topic", &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("\"topic\""));
}

TEST_CASE("adapters: a name in use is replaced only where the caller says so", "[c_api]") {
  const EngineHandle engine = open_adapted();
  vsr_error error = VSR_ERROR_INIT;
  CHECK(load_adapter(engine.get(), "topic", "bert-patterns", false, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("\"topic\""));
  CHECK_THAT(describe(engine.get()), !Catch::Contains("bert-patterns"));
  CHECK(load_adapter(engine.get(), "topic", "bert-patterns", true, &error) == VSR_OK);
  CHECK_THAT(describe(engine.get()), Catch::Contains("bert-patterns") && !Catch::Contains("bert-last-layer"));
  // A model is no adapter that could be replaced.
  CHECK(load_adapter(engine.get(), "bert-embedding", "bert-patterns", true, &error) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("adapters: what cannot be loaded leaves the engine as it was", "[c_api]") {
  const EngineHandle engine = open_adapted();
  const std::string before = describe(engine.get());
  vsr_error error = VSR_ERROR_INIT;
  CHECK(load_adapter(engine.get(), "topic", "modernbert-fused", true, &error) == VSR_ERR_WEIGHTS);
  CHECK_THAT(error.message, Catch::Contains("modernbert-fused") && Catch::Contains("bert-embedding"));
  CHECK(load_adapter(engine.get(), "topic", "nowhere", true, &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("nowhere"));
  CHECK(describe(engine.get()) == before);
  CHECK(classify(engine.get(), "topic") == VSR_OK);
}

TEST_CASE("adapters: arguments are checked by name", "[c_api]") {
  const EngineHandle engine = load(tiny("bert-embedding"));
  const std::string path = tiny_adapter("bert-last-layer");
  vsr_adapter_options options = VSR_ADAPTER_OPTIONS_INIT;
  vsr_error error = VSR_ERROR_INIT;
  const auto rejected = [&](const vsr_adapter_options* given, int32_t replace, vsr_status expected) {
    CHECK(vsr_engine_load_adapter(engine.get(), given, replace, &error) == expected);
    return std::string(error.message);
  };
  CHECK_THAT(rejected(nullptr, 0, VSR_ERR_INVALID_ARGUMENT), Catch::Contains("options is NULL"));
  CHECK_THAT(rejected(&options, 0, VSR_ERR_INVALID_ARGUMENT), Catch::Contains("path is NULL or empty"));
  options.path = path.c_str();
  options.reserved = 1;
  CHECK_THAT(rejected(&options, 0, VSR_ERR_INVALID_ARGUMENT), Catch::Contains("reserved is 1"));
  options.reserved = 0;
  options.struct_size = 3;
  CHECK_THAT(rejected(&options, 0, VSR_ERR_INVALID_ARGUMENT), Catch::Contains("struct_size is 3"));
  options.struct_size = sizeof options;
  CHECK_THAT(rejected(&options, 2, VSR_ERR_INVALID_ARGUMENT), Catch::Contains("replace is 2"));
  options.model = "no such model";
  CHECK_THAT(rejected(&options, 0, VSR_ERR_NOT_FOUND), Catch::Contains("no such model"));
  options.model = nullptr;
  CHECK(vsr_engine_load_adapter(engine.get(), &options, 0, &error) == VSR_OK);  // named after its folder
  CHECK(classify(engine.get(), "bert-last-layer") == VSR_OK);
  CHECK(vsr_engine_unload_adapter(engine.get(), nullptr, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("name is NULL"));
}

TEST_CASE("adapters: an engine opens with them, and an older caller's options have none", "[c_api]") {
  const std::string model_path = tiny("bert-embedding");
  vsr_model_options model = VSR_MODEL_OPTIONS_INIT;
  model.path = model_path.c_str();
  const vsr_model_options* models[] = {&model};
  const OneAdapter topic("topic", tiny_adapter("bert-last-layer"));
  const vsr_adapter_options* adapters[] = {topic.get(), nullptr};
  vsr_engine_options options = VSR_ENGINE_OPTIONS_INIT;
  options.models = models;
  options.model_count = 1;
  options.adapters = adapters;
  options.adapter_count = 1;
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* opened = nullptr;
  REQUIRE(vsr_engine_open(&options, &opened, &error) == VSR_OK);
  CHECK(classify(EngineHandle(opened).get(), "topic") == VSR_OK);

  options.struct_size = offsetof(vsr_engine_options, adapters);
  REQUIRE(vsr_engine_open(&options, &opened, &error) == VSR_OK);
  CHECK(classify(EngineHandle(opened).get(), "topic") == VSR_ERR_UNSUPPORTED);

  options.struct_size = sizeof options;
  const auto rejected = [&] {
    CHECK(vsr_engine_open(&options, &opened, &error) == VSR_ERR_INVALID_ARGUMENT);
    CHECK(opened == nullptr);
    return std::string(error.message);
  };
  options.adapter_count = 2;
  CHECK_THAT(rejected(), Catch::Contains("adapters[1] is NULL"));
  adapters[1] = topic.get();
  CHECK_THAT(rejected(), Catch::Contains("\"topic\""));  // two of one name
  options.adapters = nullptr;
  CHECK_THAT(rejected(), Catch::Contains("adapters is NULL with adapter_count 2"));
}

TEST_CASE("adapters: the default engine has those of its options after a reload", "[c_api]") {
  vsr_shutdown();
  vsr_error error = VSR_ERROR_INIT;
  CHECK(load_adapter(nullptr, "topic", "bert-last-layer", false, &error) == VSR_ERR_STATE);
  CHECK(vsr_engine_unload_adapter(nullptr, "topic", &error) == VSR_ERR_STATE);
  const OneModel options(tiny("bert-embedding"));
  REQUIRE(vsr_init(options.get(), &error) == VSR_OK);
  CHECK(load_adapter(nullptr, "topic", "bert-last-layer", false, &error) == VSR_OK);
  CHECK(classify(nullptr, "topic") == VSR_OK);
  REQUIRE(vsr_init(options.get(), &error) == VSR_OK);  // the same engine goes on
  CHECK(classify(nullptr, "topic") == VSR_OK);
  REQUIRE(vsr_reload(options.get(), &error) == VSR_OK);
  CHECK(classify(nullptr, "topic") == VSR_ERR_UNSUPPORTED);
  vsr_shutdown();
}
