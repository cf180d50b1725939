#include "engine/config/config.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr;
using base::Status;
using test::Failure;
using test::failure_of;
using test::TempFolder;

namespace {

std::string model_line(const std::string& name, const std::string& golden) {
  return "    " + name + ": {path: " + test::source_path("tests/goldens/models/" + golden) + "}\n";
}

// The failure of opening an engine with this file; "<f>" replaces its path.
Failure open_failure(const std::string& yaml) {
  const TempFolder folder;
  const std::string path = folder.write("c.yaml", yaml);
  Failure failure = failure_of([&] { engine::Engine::open({.config_path = path}); });
  if (failure.message.find(path) == 0) failure.message.replace(0, path.size(), "<f>");
  return failure;
}

}  // namespace

TEST_CASE("config: models and tasks are read, paths relative to the file", "[engine][config]") {
  const TempFolder folder;
  const std::string path = folder.write("c.yaml",
                                        "vsr:\n"
                                        "  models:\n"
                                        "    b: {path: models/b, dtype: float32}\n"
                                        "    a: {path: /abs/./a, device: cpu}\n"
                                        "  tasks:\n"
                                        "    t: {model: b, unsafe_labels: [x, y]}\n"
                                        "    u: {model: a, threshold: 0.7}\n"
                                        "routing: {anything: [1, 2]}\n");
  const engine::EngineConfig config = engine::read_engine_config(path);
  REQUIRE(config.models.size() == 2);
  CHECK(config.models[0] == engine::ModelOptions{"b", folder / "models/b", "float32", "auto"});
  CHECK(config.models[1] == engine::ModelOptions{"a", "/abs/a", "auto", "cpu"});
  REQUIRE(config.tasks.size() == 2);
  CHECK(config.tasks[0].unsafe_labels == std::vector<std::string>{"x", "y"});
  CHECK_FALSE(config.tasks[0].threshold);
  CHECK(config.tasks[1].threshold == 0.7F);
  CHECK(config.tasks[1].where == path + ":7:8");
}

TEST_CASE("config: whatever is wrong is named with file, line and column", "[engine][config]") {
  const std::string models = "vsr:\n  models:\n" + model_line("seq", "bert-sequence");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "<f>:1:1: the document has no section \"vsr\""},
      {"routing: {}\n", "<f>:1:1: the document has no section \"vsr\""},
      {"vsr: [1]\n", "<f>:1:6: \"vsr\" is a list, expected a map"},
      {"vsr:\n  modles: {}\n", "<f>:2:3: \"modles\" is not a key of \"vsr\" (did you mean \"models\"?)"},
      {"vsr:\n  models: [a]\n", "<f>:2:11: \"models\" is a list, expected a map"},
      {"vsr:\n  models:\n    m: x\n", "<f>:3:8: \"m\" is a single value, expected a map"},
      {"vsr:\n  models:\n    m: {}\n", "<f>:3:8: \"m\" has no \"path\""},
      {"vsr:\n  models:\n    m: {path: [x]}\n", "<f>:3:15: \"path\" is a list, expected a string"},
      {"vsr:\n  models:\n    m: {path: x, dtpye: auto}\n",
       "<f>:3:18: \"dtpye\" is not a key of \"m\" (did you mean \"dtype\"?)"},
      {"vsr:\n  models:\n    m: {path: x, dtype: fp16}\n",
       "<f>:3:25: \"dtype\" is \"fp16\", expected auto, float32, bfloat16 or int8"},
      {"vsr:\n  models:\n    m: {path: x, device: 'cuda:-1'}\n",
       "<f>:3:26: \"device\" is \"cuda:-1\", expected auto, cpu, cuda or cuda:N"},
      {"vsr:\n  models:\n    m: {path: x}\n    m: {path: y}\n", "<f>:4:5: \"m\" is given twice"},
      {models + "  tasks:\n    t: {}\n", "<f>:5:8: \"t\" has neither \"model\" nor \"adapter\""},
      {models + "  tasks:\n    t: {model: other}\n",
       "<f>:5:8: task \"t\" names the model \"other\", which does not exist"},
      {models + "  tasks:\n    t: {model: seq, unsafe_labels: banking}\n",
       "<f>:5:36: \"unsafe_labels\" is a single value, expected a list"},
      {models + "  tasks:\n    t: {model: seq, unsafe_labels: [banking, bankng]}\n",
       "<f>:5:8: task \"t\": its model has no label \"bankng\""},
      {models + "  tasks:\n    t: {model: seq, unsafe_labels: [banking, banking]}\n",
       "<f>:5:46: \"unsafe_labels[1]\" is given twice"},
      {models + "  tasks:\n    t: {model: seq, threshold: 0}\n",
       "<f>:5:32: \"threshold\" is out of range, expected above 0 and at most 1"},
      {models + "  tasks:\n    t: {model: seq, threshold: .nan}\n",
       "<f>:5:32: \"threshold\" is \".nan\", expected a number"},
      {models + "  tasks:\n    t: {model: seq, threshold: 0.5}\n",
       "<f>:5:8: task \"t\" has threshold, but the model \"seq\" has no head for token_classification"},
      {models + "  tasks:\n    seq: {model: seq}\n", "<f>:5:10: \"seq\" is already the name of a model or task"},
      {models + "  tasks:\n    t: {model: seq, label: [x]}\n", "<f>:5:21: \"label\" is not a key of \"t\""},
  };
  for (const auto& [yaml, message] : cases) {
    CAPTURE(yaml);
    const Failure failure = open_failure(yaml);
    CHECK(failure.status == Status::kParse);
    CHECK(failure.message == message);
  }
}

