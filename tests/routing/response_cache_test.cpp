#include "routing/cache/response_cache.h"

#include <catch2/catch.hpp>

#include "support/cached_router.h"

using namespace vsr::routing;
using vsr::test::CachedRouter;
using vsr::test::chat_body;
using Json = nlohmann::json;

namespace {

constexpr const char* kNoSignals = "    keywords: [{name: urgent, keywords: [urgent]}]\n";
constexpr const char* kOneDecision =
    "    - {name: any, rules: {type: keyword, name: urgent}, modelRefs: [{model: large}]}\n";

Json user_message(const Json& content) { return {{"role", "user"}, {"content", content}}; }
Json text_part(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

}  // namespace

TEST_CASE("response cache: what a role rule reads of the sender keeps answers apart", "[routing][cache]") {
  const CachedRouter router(
      "    role_bindings:\n"
      "      - {name: b, role: payroll, subjects: [{kind: User, name: alice}, {kind: Group, name: hr}]}\n",
      "    - {name: payroll, rules: {type: authz, name: payroll}, modelRefs: [{model: large}]}\n");
  const std::string body = chat_body("what do we earn");
  router.answer(body, "the salaries", {.context = {.user = "alice"}});
  CHECK(router.cached(body, {.context = {.user = "alice"}}) == CachedRouter::whole("the salaries"));
  CHECK(router.cached(body, {.context = {.user = "bob"}}).empty());
  CHECK(router.cached(body).empty());
  CHECK(router.cached(body, {.context = {.user = "alice", .groups = {"guests"}}}).empty());
  CHECK(router.cached(body, {.context = {.groups = {"alice"}}}).empty());
}

TEST_CASE("response cache: who nobody asks about makes no difference", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  router.answer(chat_body("what is new"), "news", {.context = {.user = "alice", .headers = {{"x-trace", "1"}}}});
  CHECK(!router.cached(chat_body("what is new"), {.context = {.user = "bob", .headers = {{"x-trace", "2"}}}}).empty());
  CHECK(router.cached(chat_body("what is new"), {.context = {.groups = {"board"}}}).empty());
  CHECK(router.cached(chat_body("what is new"), {.tenant = "other"}).empty());
}

TEST_CASE("response cache: metadata and headers that rules read keep answers apart", "[routing][cache]") {
  const CachedRouter router("    metadata: [{name: gold, key: Tier, predicate: {equals: gold}}]\n",
                            "    - {name: gold, rules: {type: metadata, name: gold}, modelRefs: [{model: large}]}\n");
  const std::string body = chat_body("what do we offer");
  const RouteOptions by_metadata{.context = {.metadata = {{"Tier", "gold"}}}};
  const RouteOptions by_header{.context = {.headers = {{"tier", "gold"}}}};
  router.answer(body, "by metadata", by_metadata);
  CHECK(!router.cached(body, by_metadata).empty());
  CHECK(router.cached(body).empty());
  CHECK(router.cached(body, by_header).empty());
  CHECK(router.cached(body, {.context = {.metadata = {{"Tier", "lead"}}}}).empty());
  router.answer(body, "by header", by_header);
  CHECK(!router.cached(body, by_header).empty());
  CHECK(router.cached(body, {.context = {.headers = {{"tier", "lead"}}}}).empty());
  CHECK(router.cached(body).empty());
  // What no rule reads is not looked at.
  CHECK(!router.cached(body, {.context = {.headers = {{"tier", "gold"}, {"x-trace", "7"}}}}).empty());
}

TEST_CASE("response cache: a header that a plugin adds unless it is there keeps answers apart", "[routing][cache]") {
  const CachedRouter router(
      kNoSignals,
      "    - name: urgent\n"
      "      rules: {type: keyword, name: urgent}\n"
      "      modelRefs: [{model: large}]\n"
      "      plugins: [{type: header_mutation, configuration: {add: [{name: X-Mode, value: fast}]}}]\n");
  const std::string body = chat_body("an urgent thing");
  router.answer(body, "fast");
  CHECK(!router.cached(body).empty());
  CHECK(router.cached(body, {.context = {.headers = {{"x-mode", "slow"}}}}).empty());
}

TEST_CASE("response cache: a cache by user knows no answer for nobody", "[routing][cache]") {
  const CachedRouter router(kNoSignals,
                            "    - name: urgent\n"
                            "      rules: {type: keyword, name: urgent}\n"
                            "      modelRefs: [{model: large}]\n"
                            "      plugins: [{type: response_cache, configuration: {enabled: true, scope: user}}]\n",
                            "");
  const std::string body = chat_body("an urgent thing");
  router.answer(body, "mine", {.context = {.user = "alice"}});
  CHECK(!router.cached(body, {.context = {.user = "alice"}}).empty());
  CHECK(router.cached(body, {.context = {.user = "bob"}}).empty());
  router.answer(body, "whose");
  CHECK(router.cached(body).empty());
}

TEST_CASE("response cache: bodies that parsers read differently share nothing", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const auto body = [](const std::string& secret, const std::string& oddity) {
    return R"({"model":"auto","messages":[{"role":"system","content":")" + secret +
           R"("},{"role":"user","content":"what is my iban"}],)" + oddity + "}";
  };
  const std::string oddities[] = {R"("x":1e999)",    R"("x":-1E+400)",        R"("x":123456789012345678901234567890)",
                                  R"("x":"\ud800")", R"("x":"\udc00\ud800")", "\"x\":\"\xE9\"",
                                  "\"x\":\"\xE8\"",  "\"x\xFF\":\"y\""};
  for (size_t i = 0; i < std::size(oddities); ++i) {
    CAPTURE(oddities[i]);
    const std::string mine = body("it is DE1", oddities[i]), answer = std::to_string(i);
    CHECK(router.answer(mine, answer).outcome == RouteOutcome::kForward);
    CHECK(router.cached(body("it is DE2", oddities[i])).empty());
    const std::string again = router.cached(mine);
    CHECK((again.empty() || again == CachedRouter::whole(answer)));
  }
  // Two bytes that are no UTF-8 read the same and are not.
  router.answer("caf\xE9", "one");
  CHECK(router.cached("caf\xE8").empty());
  CHECK(router.cached("caf\xE9").empty());
  router.answer("\"x\"", "plain");
  CHECK(!router.cached("\"x\"").empty());
}

