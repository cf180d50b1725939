// Many tasks in one call: each answers as it does alone, fails alone, and the passes are reported.
#include <cmath>
#include <cstring>
#include <string_view>

#include "support/adapters.h"

using namespace vsr::test;

namespace {

constexpr std::string_view kLong =
    "please help me transfer money to my bank account and book a flight to paris where is my card "
    "please help me transfer money to my bank account and book a flight to paris where is my card";

const vsr_engine* adapted() {
  static const EngineHandle& engine = *new EngineHandle(open_adapted());
  return engine.get();
}

const std::vector<vsr_str>& some_texts() {
  static const std::vector<vsr_str> texts = {str("where is my card?"), str(""), str(kLong), str("book a flight")};
  return texts;
}

std::vector<float> values(const vsr_result* result) {
  const size_t count = vsr_result_row_count(result) * vsr_result_col_count(result);
  return count == 0 ? std::vector<float>()
                    : std::vector<float>(vsr_result_data(result), vsr_result_data(result) + count);
}

void check_same(const vsr_result* found, const vsr_result* expected) {
  const std::vector<float> a = values(found), b = values(expected);
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(1e-6));
  REQUIRE(vsr_result_text_count(found) == vsr_result_text_count(expected));
  for (size_t i = 0; i < vsr_result_text_count(found); ++i) {
    CHECK(vsr_result_window_count(found, i) == vsr_result_window_count(expected, i));
    CHECK(vsr_result_token_count(found, i) == vsr_result_token_count(expected, i));
  }
  REQUIRE(vsr_result_entity_count(found) == vsr_result_entity_count(expected));
  for (size_t i = 0; i < vsr_result_entity_count(found); ++i) {
    const vsr_entity &one = *vsr_result_entity(found, i), &other = *vsr_result_entity(expected, i);
    CHECK((one.text == other.text && one.start == other.start && one.end == other.end));
    CHECK(one.label == text_of(other.label));
    CHECK(one.score == Approx(other.score).margin(1e-6));
  }
}

std::string rejected(const vsr_engine* engine, const std::vector<const char*>& tasks, const vsr_multi_options* options,
                     vsr_status expected = VSR_ERR_INVALID_ARGUMENT) {
  vsr_error error = VSR_ERROR_INIT;
  auto* result = reinterpret_cast<vsr_multi_result*>(1);
  const auto& texts = some_texts();
  CHECK(vsr_classify_all(engine, texts.data(), nullptr, texts.size(), tasks.data(), tasks.size(), options, &result,
                         &error) == expected);
  CHECK(result == nullptr);
  return error.message;
}

}  // namespace

TEST_CASE("multi: tasks of every kind answer in one pass as they do alone", "[c_api]") {
  const MultiHandle all = classify_all(adapted(), some_texts(), {"topic", "names", "near", "bert-embedding"});
  REQUIRE(vsr_multi_result_outcome_count(all.get()) == 4);
  for (size_t i = 0; i < 4; ++i) {
    const vsr_task_outcome& outcome = *vsr_multi_result_outcome(all.get(), i);
    INFO(outcome.task.data);
    CHECK(outcome.status == VSR_OK);
    CHECK(outcome.message.data == nullptr);
    CHECK(outcome.model == "bert-embedding");
    CHECK(outcome.path == (i == 3 ? VSR_PATH_STANDARD : VSR_PATH_LORA));
    vsr_classify_options classify = VSR_CLASSIFY_OPTIONS_INIT;
    vsr_embed_options embed = VSR_EMBED_OPTIONS_INIT;
    classify.task = embed.task = outcome.task.data;
    vsr_result* alone = nullptr;
    const vsr_str* texts = some_texts().data();
    const size_t n = some_texts().size();
    if (outcome.kind == VSR_TASK_SEQUENCE_CLASSIFICATION) {
      CHECK(i == 0);
      REQUIRE(vsr_classify(adapted(), texts, nullptr, n, &classify, &alone, nullptr) == VSR_OK);
    } else if (outcome.kind == VSR_TASK_TOKEN_CLASSIFICATION) {
      CHECK(i == 1);
      REQUIRE(vsr_entities(adapted(), texts, n, &classify, &alone, nullptr) == VSR_OK);
    } else {
      CHECK(outcome.kind == VSR_TASK_EMBEDDING);
      REQUIRE(vsr_embed(adapted(), texts, n, &embed, &alone, nullptr) == VSR_OK);
    }
    check_same(outcome.result, ResultHandle(alone).get());
  }
}

