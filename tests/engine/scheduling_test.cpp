// Many callers at once: the same answers as alone, and calls that end early leave the others as they are.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/call_limits.h"
#include "engine/run/admission.h"
#include "support/engines.h"
#include "support/failure.h"
#include "support/goldens.h"

using namespace vsr;
using namespace std::chrono_literals;
using base::Status;
using test::failure_of;

namespace {

constexpr double kRounding = 1e-5;

std::string words(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += i % 3 == 0 ? "money " : i % 3 == 1 ? "book a flight " : "transfer ";
  return text;
}

// Lengths from nothing to several windows.
std::vector<std::string> mixed_texts() {
  std::vector<std::string> texts;
  for (const size_t count : {0, 1, 2, 5, 9, 17, 40, 3, 120, 1}) texts.push_back(words(count));
  return texts;
}

nlohmann::json queue_of(const engine::Engine& engine) { return nlohmann::json::parse(engine.describe()).at("queue"); }

}  // namespace

TEST_CASE("scheduling: many callers of different tasks get what they get alone", "[engine][schedule]") {
  const auto engine = test::open_goldens({"bert-embedding", "bert-sequence", "bert-token"});
  const std::vector<std::string> texts = mixed_texts();
  std::vector<std::vector<float>> vectors, plain, probs, tokens;
  engine::EmbedOptions not_normalized;
  not_normalized.task = "bert-embedding";
  not_normalized.normalize = false;
  engine::EmbedOptions normalized;
  normalized.task = "bert-embedding";
  const auto one = [](const std::string& text) { return std::vector<std::string_view>{text}; };
  const auto pair = [](const std::string& text) { return std::vector<engine::TextPair>{{text, std::nullopt}}; };
  for (const std::string& text : texts) {
    vectors.push_back(engine->embed(one(text), normalized).values);
    plain.push_back(engine->embed(one(text), not_normalized).values);
    probs.push_back(engine->classify(pair(text), {}).values);
    tokens.push_back(engine->token_probs(text, {}).values);
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (size_t caller = 0; caller < 16; ++caller) {
    callers.emplace_back([&, caller] {
      for (size_t n = 0; n < 20; ++n) {
        const size_t i = (caller * 7 + n * 3) % texts.size();
        const auto differs = [&](const std::vector<float>& found, const std::vector<float>& expected) {
          return found.size() != expected.size() || test::distance(found, expected) > kRounding;
        };
        if (caller % 4 == 0 && differs(engine->embed(one(texts[i]), normalized).values, vectors[i])) ++wrong;
        if (caller % 4 == 1 && differs(engine->embed(one(texts[i]), not_normalized).values, plain[i])) ++wrong;
        if (caller % 4 == 2 && differs(engine->classify(pair(texts[i]), {}).values, probs[i])) ++wrong;
        if (caller % 4 == 3 && differs(engine->token_probs(texts[i], {}).values, tokens[i])) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(queue_of(*engine).at("calls") == 0);
  CHECK(queue_of(*engine).at("tokens") == 0);
}

TEST_CASE("scheduling: calls that are cancelled at any point leave the others alone", "[engine][schedule]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::vector<std::string> texts(12, words(40));
  const auto views = test::views(texts);
  const auto expected = engine->embed(views, {}).values;
  std::atomic<int> wrong{0}, odd{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&, caller] {
      for (int n = 0; n < 10; ++n) {
        engine::EmbedOptions options;
        std::stop_source source;
        std::thread canceller;
        if (caller % 2 == 0) {
          options.limits.cancel = source.get_token();
          canceller = std::thread([&source, caller, n] {
            std::this_thread::sleep_for(std::chrono::microseconds(400 * (caller + n)));
            source.request_stop();
          });
        }
        std::vector<float> found;
        const auto failure = failure_of([&] { found = engine->embed(views, options).values; });
        if (canceller.joinable()) canceller.join();
        if (failure.status && (caller % 2 != 0 || failure.status != Status::kCancelled)) ++odd;
        if (!failure.status && test::distance(found, expected) > kRounding) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(odd == 0);
  CHECK(queue_of(*engine).at("calls") == 0);
}

TEST_CASE("scheduling: a deadline that has passed ends a call before it begins", "[engine][schedule]") {
  const auto engine = test::open_goldens({"bert-embedding", "bert-sequence"});
  const std::vector<std::string_view> texts{"a"};
  const std::vector<engine::TextPair> pairs{{"a", std::nullopt}};
  const base::CallLimits late{base::deadline_in(-1), {}};
  engine::EmbedOptions embed;
  embed.task = "bert-embedding";
  embed.limits = late;
  CHECK(failure_of([&] { engine->embed(texts, embed); }).status == base::Status::kDeadline);
  engine::ClassifyOptions classify;
  classify.limits = late;
  CHECK(failure_of([&] { engine->classify(pairs, classify); }).status == base::Status::kDeadline);
  engine::MultiOptions multi;
  multi.every_task = true;
  multi.limits = late;
  CHECK(failure_of([&] { engine->classify_all(pairs, multi); }).status == base::Status::kDeadline);
  CHECK(queue_of(*engine).at("late") == 3);
}

TEST_CASE("scheduling: a full queue refuses calls, names its depth and serves on", "[engine][schedule]") {
  engine::Admission admission({.calls = 2, .tokens = 100});
  {
    engine::Admission::Ticket first(admission);
    engine::Admission::Ticket second(admission);
    first.hold(30);
    const auto full = failure_of([&] { engine::Admission::Ticket third(admission); });
    CHECK(full.status == Status::kLimit);
    CHECK(full.message == "queue is full: 2 calls with 30 tokens wait or run, the limits are 2 calls and 100 tokens");
  }
  engine::Admission::Ticket alone(admission);
  alone.hold(5000);  // more than the limit, and nobody before it
  CHECK(failure_of([&] { engine::Admission::Ticket next(admission); }).status == Status::kLimit);
  alone.hold(0);
  CHECK_FALSE(failure_of([&] { engine::Admission::Ticket next(admission); }).status);
  CHECK(admission.state().accepted == 4);
  CHECK(admission.state().rejected == 2);
}

TEST_CASE("scheduling: an engine's own limit holds for its callers", "[engine][schedule]") {
  engine::EngineOptions options = test::engine_options({"bert-embedding"});
  options.queue.calls = 1;
  const auto engine = engine::Engine::open(options);
  const std::vector<std::string_view> texts{"a"};
  std::optional<Status> inner;
  engine::EmbedOptions outer;
  // A call inside another one's: the first holds the only place.
  outer.limits.progress = [&](size_t, size_t) {
    inner = failure_of([&] { engine->embed(texts, {}); }).status;
    return false;
  };
  engine->embed(texts, outer);
  CHECK(inner == Status::kLimit);
  CHECK_FALSE(failure_of([&] { engine->embed(texts, {}); }).status);
  CHECK(queue_of(*engine).at("rejected") == 1);
}