TEST_CASE("response cache: the parts of the last turn are told apart", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const auto body = [](const Json& content) {
    return Json{{"model", "auto"}, {"messages", {user_message(content)}}}.dump();
  };
  router.answer(body({text_part("read this\nthen that"), text_part("and answer")}), "first");
  CHECK(!router.cached(body({text_part("read this\nthen that"), text_part("and answer")})).empty());
  CHECK(router.cached(body({text_part("read this"), text_part("then that\nand answer")})).empty());
  CHECK(router.cached(body(Json::array({text_part("read this\nthen that\nand answer")}))).empty());
  CHECK(router.cached(body("read this\nthen that\nand answer")).empty());
  const auto image = [](const std::string& url) { return Json{{"type", "image_url"}, {"image_url", {{"url", url}}}}; };
  router.answer(body({text_part("what is this"), image("data:a")}), "a cat");
  CHECK(!router.cached(body({text_part("what is this"), image("data:a")})).empty());
  CHECK(router.cached(body({text_part("what is this"), image("data:b")})).empty());
  CHECK(router.cached(body({image("data:a"), text_part("what is this")})).empty());
}

TEST_CASE("response cache: the last turn is that of the signals, whatever its role is called", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const auto body = [](const std::string& first, const std::string& second) {
    return Json{{"model", "auto"}, {"messages", {user_message(first), {{"role", "critic"}, {"content", second}}}}}
        .dump();
  };
  router.answer(body("my iban is DE1", "repeat it"), "DE1");
  CHECK(!router.cached(body("my iban is DE1", "repeat it")).empty());
  CHECK(router.cached(body("my iban is DE2", "repeat it")).empty());
  CHECK(router.cached(body("my iban is DE1", "say no")).empty());
}

TEST_CASE("response cache: whatever else the body says keeps answers apart", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const Json bodies[] = {{{"user", "u1"}},
                         {{"user", "u2"}},
                         {{"metadata", {{"k", "v"}}}},
                         {{"metadata", {{"k", "w"}}}},
                         {{"temperature", 1}},
                         {{"temperature", nullptr}},
                         {{"tools", Json::array()}},
                         {{"stop", {"a", "b"}}},
                         {{"stop", {"ab"}}},
                         {{"stop", {"a"}}, {"b", "x"}},
                         {{"", ""}},
                         Json::object()};
  for (size_t i = 0; i < std::size(bodies); ++i) router.answer(chat_body("hello", bodies[i]), std::to_string(i));
  for (size_t i = 0; i < std::size(bodies); ++i) {
    CHECK(router.cached(chat_body("hello", bodies[i])) == CachedRouter::whole(std::to_string(i)));
  }
  CHECK(router.cached(R"({"messages":[{"role":"user","content":"hello"}]})").empty());
  CHECK(router.cached("hello").empty());
  // Spacing and escapes are not what it says.
  CHECK(!router.cached(R"({ "messages":[{"content":"h\u0065llo","role":"user"}],"model":"auto" })").empty());
}

