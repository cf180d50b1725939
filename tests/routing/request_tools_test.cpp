// Which tools of a request reach its model.
#include "routing/rewrite/request_tools.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

const std::string kSearch = R"({"type":"function","function":{"name":"search_web","description":"Looks things up"}})";
const std::string kExec = R"({"type":"function", "function":{"name":"Exec_Cmd"}})";
const std::string kBuiltIn = R"({"type":"web_search"})";
const std::string kNameless = R"({"function":{"parameters":{}}})";

std::string body_of(const std::string& tools, const std::string& rest = "") {
  return R"({"messages":[{"role":"user","content":"hi"}],"tools":[)" + tools + "]" + rest + "}";
}

struct Edited {
  std::string body;
  std::vector<std::string> notes;
};

Edited edited(const std::string& body, const std::vector<bool>& kept, ToolsEdit edit = {}) {
  Edited result;
  set_kept(edit, defined_tools(body), kept);
  result.body = edit_tools(body, edit, result.notes);
  return result;
}

std::vector<bool> listed(const std::vector<std::string>& allow, const std::vector<std::string>& block) {
  const auto tools = defined_tools(body_of(kSearch + "," + kExec + "," + kBuiltIn + "," + kNameless));
  std::vector<bool> kept(tools.size(), true);
  keep_listed(allow, block, tools, kept);
  return kept;
}

std::vector<bool> near(const ToolNearness& nearness, std::vector<double> similarities, size_t chosen = 99) {
  std::vector<DefinedTool> tools(similarities.size());
  for (size_t i = 0; i < tools.size(); ++i) tools[i] = {.names = {std::to_string(i)}, .chosen = i == chosen};
  std::vector<bool> kept(tools.size(), true);
  keep_near(
      nearness, tools, [&](const auto&) { return similarities; }, kept);
  return kept;
}

std::string stripped(const std::string& messages) {
  const std::string before = R"({"messages":)", after = R"(,"x":1})";
  std::vector<std::string> notes;
  const std::string body = edit_tools(before + messages + after, {.strip_history = true}, notes);
  REQUIRE(body.starts_with(before));
  REQUIRE(body.ends_with(after));
  return body.substr(before.size(), body.size() - before.size() - after.size());
}

}  // namespace

TEST_CASE("request tools: lists allow by the exact name, and block in any case", "[routing][tools]") {
  using Kept = std::vector<bool>;
  CHECK(listed({}, {}) == Kept{true, true, true, true});
  CHECK(listed({"search_web"}, {}) == Kept{true, false, false, false});
  CHECK(listed({"Search_Web"}, {}) == Kept{false, false, false, false});
  CHECK(listed({}, {"exec_cmd"}) == Kept{true, false, true, false});  // what has no name cannot be told
  CHECK(listed({"web_search", "search_web"}, {"search_web"}) == Kept{false, false, true, false});
}

TEST_CASE("request tools: a tool with two names is let by if both are", "[routing][tools]") {
  const auto tools = defined_tools(body_of(R"({"name":"a","function":{"name":"b"}})"));
  for (const auto& [allow, block, stays] :
       {std::tuple<std::vector<std::string>, std::vector<std::string>, bool>{{"a"}, {}, false},
        {{"a", "b"}, {}, true},
        {{}, {"a"}, false},
        {{}, {"b"}, false}}) {
    std::vector<bool> kept{true};
    keep_listed(allow, block, tools, kept);
    CHECK(kept[0] == stays);
  }
}

TEST_CASE("request tools: the near ones stay, as many as the limits say", "[routing][tools]") {
  using Kept = std::vector<bool>;
  CHECK(near({.least = 0.5}, {0.4, 0.6, 0.5}) == Kept{false, true, true});
  CHECK(near({.most = 1, .least = 0.5}, {0.4, 0.6, 0.5}) == Kept{false, true, false});
  CHECK(near({.least = 0.9, .preserved = 2}, {0.4, 0.6, 0.5}) == Kept{false, true, true});
  CHECK(near({.most = 1, .least = 0.9}, {0.4, 0.6}) == Kept{true, true});
  CHECK(near({.least = 0.9, .none_if_far = true}, {0.4, 0.6}) == Kept{false, false});
  CHECK(near({.least = 0.5}, {0.4, 0.6}, 0) == Kept{true, true});  // the request demands it
  CHECK(near({.least = 0.5, .block = {"1"}}, {0.9, 0.9}) == Kept{true, false});
}

