#include "routing/signals/signal_request.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;

namespace {

ChatMessage message(std::string role, size_t tool_calls = 0, bool tool_result = false, size_t images = 0) {
  return {.role = std::move(role), .images = images, .tool_calls = tool_calls, .tool_result = tool_result};
}

ConversationRule rule(std::string source, std::string role = {}, NumericPredicate predicate = {}) {
  return {.name = "c", .source = std::move(source), .role = std::move(role), .predicate = predicate};
}

SignalValue evaluate(const ConversationRule& rule, const ChatRequest& request) {
  return ConversationSignal(rule).evaluate(request);
}

ChatRequest agent_request() {
  ChatRequest request;
  request.tool_definitions = 3;
  request.messages = {message("developer"),     message("user", 0, false, 2), message("assistant", 2),
                      message("tool", 0, true), message("tool", 0, true),     message("assistant", 1),
                      message("tool", 0, true)};
  return request;
}

}  // namespace

TEST_CASE("context signal: both ends of the range count", "[routing]") {
  const ContextRule rule{.name = "long", .min_tokens = 32000, .max_tokens = 256000};
  CHECK_FALSE(evaluate_context(rule, 31999).matched);
  CHECK(evaluate_context(rule, 32000).matched);
  CHECK(evaluate_context(rule, 256000).matched);
  CHECK_FALSE(evaluate_context(rule, 256001).matched);
  CHECK(evaluate_context({.name = "any"}, 0).matched);
  CHECK(evaluate_context(rule, 40000).value == 40000);
}

TEST_CASE("conversation signal: counts messages by role, tools, calls, cycles and images", "[routing]") {
  const ChatRequest request = agent_request();
  CHECK(evaluate(rule("message"), request).value == 7);
  CHECK(evaluate(rule("message", "user"), request).value == 1);
  CHECK(evaluate(rule("message", "non_user"), request).value == 6);
  CHECK(evaluate(rule("message", "developer"), request).matched);
  CHECK_FALSE(evaluate(rule("message", "system"), request).matched);
  CHECK(evaluate(rule("tool_definition"), request).value == 3);
  CHECK(evaluate(rule("assistant_tool_call"), request).value == 3);
  CHECK(evaluate(rule("assistant_tool_cycle"), request).value == 2);
  CHECK(evaluate(rule("image_content"), request).value == 2);
  CHECK(evaluate(rule("message", "non_user", {.gt = 5, .lte = 99}), request).matched);
  CHECK_FALSE(evaluate(rule("message", "user", {.gte = 2}), request).matched);
}

TEST_CASE("conversation signal: a tool loop is active while a tool's result comes last", "[routing]") {
  ChatRequest request = agent_request();
  CHECK(evaluate(rule("active_tool_loop"), request).matched);
  request.messages.push_back(message("system"));
  CHECK(evaluate(rule("active_tool_loop"), request).matched);
  request.messages.push_back(message("user"));
  CHECK_FALSE(evaluate(rule("active_tool_loop"), request).matched);
  CHECK_FALSE(evaluate(rule("active_tool_loop"), ChatRequest{}).matched);
}

TEST_CASE("conversation signal: results that nobody asked for are no cycle", "[routing]") {
  ChatRequest request;
  request.messages = {message("user"), message("tool", 0, true), message("assistant", 1)};
  CHECK(evaluate(rule("assistant_tool_cycle"), request).value == 0);
}

TEST_CASE("conversation signal: exists is one or none", "[routing]") {
  ConversationRule exists = rule("message");
  exists.feature = ConversationRule::Feature::kExists;
  CHECK(evaluate(exists, agent_request()).value == 1);
  CHECK_FALSE(evaluate(exists, ChatRequest{}).matched);
}

TEST_CASE("conversation signal: an unknown source is refused with the known ones", "[routing]") {
  const auto failure = vsr::test::failure_of([] { ConversationSignal signal(rule("tools")); });
  CHECK(failure.status == vsr::base::Status::kInvalidArgument);
  CHECK(failure.message.find("source \"tools\", expected message, tool_definition") != std::string::npos);
}