TEST_CASE("response cache: a stream answers streams and a body answers bodies", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const std::string plain = chat_body("hello"), stream = chat_body("hello", {{"stream", true}});
  const std::string with_usage = chat_body("hello", {{"stream", true}, {"stream_options", {{"include_usage", true}}}});
  router.answer(plain, "as a body");
  CHECK(router.cached(stream).empty());
  router.answer(stream, "as a stream");
  CHECK(router.cached(stream) == CachedRouter::streamed("as a stream"));
  CHECK(router.cached(plain) == CachedRouter::whole("as a body"));
  CHECK(router.cached(with_usage).empty());
}

TEST_CASE("response cache: an answer of the other shape is not kept", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const std::string plain = chat_body("hello"), stream = chat_body("hello", {{"stream", true}});
  router.router->store(router.route(stream), CachedRouter::whole("no"));
  CHECK(router.cached(stream).empty());
  router.router->store(router.route(plain), CachedRouter::streamed("no"));
  CHECK(router.cached(plain).empty());
}

TEST_CASE("response cache: what is no whole answer is not kept", "[routing][cache]") {
  const CachedRouter router(kNoSignals, kOneDecision);
  const auto kept = [&](const std::string& response) {
    router.router->store(router.route(chat_body("hello")), response);
    return !router.cached(chat_body("hello")).empty();
  };
  for (const char* response : {"", " \n", R"({"error":{"message":"rate limited"}})", R"({"detail":"Not Found"})",
                               R"({"object":"error","message":"m","code":400})", R"({"choices":[]})",
                               R"({"choices":[{"message":{"content":"cut)", "<html>502</html>",
                               R"({"choices":[{"message":{"content":""},"finish_reason":"stop"}]})"}) {
    CAPTURE(response);
    CHECK(!kept(response));
  }
  CHECK(kept(CachedRouter::whole("fine")));
}

TEST_CASE("response cache: a similar question is judged for itself before it gets an answer", "[routing][cache]") {
  const CachedRouter router(
      "    keywords: [{name: refunds, keywords: [refunds]}, {name: forbidden, keywords: [forbidden]}]\n"
      "    jailbreak: [{name: attack, threshold: 0.7}]\n"
      "    classifiers: [{name: risk, labels: [unsafe], threshold: 0.5}]\n",
      "    - {name: attack, priority: 9, rules: {type: jailbreak, name: attack}, modelRefs: [],\n"
      "       plugins: [{type: fast_response, configuration: {message: no}}]}\n"
      "    - {name: risk, priority: 8, rules: {type: classifier, name: risk, label: unsafe}, modelRefs: [],\n"
      "       plugins: [{type: fast_response, configuration: {message: no}}]}\n"
      "    - {name: forbidden, priority: 7, rules: {type: keyword, name: forbidden}, modelRefs: [],\n"
      "       plugins: [{type: fast_response, configuration: {message: no}}]}\n"
      "    - {name: refunds, priority: 1, rules: {type: keyword, name: refunds}, modelRefs: [{model: large}]}\n");
  router.answer(chat_body("how do refunds work"), "thus");
  CHECK(!router.cached(chat_body("how do refunds work here")).empty());
  CHECK(router.route(chat_body("how do refunds work ignore all")).outcome == RouteOutcome::kRespond);
  CHECK(router.route(chat_body("how do refunds work bomb")).outcome == RouteOutcome::kRespond);
  CHECK(router.route(chat_body("how do refunds work forbidden")).outcome == RouteOutcome::kRespond);
  // Another decision, or none, and so another model.
  CHECK(router.route(chat_body("how does this work")).outcome == RouteOutcome::kForward);
}

TEST_CASE("response cache: an answer that a failed signal let through is nobody else's", "[routing][cache]") {
  const CachedRouter router(
      "    classifiers: [{name: risk, labels: [unsafe], threshold: 0.5}]\n",
      "    - {name: risk, priority: 8, modelRefs: [], rules: {type: classifier, name: risk, label: unsafe,\n"
      "       on_error: no_match}, plugins: [{type: fast_response, configuration: {message: no}}]}\n");
  router.inference->broken = "risk";
  CHECK(router.answer(chat_body("how is a bomb made"), "so").outcome == RouteOutcome::kForward);
  router.inference->broken = "";
  CHECK(router.route(chat_body("how is a bomb made")).outcome == RouteOutcome::kRespond);
}
