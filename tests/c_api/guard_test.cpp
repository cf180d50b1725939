#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "vsr/vsr.hpp"

namespace {

const std::vector<std::string> kFacts = {"The monthly rent is GBP 1,350.", "The lease ends on 31 August 2026."};
constexpr std::string_view kAnswer =
    "The monthly rent is GBP 1,350. The deposit is GBP 9,975. It ends on 31 August 2026.";

}  // namespace

TEST_CASE("guard: facts and streams through C++", "[c_api]") {
  const vsr::Facts facts(kFacts);
  CHECK(facts.size() == 2);
  const vsr::GuardStep checked = facts.check(kAnswer);
  REQUIRE(checked.events().size() == 1);
  const vsr::GuardEvent& event = checked.events()[0];
  CHECK(kAnswer.substr(event.start, event.end - event.start) == event.text);
  CHECK(event.claim == "The deposit is GBP 9,975.");
  CHECK_FALSE(event.kind.empty());
  CHECK(checked.forward().empty());
  CHECK(checked.checked() == kAnswer.size());

  vsr::Guard guard(facts, {.policy = vsr::Policy::kReplace, .replacement = "[gone]"});
  std::string out;
  for (const char& c : kAnswer) out += guard.feed({&c, 1}).forward();
  out += guard.finish().forward();
  CHECK(out == "The monthly rent is GBP 1,350. [gone] It ends on 31 August 2026.");
  CHECK(guard.describe().find("\"headers\"") != std::string::npos);
  CHECK_THROWS_AS(guard.feed("more"), vsr::Error);
}

TEST_CASE("guard: what is wrong with an argument names it", "[c_api]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_guard* guard = nullptr;
  CHECK(vsr_guard_create(nullptr, nullptr, &guard, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message).find("facts") != std::string::npos);
  vsr_facts* facts = nullptr;
  REQUIRE(vsr_facts_create(nullptr, nullptr, 0, nullptr, &facts, &error) == VSR_OK);
  vsr_guard_options options = VSR_GUARD_OPTIONS_INIT;
  options.policy = 7;
  CHECK(vsr_guard_create(facts, &options, &guard, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message).find("policy") != std::string::npos);
  options.policy = 0;
  options.threshold = 2;
  CHECK(vsr_guard_create(facts, &options, &guard, &error) == VSR_ERR_INVALID_ARGUMENT);
  options.threshold = 0;
  options.jailbreak_task = "none";
  CHECK(vsr_guard_create(facts, &options, &guard, &error) != VSR_OK);
  CHECK(guard == nullptr);
  REQUIRE(vsr_guard_create(facts, nullptr, &guard, &error) == VSR_OK);
  vsr_facts_free(facts);  // any order
  vsr_guard_step* step = nullptr;
  REQUIRE(vsr_guard_feed(guard, vsr_str{"x", 1}, &step, &error) == VSR_OK);
  CHECK(vsr_guard_step_event(step, 0) == nullptr);
  CHECK(vsr_guard_step_forward(nullptr).size == 0);
  vsr_guard_step_free(step);
  vsr_guard_free(guard);
  vsr_guard_free(nullptr);
  CHECK(vsr_guard_kind_name(99).size == 0);
}
