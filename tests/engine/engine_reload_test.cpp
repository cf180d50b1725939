// Models that did not change are not loaded again.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "engine/inference/engine_inference.h"
#include "support/data.h"
#include "support/temp_folder.h"

using namespace vsr;
using namespace vsr::engine;
using namespace vsr::test;
namespace fs = std::filesystem;

namespace {

std::string copy(const TempFolder& folder, const std::string& name) {
  const fs::path to = fs::path(folder.path()) / name;
  fs::copy(source_path("tests/goldens/models/" + name), to, fs::copy_options::recursive);
  return to.string();
}

std::string config(const std::string& first, const std::string& second, const std::string& more = {}) {
  return "vsr:\n  models:\n    a: {path: " + first + "}\n    b: {path: " + second + more + "}\n";
}

}  // namespace

TEST_CASE("engine reload: models whose files and options are the same are shared", "[engine][reload]") {
  const TempFolder folder;
  // Tokenizers of one engine that are the same are shared, so these differ.
  const std::string first = copy(folder, "bert-embedding"), second = copy(folder, "mmbert-sequence");
  EngineOptions options;
  options.models = {ModelOptions{.name = "a", .path = first}, ModelOptions{.name = "b", .path = second}};
  const auto engine = Engine::open(options);
  CHECK(engine->files_are_same());
  const auto shares = [&](const Engine& other, const char* model) {
    return other.tokenizer(model) == engine->tokenizer(model);
  };
  const auto again = Engine::open(options, {}, engine.get());
  CHECK((shares(*again, "a") && shares(*again, "b")));
  EngineOptions other = options;
  other.models[1].dtype = "float32";
  const auto changed = Engine::open(other, {}, engine.get());
  CHECK((shares(*changed, "a") && !shares(*changed, "b")));
  fs::last_write_time(first + "/config.json", fs::file_time_type::clock::now() + std::chrono::seconds(5));
  CHECK_FALSE(engine->files_are_same());
  const auto touched = Engine::open(options, {}, engine.get());
  CHECK((!shares(*touched, "a") && shares(*touched, "b")));
}

TEST_CASE("engine reload: models of a config are those of before unless the config or a file changed",
          "[engine][reload]") {
  const TempFolder folder;
  const std::string first = copy(folder, "bert-embedding"), second = copy(folder, "bert-sequence");
  const std::string path = folder.write("c.yaml", config(first, second));
  const auto before = inference_of_config(path);
  CHECK_FALSE(has_opened(*before));
  before->load();
  CHECK(has_opened(*before));
  folder.write("c.yaml", "# a word\n" + config(first, second));
  CHECK(inference_of_config(path, before) == before);
  folder.write("c.yaml", config(first, second, ", dtype: float32"));
  const auto after = inference_of_config(path, before);
  CHECK(after != before);
  CHECK_FALSE(has_opened(*after));
  after->load();
  // A file that is broken later is not read again.
  folder.write("c.yaml", "vsr: {models: {a: {}}}\n");
  CHECK_THROWS(inference_of_config(path, after));
  const auto late = [&] {
    folder.write("c.yaml", config(first, second));
    return inference_of_config(path);
  }();
  folder.write("c.yaml", "nothing\n");
  CHECK_NOTHROW(late->load());
}