TEST_CASE("metadata signal: the gateway counts first, then headers, and the body last", "[routing]") {
  ChatRequest request;
  RequestContext context;
  const MetadataRule denied{.name = "m", .key = "Consent", .equals = "denied"};
  const ContextReads reads = context_reads(denied);
  const ContextView view(context, reads);
  CHECK_FALSE(evaluate_metadata(denied, request, view).matched);
  context.headers["consent"] = "denied";
  CHECK(evaluate_metadata(denied, request, view).matched);
  request.metadata["Consent"] = "given";  // what a client writes does not overrule it, and is told
  CHECK(evaluate_metadata(denied, request, view).matched);
  CHECK(evaluate_metadata(denied, request, view).detail ==
        R"(Consent = denied; the body says "given", which does not count)");
  context.headers.clear();
  CHECK_FALSE(evaluate_metadata(denied, request, view).matched);
  context.headers["consent"] = "given";
  context.metadata["Consent"] = "denied";
  request.metadata["Consent"] = "denied";
  CHECK(evaluate_metadata(denied, request, view).matched);
  CHECK(evaluate_metadata(denied, request, view).detail ==
        R"(Consent = denied; a header says "given", which does not count)");
}

TEST_CASE("metadata signal: equals, in and exists all hold", "[routing]") {
  ChatRequest request;
  request.metadata = {{"tier", "gold"}, {"empty", ""}};
  const auto matches = [&](const MetadataRule& rule) {
    const ContextReads reads = context_reads(rule);
    return evaluate_metadata(rule, request, {RequestContext{}, reads}).matched;
  };
  CHECK(matches({.name = "m", .key = "tier", .in = {"silver", "gold"}}));
  CHECK_FALSE(matches({.name = "m", .key = "tier", .in = {"silver"}}));
  CHECK_FALSE(matches({.name = "m", .key = "tier", .equals = "gold", .in = {"silver"}}));
  CHECK(matches({.name = "m", .key = "tier", .exists = true}));
  CHECK_FALSE(matches({.name = "m", .key = "tier", .exists = false}));
  CHECK(matches({.name = "m", .key = "absent", .exists = false}));
  CHECK(matches({.name = "m", .key = "empty", .equals = ""}));
  CHECK_FALSE(matches({.name = "m", .key = "absent", .equals = ""}));
  CHECK(matches({.name = "m", .key = "tier"}));
  CHECK_FALSE(matches({.name = "m", .key = "absent"}));
}

TEST_CASE("role signal: a role comes from the gateway's user or groups, never from the body", "[routing]") {
  const std::vector<RoleRule> bindings{
      {.name = "a", .role = "admin", .subjects = {{.group = true, .name = "ops"}, {.group = false, .name = "root"}}},
      {.name = "b", .role = "admin", .subjects = {{.group = false, .name = "eve"}}},
      {.name = "c", .role = "guest", .subjects = {{.group = false, .name = ""}}}};
  const auto has = [&](const std::string& role, const RequestContext& context) {
    const ContextReads reads = context_reads(bindings, role);
    return evaluate_role(bindings, role, {context, reads}).matched;
  };
  CHECK(has("admin", {.groups = {"dev", "ops"}}));
  CHECK(has("admin", {.user = "root"}));
  CHECK(has("admin", {.user = "eve"}));
  CHECK_FALSE(has("admin", {.user = "ops"}));  // a group's name
  CHECK_FALSE(has("admin", {.groups = {"root"}}));
  CHECK_FALSE(has("admin", {.user = "Root"}));
  CHECK_FALSE(has("admin", {}));
  CHECK_FALSE(has("guest", {}));  // an empty name is nobody's
  CHECK_FALSE(has("unknown", {.user = "root"}));
}
