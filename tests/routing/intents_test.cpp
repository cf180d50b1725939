#include "routing/intents/intents.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <thread>

#include "base/error.h"
#include "routing/support/fake_embedder.h"

using namespace vsr::routing;
using vsr::base::Error;
using vsr::base::Status;

namespace {

std::shared_ptr<PlaneEmbedder> plane() { return std::make_shared<PlaneEmbedder>(); }

IntentsOptions options(NeighbourRule rule, size_t top_k = 5, float threshold = -1) { return {rule, top_k, threshold}; }

void check_fails(Status status, const std::string& message, const std::function<void()>& body) {
  try {
    body();
    FAIL("nothing thrown, expected: " << message);
  } catch (const Error& error) {
    CHECK(error.status() == status);
    CHECK(error.what() == message);
  }
}

// Directions in degrees, so that similarities are cosines of differences.
std::string at(double degrees) {
  const double radians = degrees * std::numbers::pi / 180;
  char text[64];
  std::snprintf(text, sizeof text, "%.12f,%.12f", std::cos(radians), std::sin(radians));
  return text;
}

double cosine(double degrees) { return std::cos(degrees * std::numbers::pi / 180); }

}  // namespace

TEST_CASE("intents: best takes the nearest example's intent, the runner-up is the next other one",
          "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kBest));
  add(intents, "east", {"1,0", "1,0.1"});
  add(intents, "north", {"0,1"});
  add(intents, "west", {"-1,0"});
  const Match match = route(intents, "1,0.2");
  CHECK(match.matched);
  CHECK(match.nearest == "east");
  CHECK(match.score == Approx(std::cos(std::atan(0.2) - std::atan(0.1))));
  CHECK(match.runner_up == "north");
  CHECK(match.runner_up_score == Approx(std::sin(std::atan(0.2))));
}

TEST_CASE("intents: in a vote several near examples outweigh one that is little nearer", "[routing][intents]") {
  const auto fill = [](Intents& intents) {
    add(intents, "single", {at(10)});
    add(intents, "many", {at(-11), at(-12), at(-13)});
    add(intents, "far", {at(80), at(81), at(82), at(83), at(84), at(85)});
  };
  Intents best(plane(), options(NeighbourRule::kBest)), vote(plane(), options(NeighbourRule::kVote, 4));
  Intents one_vote(plane(), options(NeighbourRule::kVote, 1)), all_vote(plane(), options(NeighbourRule::kVote, 100));
  for (Intents* intents : {&best, &vote, &one_vote, &all_vote}) fill(*intents);

  CHECK(route(best, at(0)).nearest == "single");
  CHECK(route(one_vote, at(0)).nearest == "single");
  const Match match = route(vote, at(0));
  CHECK(match.nearest == "many");
  CHECK(match.score == Approx(cosine(11)));
  CHECK(match.runner_up == "single");
  CHECK(match.runner_up_score == Approx(cosine(10)));
  // Plain similarities would add up to less than 3 for "many"; six distant examples must not weigh more than a near
  // one: 6 e^(10 cos 80) < e^(10 cos 10).
  CHECK(route(all_vote, at(0)).nearest == "many");
  CHECK(route(all_vote, at(0)).runner_up == "single");
}

TEST_CASE("intents: a winner of all votes has the next nearest intent as runner-up", "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kVote, 2));
  add(intents, "a", {at(0), at(1), at(2)});
  add(intents, "b", {at(90)});
  const Match match = route(intents, at(1));
  CHECK(match.nearest == "a");
  CHECK(match.runner_up == "b");
  CHECK(match.runner_up_score == Approx(cosine(89)));
}

TEST_CASE("intents: a tied vote goes to the intent with the nearest example, equal examples to the first added",
          "[routing][intents]") {
  for (const NeighbourRule rule : {NeighbourRule::kVote, NeighbourRule::kBest, NeighbourRule::kBlend}) {
    Intents intents(plane(), options(rule));
    add(intents, "first", {"1,0"});
    add(intents, "second", {"1,0"});
    CHECK(route(intents, "1,0").nearest == "first");
    CHECK(route(intents, "1,0").runner_up == "second");
    intents.remove("first");
    add(intents, "first", {"1,0"});
    CHECK(route(intents, "1,0").nearest == "second");
  }
}