TEST_CASE("request tools: what is kept keeps its bytes, and a choice of what is gone goes", "[routing][tools]") {
  const std::string both = kSearch + " , " + kExec;
  const std::string named = R"(,"tool_choice":{"type":"function","function":{"name":"Exec_Cmd"}},"n":1)";
  CHECK(edited(body_of(both, named), {true, true}).body == body_of(both, named));
  const Edited without = edited(body_of(both, named), {true, false});
  CHECK(without.body == body_of(kSearch, R"(,"n":1)"));
  CHECK(without.notes == std::vector<std::string>{"tools: 1 of 2 reach the model"});
  CHECK(edited(body_of(both, named), {false, true}).body == body_of(kExec, named));
  CHECK(edited(body_of(both, R"(,"tool_choice":"required")"), {false, true}).body ==
        body_of(kExec, R"(,"tool_choice":"required")"));
  CHECK(edited(body_of(both, R"(,"tool_choice":"required","parallel_tool_calls":true)"), {false, false}).body ==
        R"({"messages":[{"role":"user","content":"hi"}]})");
}

TEST_CASE("request tools: the older functions are tools as well", "[routing][tools]") {
  const std::string body =
      R"({"messages":[],"tools":[{"name":"a"}],"functions":[{"name":"b"},{"name":"c"}],"function_call":{"name":"c"}})";
  CHECK(edited(body, {true, true, false}).body ==
        R"({"messages":[],"tools":[{"name":"a"}],"functions":[{"name":"b"}]})");
  CHECK(edited(body, {false, false, false}, {.limited = true}).body == R"({"messages":[]})");
}

TEST_CASE("request tools: a limit holds for what a template is told, too", "[routing][tools]") {
  const std::string body = body_of(kSearch, R"(,"chat_template_kwargs":{"Tools":[{"name":"exec_cmd"}],"a":1})");
  CHECK(edited(body, {true}).body == body);
  CHECK(edited(body, {true}, {.limited = true}).body == body_of(kSearch, R"(,"chat_template_kwargs":{"a":1})"));
}

TEST_CASE("request tools: others are added, where there were none as well", "[routing][tools]") {
  CHECK(edited(body_of(kSearch), {true}, {.added = {"{}"}}).body == body_of(kSearch + ",{}"));
  CHECK(edited(R"({"messages":[]})", {}, {.added = {"{}", "[]"}}).body == R"({"messages":[],"tools":[{},[]]})");
}

TEST_CASE("request tools: an edit of a body whose tools were taken out before changes nothing", "[routing][tools]") {
  ToolsEdit edit;
  set_kept(edit, defined_tools(body_of(kSearch + "," + kExec)), {true, false});
  std::vector<std::string> notes;
  CHECK(edit_tools(R"({"messages":[]})", edit, notes) == R"({"messages":[]})");
}

TEST_CASE("request tools: history is stripped of calls and results, and of nothing else", "[routing][tools]") {
  const std::string user = R"({"role":"user", "content":"hi"})";
  CHECK(stripped("[ " + user + " ]") == "[ " + user + " ]");
  CHECK(stripped("[" + user +
                 R"(,{"role":"assistant","content":null,"tool_calls":[{}]},{"role":"Tool","content":"x"},)" + user +
                 "]") == "[" + user + "," + user + "]");
  CHECK(stripped(R"([{"role":"assistant","tool_calls":[{}],"content":"I look."}])") ==
        R"([{"role":"assistant","content":"I look."}])");
  CHECK(stripped("[" + user +
                 R"(,{"role":"user","content":[{"type":"tool_result","content":"x"}]},{"role":"user","content":[)"
                 R"({"type":"tool_result"},{"type":"text","text":"and?"}]}])") ==
        "[" + user + R"(,{"role":"user","content":[{"type":"text","text":"and?"}]}])");
  const auto nothing = failure_of([] { stripped(R"([{"role":"tool","content":"x"}])"); });
  CHECK(nothing.status == Status::kInvalidArgument);
  CHECK_THAT(nothing.message, Catch::Contains("messages hold calls of tools and their results alone"));
}

TEST_CASE("request tools: what two readers could take for different tools is refused", "[routing][tools]") {
  for (const char* body : {R"({"tools":[],"tools":[]})", R"({"Tools":[]})", R"({"tools":[{"name":"a","Name":"b"}]})",
                           R"({"tools":[{"function":{"name":"a","name":"b"}}]})", R"({"tools":{}})", R"({"tools":[1]})",
                           R"({"tools":[{"name":1}]})"}) {
    CAPTURE(body);
    CHECK(failure_of([&] { defined_tools(body); }).status == Status::kParse);
  }
  std::string many = kBuiltIn;
  for (int i = 0; i < 1024; ++i) many += "," + kBuiltIn;
  CHECK(failure_of([&] { defined_tools(body_of(many)); }).status == Status::kLimit);
  CHECK(defined_tools("a plain text").empty());
}
