// Private intents through the C interface; their rules are tested in tests/routing.
#include <atomic>
#include <filesystem>
#include <thread>

#include "support/handles.h"
#include "support/temp_folder.h"

using namespace vsr::test;

namespace {

IntentsHandle create(const vsr_intents_options* options = nullptr) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_intents* intents = nullptr;
  const vsr_status status = vsr_intents_create(embedder(), options, &intents, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return IntentsHandle(intents);
}

void add(const IntentsHandle& intents, const char* label, const std::vector<vsr_str>& examples) {
  REQUIRE(vsr_intents_add(intents.get(), label, examples.data(), examples.size(), nullptr, nullptr) == VSR_OK);
}

IntentsHandle two_intents() {
  vsr_intents_options options = VSR_INTENTS_OPTIONS_INIT;
  options.threshold = -1;
  IntentsHandle intents = create(&options);
  add(intents, "card", {str("where is my card?"), str("my card is lost")});
  add(intents, "travel", {str("book a flight"), str("a hotel in Paris")});
  return intents;
}

MatchesHandle route(const IntentsHandle& intents, const std::vector<vsr_str>& texts) {
  vsr_matches* matches = nullptr;
  REQUIRE(vsr_intents_route(intents.get(), texts.data(), texts.size(), nullptr, &matches, nullptr) == VSR_OK);
  return MatchesHandle(matches);
}

}  // namespace

TEST_CASE("intents: an example's own text finds its intent, and matches outlive the set", "[c_api]") {
  IntentsHandle intents = two_intents();
  const MatchesHandle matches = route(intents, {str("where is my card?"), str("book a flight")});
  intents.reset();
  REQUIRE(vsr_matches_match_count(matches.get()) == 2);
  const vsr_match& first = *vsr_matches_match(matches.get(), 0);
  CHECK(first.label == "card");
  CHECK(first.score == Approx(1.0f).margin(1e-5));
  CHECK(first.struct_size == sizeof(vsr_match));
  CHECK(vsr_matches_match(matches.get(), 2) == nullptr);
  CHECK(vsr_matches_match(matches.get(), SIZE_MAX) == nullptr);
}

TEST_CASE("intents: an empty set and no texts are no errors", "[c_api]") {
  const IntentsHandle intents = create();
  const MatchesHandle matches = route(intents, {str("where is my card?")});
  REQUIRE(vsr_matches_match_count(matches.get()) == 1);
  CHECK(vsr_matches_match(matches.get(), 0)->label.data == nullptr);
  CHECK(vsr_matches_match(matches.get(), 0)->score == 0);
  CHECK(vsr_matches_match_count(route(two_intents(), {}).get()) == 0);
}

TEST_CASE("intents: bad arguments are named", "[c_api]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_intents* made = nullptr;
  const auto reject = [&](const vsr_intents_options& options, const char* part) {
    CHECK(vsr_intents_create(embedder(), &options, &made, &error) == VSR_ERR_INVALID_ARGUMENT);
    CHECK_THAT(error.message, Catch::Contains(part));
    CHECK(made == nullptr);
  };
  vsr_intents_options options = VSR_INTENTS_OPTIONS_INIT;
  options.rule = 4;
  reject(options, "rule is 4");
  options = VSR_INTENTS_OPTIONS_INIT;
  options.top_k = -1;
  reject(options, "top_k is -1");
  options.top_k = 1025;
  reject(options, "top_k is 1025");
  options = VSR_INTENTS_OPTIONS_INIT;
  options.threshold = std::numeric_limits<float>::quiet_NaN();
  reject(options, "threshold is");
  options = VSR_INTENTS_OPTIONS_INIT;
  options.struct_size = 0;
  reject(options, "vsr_intents_options.struct_size is 0");

  const IntentsHandle intents = create();
  const vsr_str example = str("where is my card?");
  const auto failed = [&](vsr_status status, vsr_status expected, const char* part) {
    CHECK(status == expected);
    CHECK_THAT(error.message, Catch::Contains(part));
  };
  failed(vsr_intents_add(intents.get(), nullptr, &example, 1, nullptr, &error), VSR_ERR_INVALID_ARGUMENT, "label");
  failed(vsr_intents_add(intents.get(), "", &example, 1, nullptr, &error), VSR_ERR_INVALID_ARGUMENT, "label");
  failed(vsr_intents_add(intents.get(), "x", nullptr, 2, nullptr, &error), VSR_ERR_INVALID_ARGUMENT, "examples");
  failed(vsr_intents_add(intents.get(), "x", &example, SIZE_MAX, nullptr, &error), VSR_ERR_INVALID_ARGUMENT,
         "example_count");
  failed(vsr_intents_add(nullptr, "x", &example, 1, nullptr, &error), VSR_ERR_INVALID_ARGUMENT, "intents is NULL");
  const float two = 2;
  vsr_intents_add_options bad = VSR_INTENTS_ADD_OPTIONS_INIT;
  bad.threshold = &two;
  failed(vsr_intents_add(intents.get(), "x", &example, 1, &bad, &error), VSR_ERR_INVALID_ARGUMENT, "threshold");
  failed(vsr_intents_remove(intents.get(), "no such intent", &error), VSR_ERR_NOT_FOUND, "no such intent");
  failed(vsr_intents_save(intents.get(), "/nowhere/set.vsri", &error), VSR_ERR_NOT_FOUND, "/nowhere/set.vsri");
  failed(vsr_intents_load(embedder(), "/nowhere/set.vsri", nullptr, &made, &error), VSR_ERR_NOT_FOUND,
         "/nowhere/set.vsri");
  CHECK(made == nullptr);
}

