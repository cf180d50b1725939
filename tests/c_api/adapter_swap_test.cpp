// Adapters change while others classify: no call fails, none mixes two adapters.
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <thread>

#include "support/adapters.h"

using namespace vsr::test;

namespace {

constexpr size_t kCallers = 4;
constexpr int kSwaps = 60;

const vsr_str kText = str("please help me transfer money to my bank account");

// Scores and labels of one adapter's answer.
struct Answer {
  std::vector<float> scores;
  std::vector<std::string> labels;

  bool equals(const Answer& other) const {
    if (labels != other.labels || scores.size() != other.scores.size()) return false;
    for (size_t i = 0; i < scores.size(); ++i) {
      if (!(std::abs(scores[i] - other.scores[i]) < 1e-5f)) return false;
    }
    return true;
  }
};

Answer answer_of(const vsr_result* result) {
  Answer answer;
  for (size_t i = 0; i < vsr_result_col_count(result); ++i) {
    answer.scores.push_back(vsr_result_data(result)[i]);
    answer.labels.push_back(text_of(vsr_result_label(result, i)));
  }
  return answer;
}

// Of "topic", alone or beside other tasks; nothing where a call or the task failed.
std::optional<Answer> topic(const vsr_engine* engine, bool alone) {
  if (alone) {
    vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
    options.task = "topic";
    vsr_result* result = nullptr;
    if (vsr_classify(engine, &kText, nullptr, 1, &options, &result, nullptr) != VSR_OK) return std::nullopt;
    return answer_of(ResultHandle(result).get());
  }
  const char* const tasks[] = {"topic", "names", "bert-embedding"};
  vsr_multi_result* result = nullptr;
  if (vsr_classify_all(engine, &kText, nullptr, 1, tasks, 3, nullptr, &result, nullptr) != VSR_OK) return std::nullopt;
  const MultiHandle held(result);
  for (size_t i = 0; i < 3; ++i) {
    if (vsr_multi_result_outcome(result, i)->status != VSR_OK) return std::nullopt;
  }
  return answer_of(vsr_multi_result_outcome(result, 0)->result);
}

}  // namespace

TEST_CASE("adapter swap: calls under way and to come see one adapter or the other", "[c_api]") {
  const EngineHandle engine = open_adapted();
  const std::vector<std::string> folders = {"bert-last-layer", "bert-patterns", "bert-all-layers"};
  std::vector<Answer> answers;
  for (const std::string& folder : folders) {
    REQUIRE(load_adapter(engine.get(), "topic", folder, true) == VSR_OK);
    answers.push_back(*topic(engine.get(), true));
  }
  for (size_t i = 1; i < answers.size(); ++i) REQUIRE(!answers[i].equals(answers[0]));

  std::atomic<bool> stop{false};
  std::atomic<size_t> failed{0}, wrong{0}, done{0};
  std::atomic<unsigned> seen{0};  // a bit for each adapter
  std::vector<std::thread> callers;
  for (size_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, caller] {
      while (!stop) {
        const std::optional<Answer> answer = topic(engine.get(), caller % 2 == 0);
        ++done;
        if (!answer) {
          ++failed;
          continue;
        }
        size_t match = 0;
        while (match < answers.size() && !answer->equals(answers[match])) ++match;
        if (match == answers.size()) ++wrong;
        seen |= 1U << match;
      }
    });
  }
  size_t refused = 0;
  for (int i = 0; i < kSwaps; ++i) {
    const std::string& folder = folders[static_cast<size_t>(i) % folders.size()];
    if (load_adapter(engine.get(), "topic", folder, true) != VSR_OK) ++refused;
    // One that nobody asks for comes and goes meanwhile.
    if (load_adapter(engine.get(), "passing", folder) != VSR_OK) ++refused;
    if (vsr_engine_unload_adapter(engine.get(), "passing", nullptr) != VSR_OK) ++refused;
    const size_t before = done;
    while (done < before + 2) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& caller : callers) caller.join();
  CHECK(refused == 0);
  CHECK(failed == 0);
  CHECK(wrong == 0);
  CHECK(seen == 0b111U);
  CHECK(done >= 2 * kSwaps);
}

TEST_CASE("adapter swap: a call for what has gone is an error, never an answer", "[c_api]") {
  const EngineHandle engine = open_adapted();
  const Answer expected = *topic(engine.get(), true);
  std::atomic<bool> stop{false};
  std::atomic<size_t> wrong{0}, answered{0}, missing{0};
  std::vector<std::thread> callers;
  for (size_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&] {
      while (!stop) {
        const char* const tasks[] = {"topic", "names"};
        vsr_multi_result* result = nullptr;
        const vsr_status status =
            vsr_classify_all(engine.get(), &kText, nullptr, 1, tasks, 2, nullptr, &result, nullptr);
        const MultiHandle held(result);
        if (status == VSR_ERR_NOT_FOUND) {
          ++missing;
        } else if (status == VSR_OK && answer_of(vsr_multi_result_outcome(result, 0)->result).equals(expected)) {
          ++answered;
        } else {
          ++wrong;
        }
      }
    });
  }
  for (int i = 0; i < kSwaps; ++i) {
    const size_t answered_before = answered, missing_before = missing;
    while (answered == answered_before) std::this_thread::yield();
    CHECK(vsr_engine_unload_adapter(engine.get(), "topic", nullptr) == VSR_OK);
    while (missing == missing_before) std::this_thread::yield();
    CHECK(load_adapter(engine.get(), "topic", "bert-last-layer") == VSR_OK);
  }
  stop = true;
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}
