// Long results of tools in what a model gets.
#include "routing/rewrite/request_compress.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/compress/token_estimate.h"

using namespace vsr::routing;
using Json = nlohmann::json;

namespace {

std::string prose(int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) text += "The report number " + std::to_string(i) + " says that sales rose. ";
  return text;
}

Json conversation() {
  return {{"model", "m"},
          {"messages",
           {{{"role", "user"}, {"content", prose(40)}},
            {{"role", "tool"}, {"tool_call_id", "1"}, {"content", prose(200)}},
            {{"role", "tool"}, {"tool_call_id", "2"}, {"content", {{{"type", "text"}, {"text", prose(200)}}}}},
            {{"role", "tool"}, {"tool_call_id", "3"}, {"content", "Fine."}},
            {{"role", "user"}, {"content", "And now?"}}}}};
}

Json compressed(const Json& body, CompressionPlan plan, std::vector<std::string>* notes = nullptr) {
  std::vector<std::string> lines;
  return Json::parse(compress_context(body.dump(), plan, notes != nullptr ? *notes : lines));
}

size_t tokens(const Json& content) { return estimate_tokens(content.get<std::string>()); }

}  // namespace

TEST_CASE("request compress: results of tools are cut above the trigger, and nothing else is", "[routing][compress]") {
  const Json body = conversation();
  const ContextCompressionPlugin plugin{
      .trigger_tokens = 1000, .target_tokens = 10, .min_tokens = 500, .result_tokens = 100};
  std::vector<std::string> notes;
  const Json cut = compressed(body, {plugin}, &notes);
  const Json &before = body["messages"], &after = cut["messages"];
  for (const size_t same : {0, 3, 4}) CHECK(after[same] == before[same]);
  CHECK(tokens(after[1]["content"]) <= 100);
  CHECK(tokens(after[1]["content"]) > 50);
  CHECK(tokens(after[2]["content"][0]["text"]) <= 100);
  CHECK(after[2]["tool_call_id"] == "2");
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::StartsWith("results of tools: 2 cut, from about "));
}

TEST_CASE("request compress: the oldest go first, until the prompt is small enough", "[routing][compress]") {
  const Json body = conversation();
  const size_t result = tokens(body["messages"][1]["content"]);
  const ContextCompressionPlugin plugin{.trigger_tokens = 1000,
                                        .target_tokens = static_cast<int64_t>(result) + 800,
                                        .min_tokens = 500,
                                        .result_tokens = 100};
  const Json cut = compressed(body, {plugin});
  CHECK(tokens(cut["messages"][1]["content"]) <= 100);
  CHECK(cut["messages"][2] == body["messages"][2]);
}

TEST_CASE("request compress: without a trigger the room in the window decides", "[routing][compress]") {
  Json body = conversation();
  const ContextCompressionPlugin plugin{.min_tokens = 500, .result_tokens = 100};
  CHECK(compressed(body, {plugin, 0}) == body);
  CHECK(compressed(body, {plugin, 100000}) == body);
  CHECK(compressed(body, {plugin, 4000}) != body);
  body["max_tokens"] = 99000;
  CHECK(compressed(body, {plugin, 100000}) != body);
  ContextCompressionPlugin reserved = plugin;
  reserved.reserve_tokens = 10;
  CHECK(compressed(body, {reserved, 100000}) == body);
}

TEST_CASE("request compress: short results, and a plugin that preserves them, leave every byte",
          "[routing][compress]") {
  const std::string body = conversation().dump();
  std::vector<std::string> notes;
  CHECK(compress_context(body, {{.trigger_tokens = 1, .min_tokens = 100000}}, notes) == body);
  CHECK(compress_context(body, {{.trigger_tokens = 1, .tool_outputs = false}}, notes) == body);
  CHECK(compress_context(body, {{.trigger_tokens = 1000000}}, notes) == body);
  CHECK(notes.empty());
}