TEST_CASE("intents: blend is the mean of the similarities to the nearest example and to the mean",
          "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kBlend));
  add(intents, "wide", {at(5), at(85)});     // its mean points to 45 degrees
  add(intents, "narrow", {at(-7), at(-9)});  // to -8
  const Match match = route(intents, at(0));
  CHECK(match.nearest == "narrow");
  CHECK(match.score == Approx((cosine(7) + cosine(8)) / 2));
  CHECK(match.runner_up == "wide");
  CHECK(match.runner_up_score == Approx((cosine(5) + cosine(45)) / 2));
  Intents opposite(plane(), options(NeighbourRule::kBlend));
  add(opposite, "none", {"1,0", "-1,0"});  // examples without a mean
  CHECK(route(opposite, "1,0").score == Approx(0.5));
}

TEST_CASE("intents: a score below the threshold is no match, at the threshold it is one", "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kBest, 5, 0.6f));
  add(intents, "east", {"1,0"});
  add(intents, "north", {"0,1"}, 0.95f);
  CHECK(route(intents, "3,-4").nearest == "east");
  CHECK(route(intents, "3,-4").score == Approx(0.6));
  CHECK_FALSE(route(intents, "2.9,-4").matched);
  CHECK(route(intents, "2.9,-4").nearest == "east");
  CHECK(route(intents, "1,0").matched);
  // Its own threshold counts for an intent, whichever is stricter.
  CHECK_FALSE(route(intents, "3,4").matched);
  CHECK(route(intents, "3,4").nearest == "north");
  add(intents, "north", {}, 0.7f);
  CHECK(route(intents, "3,4").matched);
  add(intents, "north", {"0.1,1"});  // without a threshold the old one stays
  CHECK(nlohmann::json::parse(intents.describe())["intents"][1]["threshold"] == Approx(0.7));
}

TEST_CASE("intents: an empty set matches nothing and embeds nothing", "[routing][intents]") {
  const auto embedder = plane();
  Intents intents(embedder, options(NeighbourRule::kVote));
  const Match match = route(intents, "1,0");
  CHECK_FALSE(match.matched);
  CHECK(match.nearest.empty());
  CHECK(match.runner_up.empty());
  CHECK(match.score == 0);
  CHECK(embedder->embedded == 0);
  CHECK(intents.route({}).empty());
  add(intents, "a", {"1,0"});
  CHECK(route(intents, "1,0").runner_up.empty());
  CHECK(intents.route({}).empty());
  intents.remove("a");
  CHECK(route(intents, "1,0").nearest.empty());
}

TEST_CASE("intents: an example is kept once, and embedded once", "[routing][intents]") {
  const auto embedder = plane();
  Intents intents(embedder, options(NeighbourRule::kVote));
  add(intents, "a", {"1,0", "1,0", "1,1"});
  add(intents, "a", {"1,1", "0,1", "1,0"});
  add(intents, "b", {"1,1"});
  CHECK(embedder->embedded == 4);
  const auto described = nlohmann::json::parse(intents.describe());
  CHECK(described["intents"][0]["examples"] == 3);
  CHECK(described["intents"][1]["examples"] == 1);
}

TEST_CASE("intents: removed and added again, an intent has only its new examples", "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kBest));
  add(intents, "a", {"1,0"}, 0.9f);
  add(intents, "b", {"0,1"});
  intents.remove("a");
  CHECK(route(intents, "1,0").nearest == "b");
  add(intents, "a", {"-1,0"});
  CHECK(route(intents, "1,0.1").nearest == "b");
  CHECK(route(intents, "-1,0").nearest == "a");
  CHECK(route(intents, "-1,0.9").matched);  // the threshold went with the intent
}

TEST_CASE("intents: describe lists options and intents in the order of their first example", "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kBlend, 7, 0.3f));
  add(intents, "b", {"1,0"});
  add(intents, "a \"q\"", {"0,1", "1,1"}, 0.25f);
  CHECK(intents.describe() ==
        R"({"rule":"blend","top_k":7,"threshold":0.3,"dim":2,"index":"exact","intents":[)"
        R"({"label":"b","examples":1,"threshold":null},{"label":"a \"q\"","examples":2,"threshold":0.25}]})");
}

