// What plugins of decisions make of a request: its tools, long results of tools, personal data.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/support/opened_router.h"

using namespace vsr;
using namespace vsr::routing;
using base::Status;
using test::Failure;
using test::failure_of;
using Opened = test::OpenedRouter;
using Json = nlohmann::json;

namespace {

// Texts about mail are one vector, about sums another, others a third.
class ByWord : public inference::Embedder {
 public:
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits&) const override {
    std::vector<float> rows;
    for (const std::string_view text : texts) {
      const bool mail = text.find("mail") != std::string_view::npos, sum = text.find("sum") != std::string_view::npos;
      rows.insert(rows.end(), {mail ? 1.0f : 0, sum ? 1.0f : 0, mail || sum ? 0 : 1.0f});
    }
    return rows;
  }
  size_t dim() const override { return 3; }
  std::string fingerprint() const override { return "by word"; }
};

class WordTasks : public test::SomeTasks {
 public:
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override {
    return std::make_shared<ByWord>();
  }
};

// Masks one name.
class OneName : public RequestMask {
 public:
  std::string masked(std::string_view body, const base::CallLimits&) const override {
    std::string text(body);
    for (size_t at = text.find("Ada"); at != std::string::npos; at = text.find("Ada")) text.replace(at, 3, "[NAME]");
    return text;
  }
};

std::string with_plugins(const std::string& plugins, const std::string& rest = "") {
  return R"(routing:
  signals: {keywords: [{name: k, keywords: [please]}]}
  decisions:
    - {name: d, rules: {type: keyword, name: k}, modelRefs: [{model: large}], plugins: [)" +
         plugins + "]}\n" + rest;
}

struct Setup {
  explicit Setup(const std::string& text, const std::string& database = "[]") {
    folder.write("tools.json", database);
    path = folder.write("r.yaml", test::kTwoModels + text);
    failure = failure_of([&] {
      router = Router::open(
          path, {.inference = std::make_shared<WordTasks>(),
                 .make_mask = [this](const PiiMaskPlugin& plugin, const std::string& task, const std::string& tenant) {
                   masks.push_back(task + " " + tenant + " " + std::to_string(plugin.types.size()));
                   return std::make_shared<const OneName>();
                 }});
    });
  }
  Json route(const Json& body) {
    routed = router->route(body.dump(), {.tenant = "t"});
    return Json::parse(routed.request);
  }
  test::TempFolder folder;
  std::string path;
  std::vector<std::string> masks;
  Failure failure;
  std::shared_ptr<const Router> router;
  Routed routed;
};

Json tool(const std::string& name, const std::string& description) {
  return {{"type", "function"}, {"function", {{"name", name}, {"description", description}}}};
}

Json chat(const std::string& text, const Json& tools = Json::array()) {
  Json body = {{"model", "auto"}, {"messages", {{{"role", "user"}, {"content", text}}}}};
  if (!tools.empty()) body["tools"] = tools;
  return body;
}

std::vector<std::string> names(const Json& body) {
  std::vector<std::string> all;
  if (!body.contains("tools")) return all;
  for (const Json& tool : body["tools"]) all.push_back(tool["function"]["name"]);
  return all;
}

using Names = std::vector<std::string>;

const Json kTools = {tool("send_mail", "sends mail"), tool("add", "the sum of numbers"), tool("exec_cmd", "runs")};

}  // namespace

