#include "chat/answers/unread_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json.h"

namespace {

bool holds_unread(const std::string& json, std::vector<std::string_view> read = {}) {
  return vsr::chat::holds_unread_text(vsr::base::parse_json(json, "event").node(), read);
}

}  // namespace

TEST_CASE("unread text: words in a member that no reader takes are seen", "[chat]") {
  CHECK(holds_unread(R"({"choices":[{"delta":{"content":"Hi all","answer":"The rent is 9"}}]})", {"Hi all"}));
  CHECK(holds_unread(R"({"choices":[{"index":0,"delta":{"steps":[{"deep":["one\ntwo"]}]}}]})"));
  CHECK(holds_unread(R"({"choices":[{"delta":{"answer":"家賃"}}]})"));
  CHECK(holds_unread(R"({"type":"content_block_delta","index":0,"delta":{"type":"new_delta","words":"it is 9"}})"));
  CHECK(holds_unread(R"({"type":"response.output_item.done","item":{"type":"message","aside":"it is 9"}})"));
  CHECK(holds_unread(R"({"type":"response.completed","response":{"output":[{"type":"message","aside":"it is 9"}]}})"));
  CHECK(holds_unread(R"({"type":"response.output_text.done","summary":"it is 9"})"));
}

TEST_CASE("unread text: what was read, and what is about the answer, is none", "[chat]") {
  CHECK_FALSE(
      holds_unread(R"({"choices":[{"delta":{"reasoning":"it is 9","reasoning_content":"it is 9"}}]})", {"it is 9"}));
  CHECK_FALSE(holds_unread(R"({"id":"a b","provider":"Some Cloud","choices":[{"delta":{"role":"assistant"},
      "logprobs":{"content":[{"token":" nine"}]},"finish_reason":"end turn"}],"usage":{"note":"a b"}})"));
  CHECK_FALSE(holds_unread(R"({"choices":[{"delta":{"audio":{"id":"x","data":"UklGRg=="}}}]})"));
  CHECK_FALSE(holds_unread(R"({"choices":[{"delta":{"annotations":[{"url_citation":{"title":"A page"}}]}}]})"));
  CHECK_FALSE(holds_unread(R"({"type":"content_block_start","content_block":{"type":"web_search_tool_result",
      "content":[{"type":"web_search_result","words":"a b"}]}})"));
  CHECK_FALSE(holds_unread(R"({"type":"response.created","response":{"instructions":"be kind","output":[]}})"));
  CHECK_FALSE(holds_unread(R"({"type":"response.output_item.done","item":{"type":"mcp_call","output":"a b"}})"));
}
