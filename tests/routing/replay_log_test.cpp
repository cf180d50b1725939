#include "routing/replay_log.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/support/router_files.h"

using namespace vsr::routing;
using Json = nlohmann::json;

namespace {

RouterConfig with_replay(const std::string& more) {
  return vsr::test::strict(vsr::test::with_decisions(
      "  - {name: d, plugins: [{type: router_replay, configuration: {enabled: true, max_records: 2" + more +
      "}}]}\n"
      "  - {name: quiet}\n"));
}

Routed routed(const char* decision) {
  Routed made;
  made.outcome = RouteOutcome::kForward;
  made.decision = decision;
  made.model = "small";
  made.signals.push_back({"keyword:a", {.matched = true, .confidence = 0.75, .value = 1}, 0.1});
  return made;
}

}  // namespace

TEST_CASE("replay: the last records of a decision, without bodies unless they are asked for", "[routing][replay]") {
  ReplayLog log(with_replay(""));
  CHECK(log.add(routed("quiet"), "secret") == 0);
  CHECK(log.json() == R"({"records":[],"dropped":0})");
  for (int i = 0; i < 3; ++i) CHECK(log.add(routed("d"), "secret") == static_cast<uint64_t>(i + 1));
  log.add_response(3, "an answer");
  log.add_response(1, "too late");
  CHECK(log.json().find("secret") == std::string::npos);
  const Json json = Json::parse(log.json());
  CHECK(json["dropped"] == 1);
  REQUIRE(json["records"].size() == 2);
  CHECK(json["records"][0]["id"] == 2);
  CHECK(json["records"][1]["model"] == "small");
  CHECK(json["records"][1]["request_bytes"] == 6);
  CHECK(json["records"][1]["response_bytes"] == 9);
  CHECK(json["records"][1].count("response") == 0);
  CHECK(json["records"][1]["signals"][0] ==
        Json{{"name", "keyword:a"}, {"matched", true}, {"confidence", 0.75}, {"value", 1.0}});
}

TEST_CASE("replay: bodies are cut between characters", "[routing][replay]") {
  ReplayLog log(with_replay(", capture_request_body: true, capture_response_body: true, max_body_bytes: 4"));
  const uint64_t id = log.add(routed("d"), "abc\xC3\xA4\x66");
  log.add_response(id, "\"quoted\"");
  const Json json = Json::parse(log.json());
  CHECK(json["records"][0]["request"] == "abc");
  CHECK(json["records"][0]["response"] == "\"quo");
}