TEST_CASE("config: what is not YAML is rejected with its place", "[engine][config]") {
  const Failure failure = open_failure("vsr:\n  models: {m: {path: x}\n");
  CHECK(failure.status == Status::kParse);
  CHECK(failure.message.find("<f>:") == 0);
}

TEST_CASE("config: unsafe labels need a sequence head", "[engine][config]") {
  const Failure failure = open_failure("vsr:\n  models:\n" + model_line("tok", "bert-token") +
                                       "  tasks:\n    t: {model: tok, unsafe_labels: [O]}\n");
  CHECK(failure.status == Status::kParse);
  CHECK(failure.message.find("has unsafe_labels, but the model \"tok\" has no head for sequence_classification") !=
        std::string::npos);
}

TEST_CASE("config: a file that is not there, and one without models", "[engine][config]") {
  CHECK(failure_of([] { engine::Engine::open({.config_path = "/none/c.yaml"}); }).status == Status::kNotFound);
  CHECK(open_failure("vsr: {models: {}}\n").status == Status::kInvalidArgument);
  CHECK(open_failure("vsr:\n  models:\n    m: {path: /none/model}\n").message == "/none/model: no such folder");
}

TEST_CASE("config: a task's threshold and policy are used under its own name", "[engine][config]") {
  const TempFolder folder;
  const std::string path = folder.write("c.yaml", "vsr:\n  models:\n" + model_line("tok", "bert-token-plain") +
                                                      model_line("guard", "bert-sequence-sharded") +
                                                      "  tasks:\n    strict: {model: tok, threshold: 1}\n"
                                                      "    jailbreak: {model: guard, unsafe_labels: [unsafe]}\n");
  const auto engine = engine::Engine::open({.config_path = path});
  const std::string_view text =
      "Caf\xC3\xA9 in Strasse 12, \xC3\x86r\xC3\xB8: \xC2\xA3"
      "5 na\xC3\xAFve \xC3\x89 \xC3\xA9";
  CHECK_FALSE(engine->entities({&text, 1}, {.task = "tok", .threshold = 0.01F}).entities.empty());
  CHECK(engine->entities({&text, 1}, {.task = "strict"}).entities.empty());
  CHECK_FALSE(engine->entities({&text, 1}, {.task = "strict", .threshold = 0.01F}).entities.empty());

  // Of a long text the mean of the windows is the model's own task; the guard's is its most unsafe window.
  std::string words;
  for (int i = 0; i < 40; ++i) words += i % 3 == 0 ? "my card is lost " : "book a flight to paris ! ";
  const engine::TextPair input{words, std::nullopt};
  const auto mean = engine->classify({&input, 1}, {.task = "guard"});
  const auto worst = engine->classify({&input, 1}, {.task = "jailbreak"});
  REQUIRE(mean.usage[0].windows > 2);
  CHECK(worst.values[0] > mean.values[0] + 1e-4);
  CHECK(worst.values[0] + worst.values[1] == Approx(1));
}
