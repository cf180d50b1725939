#include "engine/default_engine.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/goldens.h"

using namespace vsr;
using base::Status;
using test::Failure;
using test::failure_of;

namespace {

constexpr int kThreads = 16;

// No case leaves a default engine behind.
struct Closed {
  Closed() { engine::shutdown_default(); }
  ~Closed() { engine::shutdown_default(); }
};

void at_once(const std::function<void(int)>& body) {
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("default engine: calls before init and after shutdown are errors of state", "[engine][default]") {
  const Closed closed;
  const Failure none{Status::kState, "no default engine is open: call vsr_init first"};
  CHECK(failure_of([] { engine::default_engine(); }) == none);
  CHECK(failure_of([] { engine::reload_default(test::engine_options({"bert-token"})); }) == none);
  engine::init_default(test::engine_options({"bert-token"}));
  const auto held = engine::default_engine();
  engine::shutdown_default();
  engine::shutdown_default();
  CHECK(failure_of([] { engine::default_engine(); }) == none);
  CHECK(held->token_probs("hello", {}).rows == 3);
}

TEST_CASE("default engine: a second init with equal options does nothing, with others it names both",
          "[engine][default]") {
  const Closed closed;
  engine::init_default(test::engine_options({"bert-token"}));
  const auto first = engine::default_engine();
  engine::init_default(test::engine_options({"bert-token"}));
  CHECK(engine::default_engine() == first);
  const Failure failure = failure_of([] { engine::init_default(test::engine_options({"bert-sequence"})); });
  CHECK(failure.status == Status::kState);
  CHECK(failure.message.find("models/bert-token as bert-token") != std::string::npos);
  CHECK(failure.message.find("models/bert-sequence as bert-sequence") != std::string::npos);
  CHECK(failure.message.find("vsr_reload") != std::string::npos);
  CHECK(engine::default_engine() == first);
}

TEST_CASE("default engine: an init that fails leaves none, and may be repeated", "[engine][default]") {
  const Closed closed;
  engine::EngineOptions broken;
  broken.models.push_back({.name = "m", .path = "/none"});
  CHECK(failure_of([&] { engine::init_default(broken); }).status == Status::kNotFound);
  CHECK(failure_of([] { engine::default_engine(); }).status == Status::kState);
  engine::init_default(test::engine_options({"bert-token"}));
  const auto open = engine::default_engine();
  CHECK(failure_of([&] { engine::reload_default(broken); }).status == Status::kNotFound);
  CHECK(engine::default_engine() == open);
}

TEST_CASE("default engine: the old one lives as long as calls on it, and no longer", "[engine][default]") {
  const Closed closed;
  engine::init_default(test::engine_options({"bert-token"}));
  auto held = engine::default_engine();
  const std::weak_ptr<const engine::Engine> old = held;
  engine::reload_default(test::engine_options({"bert-sequence"}));
  CHECK(engine::default_engine() != held);
  CHECK(held->token_probs("hello", {}).rows == 3);
  held.reset();
  CHECK(old.expired());
}

TEST_CASE("default engine: of racing inits one opens it and all get its outcome", "[engine][default]") {
  const Closed closed;
  std::atomic<int> succeeded{0}, refused{0};
  at_once([&](int i) {
    const Failure failure =
        failure_of([&] { engine::init_default(test::engine_options({i % 4 == 0 ? "bert-token" : "bert-sequence"})); });
    if (failure == Failure{}) ++succeeded;
    if (failure.status == Status::kState) ++refused;
  });
  CHECK(succeeded + refused == kThreads);
  CHECK((succeeded == kThreads / 4 || succeeded == kThreads * 3 / 4));
}

TEST_CASE("default engine: sixteen threads race through init, classification, reload and shutdown",
          "[engine][default][race]") {
  const Closed closed;
  const engine::EngineOptions options = test::engine_options({"bert-sequence"});
  engine::EngineOptions renamed = options;
  renamed.models[0].name = "other";
  const engine::TextPair text{"where is my card ?", std::nullopt};
  const auto expected = test::open_goldens({"bert-sequence"})->classify({&text, 1}, {}).values;
  std::atomic<int> answers{0}, wrong{0}, unexpected{0};
  const auto classify = [&] {
    const engine::Result result = engine::default_engine()->classify({&text, 1}, {});
    ++answers;
    if (test::distance(result.values, expected) > 1e-6) ++wrong;
  };
  // Opens the engine again where another thread has closed it.
  const auto classify_at_last = [&] {
    while (failure_of(classify).status == Status::kState) failure_of([&] { engine::init_default(options); });
  };
  constexpr int kRounds = 12, kClassifiers = kThreads - 4;
  at_once([&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      const Failure failure = failure_of([&] {
        if (i == 0) return engine::reload_default(round % 2 == 0 ? renamed : options);
        if (i == 1 && round % 4 == 3) return engine::shutdown_default();
        if (i < 4) return engine::init_default(options);
        classify_at_last();
      });
      // Only that none is open, or that it is open with the other options.
      if (failure.status && failure.status != Status::kState) ++unexpected;
    }
  });
  engine::shutdown_default();
  engine::init_default(options);
  CHECK(test::distance(engine::default_engine()->classify({&text, 1}, {}).values, expected) <= 1e-6);
  CHECK(wrong == 0);
  CHECK(unexpected == 0);
  CHECK(answers == kRounds * kClassifiers);
}
