#include "routing/signals/signal_pii.h"

#include <catch2/catch.hpp>

using namespace vsr::routing;
using vsr::facts::PiiEntity;

TEST_CASE("pii signal: matches on types that are not allowed, without saying what was found", "[routing]") {
  const std::vector<PiiEntity> entities{
      {"EMAIL_ADDRESS", 0, 5, 1, true}, {"B-PERSON", 6, 9, 0.8, false}, {"URL", 10, 20, 1, true}};
  const auto evaluate = [&](PiiRule rule) { return PiiSignal(rule).evaluate(entities); };
  CHECK(evaluate({.name = "p"}).matched);
  CHECK(evaluate({.name = "p"}).detail == "EMAIL_ADDRESS");
  CHECK_FALSE(evaluate({.name = "p", .allowed = {"email_address"}}).matched);
  CHECK(evaluate({.name = "p", .allowed = {"EMAIL"}}).value == 0.8);
  CHECK(evaluate({.name = "p", .threshold = 0.75, .allowed = {"EMAIL_ADDRESS"}}).detail == "PERSON");
  CHECK_FALSE(evaluate({.name = "p", .denied = {"CREDIT_CARD"}}).matched);
  CHECK(evaluate({.name = "p", .denied = {"URL"}}).matched);
  CHECK_FALSE(PiiSignal({.name = "p"}).evaluate({}).matched);
}