TEST_CASE("multi: the report says which blocks ran once and how many rows", "[c_api]") {
  const MultiHandle all = classify_all(adapted(), {str("where is my card?")}, {"topic", "bert-embedding"});
  REQUIRE(vsr_multi_result_pass_count(all.get()) == 1);
  const vsr_pass& pass = *vsr_multi_result_pass(all.get(), 0);
  CHECK(pass.model == "bert-embedding");
  REQUIRE(pass.task_count == 2);
  CHECK(pass.tasks[1] == "bert-embedding");
  // Seven tokens, three blocks, of which the adapter changes the last.
  CHECK(pass.block_count == 3);
  CHECK(pass.shared_block_count == 2);
  CHECK(pass.row_count == 7 * 2 + 2 * 7);
  CHECK(pass.separate_row_count == 2 * 7 * 3);
  CHECK(vsr_multi_result_pass(all.get(), 1) == nullptr);
  CHECK(vsr_multi_result_pass(nullptr, 0) == nullptr);
}

TEST_CASE("multi: without names every classification task answers", "[c_api]") {
  const auto& texts = some_texts();
  vsr_multi_result* result = nullptr;
  REQUIRE(vsr_classify_all(adapted(), texts.data(), nullptr, texts.size(), nullptr, 0, nullptr, &result, nullptr) ==
          VSR_OK);
  const MultiHandle all(result);
  REQUIRE(vsr_multi_result_outcome_count(result) == 2);
  CHECK(vsr_multi_result_outcome(result, 0)->task == "topic");
  CHECK(vsr_multi_result_outcome(result, 1)->task == "names");
  const char* none[] = {"unused"};
  REQUIRE(vsr_classify_all(adapted(), texts.data(), nullptr, texts.size(), none, 0, nullptr, &result, nullptr) ==
          VSR_OK);
  CHECK(vsr_multi_result_outcome_count(MultiHandle(result).get()) == 0);
}

TEST_CASE("multi: no texts give results without rows", "[c_api]") {
  const MultiHandle all = classify_all(adapted(), {}, {"topic", "names"});
  const vsr_task_outcome& topic = *vsr_multi_result_outcome(all.get(), 0);
  REQUIRE(topic.status == VSR_OK);
  CHECK(vsr_result_row_count(topic.result) == 0);
  CHECK(vsr_result_col_count(topic.result) == 3);
}

TEST_CASE("multi: a task that fails has its error, and the others their results", "[c_api]") {
  const vsr_str text = str("where is my card?"), pair = str("my card has not arrived");
  const char* tasks[] = {"names", "topic"};
  vsr_multi_result* result = nullptr;
  REQUIRE(vsr_classify_all(adapted(), &text, &pair, 1, tasks, 2, nullptr, &result, nullptr) == VSR_OK);
  const MultiHandle all(result);
  const vsr_task_outcome& names = *vsr_multi_result_outcome(result, 0);
  CHECK(names.status == VSR_ERR_UNSUPPORTED);
  CHECK(names.result == nullptr);
  CHECK_THAT(text_of(names.message), Catch::Contains("\"names\"") && Catch::Contains("pairs"));
  const vsr_task_outcome& topic = *vsr_multi_result_outcome(result, 1);
  REQUIRE(topic.status == VSR_OK);
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  options.task = "topic";
  vsr_result* alone = nullptr;
  REQUIRE(vsr_classify(adapted(), &text, &pair, 1, &options, &alone, nullptr) == VSR_OK);
  check_same(topic.result, ResultHandle(alone).get());
}