TEST_CASE("router tools: a decision says which tools reach the model", "[routing][tools]") {
  const auto left = [](const std::string& configuration, const std::string& question = "please",
                       const std::string& rest = "") {
    Setup setup(with_plugins("{type: tools, configuration: {" + configuration + "}}", rest));
    REQUIRE(setup.failure == Failure{});
    return names(setup.route(chat(question, kTools)));
  };
  CHECK(left("mode: passthrough") == Names{"send_mail", "add", "exec_cmd"});
  CHECK(left("mode: none").empty());
  CHECK(left("mode: filtered, block_tools: [exec_cmd]") == Names{"send_mail", "add"});
  CHECK(left("mode: filtered, allow_tools: [add, exec_cmd], block_tools: [exec_cmd]") == Names{"add"});
  CHECK(left("mode: filtered, semantic_selection: true, block_tools: [exec_cmd]", "please mail it") ==
        Names{"send_mail"});
  CHECK(left("semantic_selection: true", "please sum it") == Names{"add"});
  const std::string far = "global: {integrations: {tools: {similarity_threshold: 0.9, fallback_to_empty: true}}}\n";
  CHECK(left("semantic_selection: true", "please, my mail", far) == Names{"send_mail"});
  const std::string listed = "global: {integrations: {tools: {advanced_filtering: {block_tools: [send_mail]}}}}\n";
  CHECK(left("semantic_selection: true", "please mail it", listed) == Names{"add", "exec_cmd"});
}

TEST_CASE("router tools: signals read the tools that the request has", "[routing][tools]") {
  Setup setup(R"(routing:
  signals: {conversation: [{name: many, feature: {type: count, source: {type: tool_definition}}, predicate: {gte: 3}}]}
  decisions:
    - {name: d, rules: {type: conversation, name: many}, modelRefs: [{model: large}],
       plugins: [{type: tools, configuration: {mode: none}}]}
)");
  REQUIRE(setup.failure == Failure{});
  CHECK(names(setup.route(chat("hello", kTools))).empty());
  CHECK(setup.routed.decision == "d");
}

TEST_CASE("router tools: those near to the question stay, and others are added", "[routing][tools]") {
  Setup filter(with_plugins("{type: tool_selection, configuration: {mode: filter, relevance_threshold: 0.5}}"));
  REQUIRE(filter.failure == Failure{});
  CHECK(names(filter.route(chat("please mail it", kTools))) == Names{"send_mail"});
  Setup preserve(with_plugins(
      "{type: tool_selection, configuration: {mode: filter, relevance_threshold: 0.5, preserve_count: 2}}"));
  CHECK(names(preserve.route(chat("please mail it", kTools))) == Names{"send_mail", "add"});

  const Json database = {{{"tool", tool("post_mail", "")}, {"description", "mail"}, {"category", "office"}},
                         tool("send_mail", "mail"),
                         tool("divide", "")};
  const std::string add =
      "{type: tool_selection, configuration: {mode: add, tools_db_path: tools.json, "
      "top_k: 5, similarity_threshold: 0.5}}";
  Setup adds(with_plugins(add), database.dump());
  REQUIRE(adds.failure == Failure{});
  CHECK(names(adds.route(chat("please mail it"))) == Names{"post_mail", "send_mail"});
  CHECK(names(adds.route(chat("please mail it", kTools))) == Names{"send_mail", "add", "exec_cmd", "post_mail"});
  CHECK(names(adds.route(chat("please"))) == Names{"divide"});
  CHECK(Json::parse(adds.router->route("please mail it", {}).request)["tools"].size() == 2);
}

TEST_CASE("router tools: what a file cannot mean is refused", "[routing][tools]") {
  const auto message = [](const std::string& plugin, const std::string& database = "[]") {
    return Setup(with_plugins(plugin), database).failure.message;
  };
  const auto tools = [&](const std::string& text) { return message("{type: tools, configuration: {" + text + "}}"); };
  CHECK_THAT(tools("block_tools: [exec_cmd]"), Catch::Contains("without \"mode: filtered\""));
  CHECK_THAT(tools("mode: all"), Catch::Contains("\"all\"") && Catch::Contains("filtered"));
  const auto selection = [&](const std::string& text, const std::string& database = "[]") {
    return message("{type: tool_selection, configuration: {" + text + "}}", database);
  };
  CHECK_THAT(selection("top_k: 1"), Catch::Contains("\"mode\""));
  CHECK_THAT(selection("mode: add"), Catch::Contains("needs a \"tools_db_path\""));
  CHECK_THAT(selection("mode: filter, tools_db_path: x"), Catch::Contains("is of \"mode: add\""));
  CHECK_THAT(selection("mode: add, tools_db_path: gone.json"), Catch::Contains("gone.json"));
  const std::string add = "mode: add, tools_db_path: tools.json";
  CHECK_THAT(selection(add, "{}"), Catch::Contains("no JSON list of tools"));
  CHECK_THAT(selection(add, "[{\"tool\": 1}]"), Catch::Contains("[0].tool is no map"));
  CHECK_THAT(selection(add, "[{\"description\": \"x\"}]"), Catch::Contains("[0] has no name"));
  CHECK_THAT(selection(add, R"([{"name": "a"}, {"name": "a"}])"), Catch::Contains("given twice"));
}

