// The main function of every test program. Ends with one line that scripts/test.sh adds up.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdio>
#include <string>

#include "support/data.h"

namespace {

std::string skip_reason;  // of the running case; empty: not skipped
int passed = 0, failed = 0, skipped = 0;

struct Counter : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { skip_reason.clear(); }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.totals.testCases.failed > 0) {
      ++failed;
    } else if (!skip_reason.empty()) {
      ++skipped;
      std::printf("skipped: %s: %s\n", stats.testInfo.name.c_str(), skip_reason.c_str());
    } else {
      ++passed;
    }
  }
};
CATCH_REGISTER_LISTENER(Counter)

}  // namespace

void vsr::test::skip(const std::string& reason) { skip_reason = reason; }

int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  std::printf("cases: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return status;
}
