// LibTorch seeds itself from the clock: without this, a tolerance is met by luck, and a failure cannot be repeated.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <ATen/Context.h>

#include <catch2/catch.hpp>

namespace {

struct Seeded : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { at::manual_seed(1); }
};
CATCH_REGISTER_LISTENER(Seeded)

}  // namespace