TEST_CASE("multi: a text beyond the caller's limit is an error of every task that would read it", "[c_api]") {
  vsr_multi_options options = VSR_MULTI_OPTIONS_INIT;
  options.max_tokens = 10;
  const MultiHandle all = classify_all(adapted(), some_texts(), {"topic", "names"}, &options);
  for (size_t i = 0; i < 2; ++i) {
    const vsr_task_outcome& outcome = *vsr_multi_result_outcome(all.get(), i);
    CHECK(outcome.status == VSR_ERR_LIMIT);
    CHECK(outcome.result == nullptr);
    CHECK_THAT(text_of(outcome.message), Catch::Contains("texts[2]"));
  }
}

TEST_CASE("multi: an outcome that is not there is NULL", "[c_api]") {
  const MultiHandle all = classify_all(adapted(), some_texts(), {"topic"});
  CHECK(vsr_multi_result_outcome(all.get(), 1) == nullptr);
  CHECK(vsr_multi_result_outcome(nullptr, 0) == nullptr);
  CHECK(vsr_multi_result_outcome_count(nullptr) == 0);
  vsr_multi_result_free(nullptr);
}

TEST_CASE("multi: a text that a task does not read has no label", "[c_api]") {
  const uint8_t wanted[] = {1, 0, 0, 1, 1, 1, 0, 0};
  vsr_multi_options options = VSR_MULTI_OPTIONS_INIT;
  options.wanted = wanted;
  const MultiHandle all = classify_all(adapted(), some_texts(), {"topic", "near"}, &options);
  const MultiHandle whole = classify_all(adapted(), some_texts(), {"topic", "near"});
  for (size_t task = 0; task < 2; ++task) {
    const vsr_result* result = vsr_multi_result_outcome(all.get(), task)->result;
    const vsr_result* expected = vsr_multi_result_outcome(whole.get(), task)->result;
    const size_t cols = vsr_result_col_count(result);
    REQUIRE(vsr_result_row_count(result) == 4);
    for (size_t text = 0; text < 4; ++text) {
      const float* row = vsr_result_data(result) + text * cols;
      if (wanted[text * 2 + task] == 1) {
        CHECK(row[0] == Approx(vsr_result_data(expected)[text * cols]).margin(1e-6));
        CHECK(vsr_result_window_count(result, text) >= 1);
        continue;
      }
      for (size_t i = 0; i < cols; ++i) CHECK(std::isnan(row[i]));
      CHECK(vsr_result_window_count(result, text) == 0);
      CHECK(vsr_result_best(result, text) == cols);
      CHECK(vsr_result_label(result, vsr_result_best(result, text)).data == nullptr);
    }
  }
}

TEST_CASE("multi: results outlive the engine", "[c_api]") {
  EngineHandle engine = open_adapted();
  const MultiHandle all = classify_all(engine.get(), some_texts(), {"topic"});
  engine.reset();
  const vsr_task_outcome& outcome = *vsr_multi_result_outcome(all.get(), 0);
  CHECK(outcome.task == "topic");
  CHECK(vsr_result_label(outcome.result, 1) == std::string_view("travel"));
}

