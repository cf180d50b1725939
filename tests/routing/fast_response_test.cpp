#include <catch2/catch.hpp>

#include "support/cached_router.h"

using namespace vsr::routing;
using vsr::test::CachedRouter;
using vsr::test::chat_body;
using Json = nlohmann::json;

namespace {

CachedRouter refusing() {
  return CachedRouter("    keywords: [{name: no, keywords: [forbidden]}]\n",
                      "    - {name: no, rules: {type: keyword, name: no}, modelRefs: [],\n"
                      "       plugins: [{type: fast_response, configuration: {message: \"no, \\\"never\\\"\\n\"}}]}\n",
                      "");
}

// The data of each event; every event is one line of data and a blank line.
std::vector<std::string> events(std::string_view stream) {
  std::vector<std::string> data;
  while (!stream.empty()) {
    const size_t end = stream.find("\n\n");
    REQUIRE(end != stream.npos);
    REQUIRE(stream.starts_with("data: "));
    data.emplace_back(stream.substr(6, end - 6));
    stream.remove_prefix(end + 2);
  }
  return data;
}

}  // namespace

TEST_CASE("fast response: a client that streams gets a stream", "[routing][router]") {
  const CachedRouter router = refusing();
  const Routed routed = router.route(chat_body("forbidden", {{"stream", true}}));
  CHECK(routed.outcome == RouteOutcome::kRespond);
  const auto data = events(routed.response);
  REQUIRE(data.size() >= 3);
  CHECK(data.back() == "[DONE]");
  std::string said;
  Json finish;
  for (size_t i = 0; i + 1 < data.size(); ++i) {
    const Json chunk = Json::parse(data[i]);
    CHECK(chunk.at("object") == "chat.completion.chunk");
    CHECK(chunk.at("id") == Json::parse(data[0]).at("id"));
    CHECK(!chunk.contains("usage"));
    REQUIRE(chunk.at("choices").size() == 1);
    const Json& choice = chunk["choices"][0];
    said += choice.at("delta").value("content", "");
    CHECK(finish.is_null());
    finish = choice.at("finish_reason");
  }
  CHECK(Json::parse(data[0])["choices"][0]["delta"].at("role") == "assistant");
  CHECK(said == "no, \"never\"\n");
  CHECK(finish == "stop");
}

TEST_CASE("fast response: a stream ends with usage where the client asked for it", "[routing][router]") {
  const CachedRouter router = refusing();
  const Json options = {{"stream", true}, {"stream_options", {{"include_usage", true}}}};
  const auto data = events(router.route(chat_body("forbidden", options)).response);
  REQUIRE(data.size() >= 4);
  CHECK(data.back() == "[DONE]");
  for (size_t i = 0; i + 2 < data.size(); ++i) CHECK(Json::parse(data[i]).at("usage").is_null());
  const Json last = Json::parse(data[data.size() - 2]);
  CHECK(last.at("choices").empty());
  CHECK(last.at("usage").at("total_tokens") == 0);
}

TEST_CASE("fast response: any other client gets one body", "[routing][router]") {
  const CachedRouter router = refusing();
  for (const Json& more : {Json::object(), Json{{"stream", false}}, Json{{"stream", nullptr}}}) {
    const Json body = Json::parse(router.route(chat_body("forbidden", more)).response);
    CHECK(body.at("object") == "chat.completion");
    CHECK(body["choices"][0]["message"].at("content") == "no, \"never\"\n");
  }
  CHECK(Json::parse(router.route("forbidden").response).at("object") == "chat.completion");
}
