#include "base/snapshot.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using vsr::base::Snapshot;

namespace {

// Both halves are always equal: a torn or freed value shows as a difference.
struct Pair {
  explicit Pair(int value) : first(value), second(std::make_unique<int>(value)) { ++alive; }
  Pair(const Pair&) = delete;
  ~Pair() {
    first = -1;
    --alive;
  }
  int first;
  std::unique_ptr<int> second;
  static std::atomic<int> alive;
};
std::atomic<int> Pair::alive{0};

}  // namespace

TEST_CASE("snapshot: a new one holds nothing, or the given value", "[base][snapshot]") {
  CHECK(Snapshot<int>().load() == nullptr);
  CHECK(*Snapshot<int>(std::make_shared<int>(7)).load() == 7);
}

TEST_CASE("snapshot: a reader keeps the value it loaded when another is stored", "[base][snapshot]") {
  Snapshot<Pair> snapshot(std::make_shared<Pair>(1));
  auto held = snapshot.load();
  snapshot.store(std::make_shared<Pair>(2));
  CHECK(held->first == 1);
  CHECK(snapshot.load()->first == 2);
  CHECK(Pair::alive == 2);
  held.reset();
  CHECK(Pair::alive == 1);
  snapshot.store(nullptr);
  CHECK(snapshot.load() == nullptr);
  CHECK(Pair::alive == 0);
}

TEST_CASE("snapshot: exchange returns the value that was replaced", "[base][snapshot]") {
  Snapshot<int> snapshot(std::make_shared<int>(1));
  CHECK(*snapshot.exchange(std::make_shared<int>(2)) == 1);
  CHECK(*snapshot.exchange(nullptr) == 2);
  CHECK(snapshot.exchange(nullptr) == nullptr);
}

TEST_CASE("snapshot: an update that throws leaves the value", "[base][snapshot]") {
  Snapshot<int> snapshot(std::make_shared<int>(1));
  CHECK_THROWS_AS(snapshot.update([](const auto&) -> std::shared_ptr<const int> { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK(*snapshot.load() == 1);
  const auto add = [](const std::shared_ptr<const int>& now) { return std::make_shared<const int>(*now + 1); };
  CHECK(*snapshot.update(add) == 2);
  CHECK(*snapshot.load() == 2);
}

TEST_CASE("snapshot: a value's destructor may use the snapshot that dropped it", "[base][snapshot]") {
  struct Restorer {
    Snapshot<Restorer>* owner;
    ~Restorer() {
      if (owner != nullptr) owner->store(nullptr);
    }
  };
  Snapshot<Restorer> snapshot;
  snapshot.store(std::make_shared<Restorer>(Restorer{nullptr}));
  auto armed = std::make_shared<Restorer>(Restorer{nullptr});
  armed->owner = &snapshot;
  snapshot.store(std::move(armed));
  snapshot.update([](const auto&) { return std::make_shared<const Restorer>(Restorer{nullptr}); });
  CHECK(snapshot.load() == nullptr);
}

TEST_CASE("snapshot: racing readers and writers see whole values, and none is lost or leaked", "[base][snapshot]") {
  constexpr int kWriters = 3, kReaders = 6, kUpdates = 4000;
  std::atomic<int> torn{0}, backwards{0}, writing{kWriters};
  {
    Snapshot<Pair> snapshot(std::make_shared<Pair>(0));
    std::vector<std::thread> threads;
    for (int i = 0; i < kWriters; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < kUpdates; ++n) {
          snapshot.update([](const auto& now) { return std::make_shared<const Pair>(now->first + 1); });
        }
        --writing;
      });
    }
    for (int i = 0; i < kReaders; ++i) {
      threads.emplace_back([&] {
        int last = 0;
        do {
          const auto value = snapshot.load();
          if (value->first != *value->second) ++torn;
          if (value->first < last) ++backwards;
          last = value->first;
        } while (writing != 0);
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(snapshot.load()->first == kWriters * kUpdates);
    CHECK(Pair::alive == 1);
  }
  CHECK(torn == 0);
  CHECK(backwards == 0);
  CHECK(Pair::alive == 0);
}