TEST_CASE("intents: a saved set comes back, and another model's set is refused", "[c_api]") {
  const std::string path = (std::filesystem::temp_directory_path() / "vsr_c_api_intents_test.bin").string();
  vsr_error error = VSR_ERROR_INIT;
  const IntentsHandle intents = two_intents();
  REQUIRE(vsr_intents_save(intents.get(), path.c_str(), &error) == VSR_OK);
  vsr_intents* loaded = nullptr;
  REQUIRE(vsr_intents_load(embedder(), path.c_str(), nullptr, &loaded, &error) == VSR_OK);
  const IntentsHandle owner(loaded);
  const MatchesHandle matches = route(owner, {str("book a flight")});
  CHECK(vsr_matches_match(matches.get(), 0)->label == "travel");
  const EngineHandle other = load(tiny("bert-embedding-cls-no-normalize"));
  vsr_intents* refused = nullptr;
  CHECK(vsr_intents_load(other.get(), path.c_str(), nullptr, &refused, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(refused == nullptr);
  std::filesystem::remove(path);
}

TEST_CASE("intents: routing goes on while intents come and go", "[c_api]") {
  const IntentsHandle intents = two_intents();
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const vsr_str text = str("where is my card?");
      for (int i = 0; i < 100; ++i) {
        vsr_matches* matches = nullptr;
        if (vsr_intents_route(intents.get(), &text, 1, nullptr, &matches, nullptr) != VSR_OK) wrong.fetch_add(1);
        if (!(vsr_matches_match(matches, 0)->label == "card")) wrong.fetch_add(1);
        vsr_matches_free(matches);
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    const vsr_str example = str("a window seat, please");
    if (vsr_intents_add(intents.get(), "seat", &example, 1, nullptr, nullptr) != VSR_OK) wrong.fetch_add(1);
    if (vsr_intents_remove(intents.get(), "seat", nullptr) != VSR_OK) wrong.fetch_add(1);
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("intents: a deadline or a cancellation ends adding and routing, and changes nothing", "[c_api]") {
  const IntentsHandle intents = two_intents();
  const vsr_str text = VSR_STR("a window seat, please");
  vsr_error error = VSR_ERROR_INIT;
  vsr_matches* matches = nullptr;
  vsr_intents_add_options add_options = VSR_INTENTS_ADD_OPTIONS_INIT;
  vsr_intents_route_options route_options = VSR_INTENTS_ROUTE_OPTIONS_INIT;
  add_options.deadline_ms = route_options.deadline_ms = -1;
  CHECK(vsr_intents_add(intents.get(), "seat", &text, 1, &add_options, &error) == VSR_ERR_DEADLINE);
  CHECK(vsr_intents_route(intents.get(), &text, 1, &route_options, &matches, &error) == VSR_ERR_DEADLINE);
  std::vector<float> unit(32);
  unit[0] = 1;
  CHECK(vsr_intents_route_vectors(intents.get(), unit.data(), 1, 32, &route_options, &matches, &error) ==
        VSR_ERR_DEADLINE);
  CHECK(matches == nullptr);

  vsr_cancel* cancel = nullptr;
  REQUIRE(vsr_cancel_create(&cancel, nullptr) == VSR_OK);
  vsr_cancel_trigger(cancel);
  add_options.deadline_ms = route_options.deadline_ms = 0;
  add_options.cancel = route_options.cancel = cancel;
  CHECK(vsr_intents_add(intents.get(), "seat", &text, 1, &add_options, &error) == VSR_ERR_CANCELLED);
  CHECK(vsr_intents_route(intents.get(), &text, 1, &route_options, &matches, &error) == VSR_ERR_CANCELLED);
  CHECK(vsr_intents_route_vectors(intents.get(), unit.data(), 1, 32, &route_options, &matches, &error) ==
        VSR_ERR_CANCELLED);
  vsr_cancel_free(cancel);
  CHECK(vsr_intents_remove(intents.get(), "seat", &error) == VSR_ERR_NOT_FOUND);

  route_options = VSR_INTENTS_ROUTE_OPTIONS_INIT;
  route_options.reserved = 1;
  CHECK(vsr_intents_route(intents.get(), &text, 1, &route_options, &matches, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("vsr_intents_route_options.reserved"));
}

TEST_CASE("intents: a file that people write is read by the library", "[c_api]") {
  const TempFolder folder;
  const std::string yaml = folder.write(
      "i.yaml",
      "rule: best\ntop_k: 7\nthreshold: 0.5\nintents:\n  card: {threshold: 0.9, examples: [my card is lost]}\n"
      "  travel: [book a flight]\n");
  const std::string csv = folder.write("i.csv", "text,label\nwhere is my card?,card\nbook a flight,travel\n");
  const auto read = [](const std::string& path, const vsr_intents_read_file_options* options) {
    vsr_intents* made = nullptr;
    REQUIRE(vsr_intents_read_file(embedder(), path.c_str(), options, &made, nullptr) == VSR_OK);
    IntentsHandle intents(made);
    vsr_string* json = nullptr;
    REQUIRE(vsr_intents_describe(made, &json, nullptr) == VSR_OK);
    std::string text = text_of(vsr_string_text(json));
    vsr_string_free(json);
    CHECK(vsr_matches_match(route(intents, {str("book a flight")}).get(), 0)->label == "travel");
    return text;
  };
  CHECK_THAT(read(yaml, nullptr), Catch::Contains("\"rule\":\"best\",\"top_k\":7,\"threshold\":0.5") &&
                                      Catch::Contains("\"threshold\":0.9"));
  CHECK_THAT(read(csv, nullptr), Catch::Contains("\"rule\":\"vote\",\"top_k\":5,\"threshold\":0.0"));
  // What is given counts in place of the file's; a threshold for every intent.
  const float threshold = 0.25f;
  vsr_intents_read_file_options options = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
  options.rule = VSR_RULE_BLEND;
  options.top_k = 2;
  options.threshold = &threshold;
  const std::string described = read(yaml, &options);
  CHECK_THAT(described, Catch::Contains("\"rule\":\"blend\",\"top_k\":2,\"threshold\":0.25"));
  CHECK_THAT(described, !Catch::Contains("0.9"));

  vsr_error error = VSR_ERROR_INIT;
  vsr_intents* none = reinterpret_cast<vsr_intents*>(1);
  const auto refused = [&](const std::string& path, vsr_status status, const std::string& part) {
    CHECK(vsr_intents_read_file(embedder(), path.c_str(), &options, &none, &error) == status);
    CHECK(none == nullptr);
    CHECK_THAT(error.message, Catch::Contains(part));
  };
  refused(folder / "none.yaml", VSR_ERR_NOT_FOUND, "none.yaml");
  refused(folder / "i.txt", VSR_ERR_INVALID_ARGUMENT, ".yaml, .yml or .csv");
  refused(folder.write("bad.csv", "text,label\nx\n"), VSR_ERR_PARSE, "bad.csv:2: 1 column");
  options.deadline_ms = -1;
  refused(yaml, VSR_ERR_DEADLINE, "deadline");
  options.deadline_ms = 0;
  options.top_k = -1;
  refused(yaml, VSR_ERR_INVALID_ARGUMENT, "top_k");
  options.top_k = 0;
  options.rule = 4;
  refused(yaml, VSR_ERR_INVALID_ARGUMENT, "rule");
  options.rule = 0;
  options.reserved = 1;
  refused(yaml, VSR_ERR_INVALID_ARGUMENT, "reserved");
}