TEST_CASE("router compression: the model gets less of long results, signals all of it", "[routing][compress]") {
  std::string prose;
  for (int i = 0; i < 400; ++i) prose += "Line " + std::to_string(i) + " tells of the weather in spring. ";
  const std::string secret = "please";  // at the end of what is cut
  Json body = chat("And?");
  const Json result = {{"role", "tool"}, {"tool_call_id", "1"}, {"content", prose + secret}};
  body["messages"].insert(body["messages"].begin(), result);
  const std::string compression =
      "{type: context_compression, configuration: {budget: {trigger_tokens: 1000}, "
      "targets: {tool_outputs: {mode: extractive, min_tokens: 500, target_tokens: 200}, history: {mode: preserve}}}}";
  std::string text = with_plugins(compression);
  text.replace(text.find("keywords: [please]"), 18, "keywords: [please], scope: everything");
  Setup setup(text);
  REQUIRE(setup.failure == Failure{});
  const Json sent = setup.route(body);
  CHECK(setup.routed.decision == "d");
  CHECK(sent["messages"][0]["content"].get<std::string>().size() < prose.size() / 4);
  CHECK(sent["messages"][1] == body["messages"][1]);
}

TEST_CASE("router mask: what leaves is masked, and neither cache nor records hold it", "[routing][mask]") {
  const std::string mask = "{type: pii_mask, configuration: {pii_types: [PERSON]}}";
  const std::string replay =
      ", {type: router_replay, configuration: {capture_request_body: true, capture_response_body: true}}";
  Setup setup(with_plugins(mask + replay, "vsr: {cache: {}}\n"));
  REQUIRE(setup.failure == Failure{});
  const Json sent = setup.route(chat("please write to Ada"));
  CHECK(sent["messages"][0]["content"] == "please write to [NAME]");
  CHECK(setup.masks == std::vector<std::string>{"pii t 1"});
  CHECK(setup.routed.mask);
  setup.router->store(setup.routed, "Dear Ada");
  setup.route(chat("please write to Ada"));
  CHECK(setup.routed.outcome == RouteOutcome::kForward);  // its answer was not kept
  CHECK(setup.router->replay().find("Ada") == std::string::npos);
  CHECK(setup.router->replay().find("[NAME]") != std::string::npos);
  setup.route(chat("hello Ada"));
  CHECK_FALSE(setup.routed.mask);  // of no decision that masks
}

TEST_CASE("router mask: a request that names its model is masked where it is checked", "[routing][mask]") {
  Setup setup(with_plugins("{type: pii_mask, configuration: {}}", "vsr: {passthrough: check}\n"));
  Json body = chat("please write to Ada");
  body["model"] = "large";
  CHECK(setup.route(body)["messages"][0]["content"] == "please write to [NAME]");
  CHECK(setup.routed.outcome == RouteOutcome::kPassthrough);
}

TEST_CASE("router mask: a router that nothing masks for does not open", "[routing][mask]") {
  const Opened opened(with_plugins("{type: pii_mask, configuration: {}}"));
  CHECK(opened.failure ==
        Failure{Status::kUnsupported,
                "r.yaml:7:7: decision \"d\": plugin pii_mask is not run: nothing masks for this router"});
  CHECK_THAT(Setup(with_plugins("{type: pii_mask, configuration: {types: [PERSON]}}")).failure.message,
             Catch::Contains("types"));
}
