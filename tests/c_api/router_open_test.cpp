// What vsr_router_open() finds out about the models of a file or of an engine.
#include <filesystem>
#include <string>

#include "support/adapters.h"
#include "support/handles.h"
#include "support/temp_folder.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;
namespace fs = std::filesystem;

namespace {

// A decision for texts that the classifier task "topic" takes for travel; `leaf` adds to its rule.
std::string topic_config(const std::string& vsr_part, const std::string& leaf = "",
                         const std::string& label = "travel") {
  return R"(version: v0.3
routing:
  signals: {classifiers: [{name: topic, labels: [)" +
         label +
         "], threshold: 0}]}\n  decisions: [{name: travel, rules: {type: classifier, name: topic, label: " + label +
         leaf + R"(}, modelRefs: [{model: large}]}]
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
)" + vsr_part;
}

std::string models(const std::string& name, const std::string& model, const std::string& more = "") {
  return "vsr:\n  models:\n    " + name + ": {path: " + tiny(model) + "}\n" + more;
}

class Files {
 public:
  std::string write(const std::string& text) { return folder_.write("r" + std::to_string(++count_) + ".yaml", text); }

  // "code: message" of opening, the path as "r.yaml"; "" if it opens.
  std::string failure(const std::string& text, const vsr::RouterOptions& options = {}) {
    const std::string path = write(text);
    try {
      const vsr::Router router(path, options);
      return "";
    } catch (const vsr::Error& error) {
      std::string message = error.what();
      const size_t at = message.find(path);
      if (at != std::string::npos) message.replace(at, path.size(), "r.yaml");
      return std::to_string(error.code()) + ": " + message;
    }
  }

 private:
  TempFolder folder_;
  int count_ = 0;
};

const std::string kNotFound = std::to_string(VSR_ERR_NOT_FOUND) + ": ";

}  // namespace

TEST_CASE("router open: tasks of the file's own models are known without loading them", "[c_api][router]") {
  Files files;
  CHECK(files.failure(topic_config(models("topic", "bert-sequence"))) == "");
  CHECK(files.failure(topic_config(models("m", "bert-sequence", "  tasks: {topic: {model: m}}\n"))) == "");
  CHECK(files.failure(topic_config(models("m", "bert-sequence"))) ==
        kNotFound + R"(r.yaml:4:37: signal "classifier:topic:travel": task "topic" does not exist; )"
                    R"(for sequence_classification there are "m")");
  CHECK(files.failure(topic_config(models("topic", "bert-token"))) ==
        kNotFound + R"(r.yaml:4:37: signal "classifier:topic:travel": )"
                    "no model has a head for sequence_classification");
  CHECK(files.failure(topic_config(models(
            "m", "bert-embedding", "  adapters: {topic: {path: " + tiny_adapter("bert-last-layer") + "}}\n"))) == "");
}

TEST_CASE("router open: folders, adapters and tasks that are not there are errors with their place",
          "[c_api][router]") {
  Files files;
  CHECK(files.failure(topic_config("vsr:\n  models:\n    topic: {path: /nowhere/at/all}\n")) ==
        kNotFound + R"(r.yaml:10:12: model "topic": /nowhere/at/all: no such folder)");
  const TempFolder empty;
  CHECK_THAT(files.failure(topic_config("vsr:\n  models:\n    topic: {path: " + empty.path().string() + "}\n")),
             Catch::StartsWith(kNotFound + R"(r.yaml:10:12: model "topic": )") && Catch::Contains("config.json"));
  CHECK_THAT(files.failure(topic_config(models("m", "bert-embedding", "  adapters: {topic: {path: /nowhere}}\n"))),
             Catch::StartsWith(kNotFound + R"(r.yaml:11:21: adapter "topic": )"));
  CHECK_THAT(files.failure(topic_config(models("m", "bert-sequence", "  tasks: {topic: {model: n}}\n"))),
             Catch::EndsWith(R"(r.yaml:11:18: task "topic" names the model "n", which does not exist)"));
  vsr::RouterOptions lenient;
  lenient.lenient = true;
  const vsr::Router router(files.write(topic_config("vsr:\n  models:\n    topic: {path: /nowhere}\n")), lenient);
  CHECK(router.describe().find("/nowhere: no such folder") != std::string::npos);
  CHECK_THROWS_WITH(router.route("hello"), Catch::Contains("/nowhere"));
}

TEST_CASE("router open: validate_models finds what only loading tells", "[c_api][router]") {
  Files files;
  vsr::RouterOptions now;
  now.validate_models = true;
  CHECK(files.failure(topic_config(models("topic", "bert-sequence")), now) == "");
  const std::string other_label = topic_config(models("topic", "bert-sequence"), "", "weather");
  CHECK(files.failure(other_label) == "");
  CHECK_THAT(files.failure(other_label, now),
             Catch::Contains(R"(r.yaml:4:37: signal "classifier:topic:weather": )") && Catch::Contains("banking"));
  const TempFolder copy;
  fs::copy(tiny("bert-sequence"), copy.path() / "m");
  fs::resize_file(copy.path() / "m" / "model.safetensors", 100);
  const std::string cut = topic_config("vsr:\n  models:\n    topic: {path: " + (copy.path() / "m").string() + "}\n");
  CHECK(files.failure(cut) == "");
  CHECK_THAT(files.failure(cut, now), Catch::Contains("model.safetensors"));
}

TEST_CASE("router open: an engine's tasks count, and not the file's", "[c_api][router]") {
  Files files;
  const vsr::Model tagger(tiny("bert-token"));
  vsr::RouterOptions options;
  options.engine = &tagger;
  CHECK(files.failure(topic_config("vsr:\n  models:\n    topic: {path: /nowhere}\n"), options) ==
        kNotFound + R"(r.yaml:4:37: signal "classifier:topic:travel": )"
                    "no model has a head for sequence_classification");
}

TEST_CASE("router open: on_error answers when a task is gone at run time", "[c_api][router]") {
  Files files;
  for (const bool match : {true, false}) {
    const EngineHandle engine = open_adapted();
    vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
    options.engine = engine.get();
    vsr_router* opened = nullptr;
    const std::string path = files.write(topic_config("", match ? ", on_error: match" : ", on_error: no_match"));
    REQUIRE(vsr_router_open(path.c_str(), &options, &opened, nullptr) == VSR_OK);
    const std::unique_ptr<vsr_router, Freer<vsr_router, vsr_router_free>> router(opened);
    const auto decides = [&] {
      vsr_decision* decision = nullptr;
      REQUIRE(vsr_router_route(router.get(), str("hello"), nullptr, &decision, nullptr) == VSR_OK);
      const bool named = vsr_decision_name(decision).data != nullptr;
      vsr_decision_free(decision);
      return named;
    };
    CHECK(decides());  // the threshold is 0
    REQUIRE(vsr_engine_unload_adapter(engine.get(), "topic", nullptr) == VSR_OK);
    CHECK(decides() == match);
  }
}

TEST_CASE("router open: flags are 0 or 1", "[c_api][router]") {
  Files files;
  const std::string path = files.write(topic_config(""));
  vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
  vsr_router* router = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  options.validate_models = 2;
  CHECK(vsr_router_open(path.c_str(), &options, &router, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("validate_models"));
  options.validate_models = 0;
  options.own_models = 2;
  CHECK(vsr_router_open(path.c_str(), &options, &router, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("own_models"));
  CHECK(router == nullptr);
}

TEST_CASE("router open: without an engine the default engine answers, unless the file's own models do",
          "[c_api][router]") {
  vsr_shutdown();
  Files files;
  const std::string path = files.write(topic_config(""));
  vsr_router* router = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_router_open(path.c_str(), nullptr, &router, &error) == VSR_ERR_STATE);
  CHECK_THAT(error.message, Catch::Contains("vsr_init"));

  const OneModel one(tiny("bert-sequence"));
  REQUIRE(vsr_init(one.get(), &error) == VSR_OK);
  // The default engine has a model, and it has no task of this name.
  CHECK(vsr_router_open(path.c_str(), nullptr, &router, &error) == VSR_ERR_NOT_FOUND);
  vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
  options.own_models = 1;
  REQUIRE(vsr_router_open(path.c_str(), &options, &router, &error) == VSR_OK);
  vsr_router_free(router);

  const vsr::Engine engine = vsr::Engine::default_engine();
  vsr::RouterOptions through_cpp;
  through_cpp.engine = &engine;
  CHECK(!files.failure(topic_config(""), through_cpp).empty());
  options.engine = embedder();
  CHECK(vsr_router_open(path.c_str(), &options, &router, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("options.own_models is 1"));
  CHECK(router == nullptr);
  vsr_shutdown();
}