TEST_CASE("multi: what cannot be answered at all is rejected by name", "[c_api]") {
  vsr_shutdown();
  CHECK_THAT(rejected(adapted(), {"topic", "nothing"}, nullptr, VSR_ERR_NOT_FOUND), Catch::Contains("nothing"));
  CHECK_THAT(rejected(adapted(), {"topic", "topic"}, nullptr), Catch::Contains("tasks[1]"));
  CHECK_THAT(rejected(adapted(), {"topic", nullptr}, nullptr), Catch::Contains("tasks[1] is NULL"));
  CHECK_THAT(rejected(adapted(), {""}, nullptr), Catch::Contains("tasks[0] is empty"));
  CHECK_THAT(rejected(nullptr, {"topic"}, nullptr, VSR_ERR_STATE), Catch::Contains("vsr_init"));
  vsr_multi_options options = VSR_MULTI_OPTIONS_INIT;
  options.path = 3;
  CHECK_THAT(rejected(adapted(), {"topic"}, &options), Catch::Contains("path is 3"));
  options.path = VSR_PATH_AUTO;
  for (const float bad : {-0.5f, 1.5f, std::nanf("")}) {
    options.threshold = bad;
    CHECK_THAT(rejected(adapted(), {"names"}, &options), Catch::Contains("threshold is"));
  }
  options.threshold = 0;
  options.reserved = 9;
  CHECK_THAT(rejected(adapted(), {"topic"}, &options), Catch::Contains("reserved is 9"));
  options.reserved = 0;
  const uint8_t wanted[] = {1, 1, 2, 1};
  options.wanted = wanted;
  CHECK_THAT(rejected(adapted(), {"topic"}, &options), Catch::Contains("wanted[2] is 2"));
  const vsr_str text = str("a");
  vsr_error error = VSR_ERROR_INIT;
  vsr_multi_result* result = nullptr;
  CHECK(vsr_classify_all(adapted(), &text, nullptr, 1, nullptr, 0, &options, &result, &error) ==
        VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("wanted is given, and tasks is NULL"));
  CHECK(vsr_classify_all(adapted(), &text, nullptr, 1, nullptr, 2, nullptr, &result, &error) ==
        VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("tasks is NULL with task_count 2"));
  CHECK(vsr_classify_all(adapted(), &text, nullptr, 1, nullptr, 0, nullptr, nullptr, &error) ==
        VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("out_result is NULL"));
}

TEST_CASE("multi: a progress callback ends the call as a whole", "[c_api]") {
  vsr_multi_options options = VSR_MULTI_OPTIONS_INIT;
  options.progress = [](size_t, size_t, void*) -> int32_t { return 1; };
  CHECK_THAT(rejected(adapted(), {"topic", "names"}, &options, VSR_ERR_CANCELLED), Catch::Contains("cancelled"));
}

TEST_CASE("multi: embeddings of the pass route to intents", "[c_api]") {
  vsr_intents_options intents_options = VSR_INTENTS_OPTIONS_INIT;
  intents_options.task = "bert-embedding";
  vsr_intents* made = nullptr;
  REQUIRE(vsr_intents_create(adapted(), &intents_options, &made, nullptr) == VSR_OK);
  const IntentsHandle intents(made);
  const vsr_str card = str("where is my card?"), flight = str("book a flight");
  REQUIRE(vsr_intents_add(made, "card", &card, 1, nullptr, nullptr) == VSR_OK);
  REQUIRE(vsr_intents_add(made, "flight", &flight, 1, nullptr, nullptr) == VSR_OK);
  const MultiHandle all = classify_all(adapted(), some_texts(), {"topic", "bert-embedding"});
  const vsr_result* vectors = vsr_multi_result_outcome(all.get(), 1)->result;
  vsr_matches *routed = nullptr, *expected = nullptr;
  REQUIRE(vsr_intents_route_vectors(made, vsr_result_data(vectors), 4, 32, nullptr, &routed, nullptr) == VSR_OK);
  REQUIRE(vsr_intents_route(made, some_texts().data(), 4, nullptr, &expected, nullptr) == VSR_OK);
  const MatchesHandle held(routed), held_too(expected);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(vsr_matches_match(routed, i)->nearest == text_of(vsr_matches_match(expected, i)->nearest));
    CHECK(vsr_matches_match(routed, i)->score == Approx(vsr_matches_match(expected, i)->score).margin(1e-6));
  }
  vsr_error error = VSR_ERROR_INIT;
  std::vector<float> bad(32, std::nanf(""));
  CHECK(vsr_intents_route_vectors(made, bad.data(), 1, 32, nullptr, &routed, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("vectors[0] has length"));
  bad.assign(32, 1.0f);
  CHECK(vsr_intents_route_vectors(made, bad.data(), 1, 32, nullptr, &routed, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_intents_route_vectors(made, bad.data(), 2, 16, nullptr, &routed, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("dim is 16, the set's vectors have 32"));
  CHECK(vsr_intents_route_vectors(made, nullptr, 2, 32, nullptr, &routed, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(routed == nullptr);
}
