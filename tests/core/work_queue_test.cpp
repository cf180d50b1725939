// How batches are made of what waits.
#include "core/schedule/work_queue.h"

#include <catch2/catch.hpp>
#include <ostream>
#include <vector>

#include "core/support/fake_work.h"

using namespace vsr::core;
using vsr::test::FakeWork;

namespace {

struct Taken {
  const Work* work;
  size_t first;
  size_t count;
  friend bool operator==(const Taken&, const Taken&) = default;
  // Catch prints vectors of it through LibTorch's operator, which wants this one.
  friend std::ostream& operator<<(std::ostream& out, const Taken& taken) {
    return out << taken.work << " from " << taken.first << ", " << taken.count;
  }
};

std::vector<Taken> take(WorkQueue& queue, const BatchLimits& limits = {}) {
  std::vector<Taken> taken;
  for (const Share& share : queue.take(limits)) taken.push_back({share.work, share.items.first, share.items.count});
  return taken;
}

}  // namespace

TEST_CASE("work queue: what packs together makes one batch, and the rest keeps its place", "[core][schedule]") {
  FakeWork a({10, 10}), b({20}, {}, 1), c({30});
  WorkQueue queue;
  for (Work* work : {static_cast<Work*>(&a), static_cast<Work*>(&b), static_cast<Work*>(&c)}) queue.add(*work);
  CHECK(queue.waiting_tokens() == 70);
  CHECK(take(queue) == std::vector<Taken>{{&a, 0, 2}, {&c, 0, 1}});
  CHECK(queue.waiting_tokens() == 20);
  CHECK(take(queue) == std::vector<Taken>{{&b, 0, 1}});
  CHECK_FALSE(queue.waits());
  CHECK(take(queue).empty());
}

TEST_CASE("work queue: a long list takes turns with the short calls after it", "[core][schedule]") {
  FakeWork list(std::vector<size_t>(100, 256)), first({16}), second({16});
  WorkQueue queue;
  queue.add(list);
  queue.add(first);
  CHECK(take(queue, {.target = 512}) == std::vector<Taken>{{&list, 0, 2}});
  queue.add(second);
  // Who has been served goes after those who wait, and is served again after those who have not been.
  CHECK(take(queue, {.target = 512}) == std::vector<Taken>{{&first, 0, 1}, {&list, 2, 2}});
  CHECK(take(queue, {.target = 512}) == std::vector<Taken>{{&second, 0, 1}, {&list, 4, 2}});
}

TEST_CASE("work queue: a batch ends at its target and never grows beyond its limit", "[core][schedule]") {
  FakeWork a({1000, 1000, 1000});
  WorkQueue queue;
  queue.add(a);
  CHECK(take(queue) == std::vector<Taken>{{&a, 0, 2}});
  CHECK(take(queue, {.target = 1}) == std::vector<Taken>{{&a, 2, 1}});
}

TEST_CASE("work queue: a text longer than a batch has one of its own", "[core][schedule]") {
  FakeWork small({16}), huge({8192}), other({16});
  WorkQueue queue;
  queue.add(small);
  queue.add(huge);
  queue.add(other);
  CHECK(take(queue) == std::vector<Taken>{{&small, 0, 1}, {&other, 0, 1}});
  CHECK(take(queue) == std::vector<Taken>{{&huge, 0, 1}});
}

TEST_CASE("work queue: items above the asked length are left, in their place", "[core][schedule]") {
  FakeWork huge({8192}), small({16});
  WorkQueue queue;
  queue.add(huge);
  CHECK(take(queue, {.target = 512, .most = 512, .longest_item = 512}).empty());
  queue.add(small);
  CHECK(take(queue, {.target = 512, .most = 512, .longest_item = 512}) == std::vector<Taken>{{&small, 0, 1}});
  CHECK(take(queue) == std::vector<Taken>{{&huge, 0, 1}});
}

TEST_CASE("work queue: rows of adapters bound a batch too", "[core][schedule]") {
  class Stacked final : public Work {
   public:
    Stacked() : Work({{1000, 8000}, {1000, 8000}}) {}
    bool packs_with(const Work&) const override { return true; }
    double operations_per_token() const override { return 1; }
    Runner runner() const override { return nullptr; }
  } stacked;
  WorkQueue queue;
  queue.add(stacked);
  CHECK(take(queue) == std::vector<Taken>{{&stacked, 0, 1}});
}

TEST_CASE("work queue: what was removed is not taken, what was never there may be removed", "[core][schedule]") {
  FakeWork a({10}), b({20}), stranger({5});
  WorkQueue queue;
  queue.add(a);
  queue.add(b);
  queue.retire(a);
  queue.retire(stranger);
  CHECK(queue.waiting_tokens() == 20);
  CHECK(queue.state().waiting_works == 1);
  CHECK(take(queue) == std::vector<Taken>{{&b, 0, 1}});
}