TEST_CASE("intents: what cannot be is refused by name, and changes nothing", "[routing][intents]") {
  Intents intents(plane(), options(NeighbourRule::kVote));
  add(intents, "a", {"1,0"});
  const auto before = intents.describe();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_fails(Status::kInvalidArgument, "label is empty", [&] { add(intents, "", {"1,0"}); });
  check_fails(Status::kInvalidArgument, "intent \"new\" has no examples", [&] { add(intents, "new", {}); });
  check_fails(Status::kInvalidArgument, "threshold is 1.5, expected -1 to 1", [&] { add(intents, "a", {}, 1.5f); });
  check_fails(Status::kInvalidArgument, "threshold is nan, expected -1 to 1", [&] { add(intents, "a", {}, nan); });
  check_fails(Status::kInvalidArgument, "label \"\xff\" is not UTF-8", [&] { add(intents, "\xff", {"1,0"}); });
  check_fails(Status::kInternal, "embedding of text 1 is not finite", [&] { add(intents, "a", {"0,1", "nan"}); });
  check_fails(Status::kInternal, "embedding of text 0 is not finite", [&] { route(intents, "nan"); });
  check_fails(Status::kNotFound, "intent \"A\" is not in the set", [&] { intents.remove("A"); });
  CHECK(intents.describe() == before);
  check_fails(Status::kInvalidArgument, "top_k is 0, expected 1 to 1024",
              [] { Intents(plane(), options(NeighbourRule::kVote, 0)); });
  check_fails(Status::kInvalidArgument, "top_k is 1025, expected 1 to 1024",
              [] { Intents(plane(), options(NeighbourRule::kVote, 1025)); });
  check_fails(Status::kInvalidArgument, "threshold is -1.5, expected -1 to 1",
              [] { Intents(plane(), options(NeighbourRule::kVote, 5, -1.5f)); });
}

TEST_CASE("intents: while others add and remove, every route sees a whole set", "[routing][intents][threads]") {
  Intents intents(plane(), options(NeighbourRule::kBest));
  add(intents, "base", {"1,0"});
  constexpr int kRounds = 150;
  std::atomic<int> writing{2}, wrong{0};
  std::vector<std::thread> threads;
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&, writer] {
      const std::string own = "own" + std::to_string(writer);
      for (int round = 0; round < kRounds; ++round) {
        add(intents, own, {"0,1", "0,-1"});  // both directions at once, never one
        add(intents, "base", {"1,0." + std::to_string(round)});
        intents.remove(own);
      }
      --writing;
    });
  }
  for (int reader = 0; reader < 3; ++reader) {
    threads.emplace_back([&] {
      const std::vector<std::string_view> both = {"0,1", "0,-1"};
      do {
        const auto matches = intents.route(both);
        // Seen in one snapshot: an "own" intent is there for both texts or for neither.
        if ((matches[0].nearest == "base") != (matches[1].nearest == "base")) ++wrong;
        if (matches[0].nearest != "base" && matches[0].score < 0.999f) ++wrong;
        if (!nlohmann::json::accept(intents.describe())) ++wrong;
      } while (writing != 0);
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  const auto described = nlohmann::json::parse(intents.describe());
  REQUIRE(described["intents"].size() == 1);
  CHECK(described["intents"][0]["examples"] == 1 + kRounds);
}

TEST_CASE("intents: examples that vanish while an add embeds are embedded again", "[routing][intents][threads]") {
  // Removes the intent in the middle of the first embedding, as another thread might.
  struct Meddler : PlaneEmbedder {
    std::vector<float> embed(std::span<const std::string_view> texts,
                             const vsr::base::CallLimits& limits) const override {
      if (meddle) std::exchange(meddle, nullptr)();
      return PlaneEmbedder::embed(texts, limits);
    }
    mutable std::function<void()> meddle;
  };
  const auto embedder = std::make_shared<Meddler>();
  Intents intents(embedder, options(NeighbourRule::kBest));
  add(intents, "a", {"1,0"});
  embedder->meddle = [&] { intents.remove("a"); };
  add(intents, "a", {"1,0", "0,1"});
  CHECK(nlohmann::json::parse(intents.describe())["intents"][0]["examples"] == 2);
  CHECK(route(intents, "1,0").score == Approx(1));
}
