// Foreign threads call, vsr's own compute: a Go program's threads must not bring a pool of OpenMP threads each.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/engines.h"
#include "support/goldens.h"
#include "support/threads.h"

using namespace vsr;

namespace {

// This thread, the pool with a team for each at most, and oneTBB's workers.
size_t most_threads() {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return 1 + cores * cores + cores;
}

}  // namespace

TEST_CASE("threads: sixty-four callers of embed leave no threads of OpenMP behind", "[engine][threads]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  std::vector<std::string> texts(40, "please help me transfer money to my bank account and book a flight to paris");
  const auto views = test::views(texts);
  const auto expected = engine->embed(views, {}).values;
  std::atomic<int> wrong{0};
  const size_t threads = test::threads_beside(64, [&] {
    for (int n = 0; n < 3; ++n) {
      if (test::distance(engine->embed(views, {}).values, expected) > 1e-6) ++wrong;
    }
  });
  CHECK(wrong == 0);
  CHECK(threads <= most_threads());
}

TEST_CASE("threads: sixteen that open an engine leave no threads of OpenMP behind", "[engine][threads]") {
  for (const std::string dtype : {"float32", "int8"}) {
    engine::EngineOptions options = test::engine_options({"bert-embedding"});
    options.models[0].dtype = dtype;
    CHECK(test::threads_beside(16, [&] { engine::Engine::open(options); }) <= most_threads());
  }
}
