#include "routing/request/request_identity.h"

#include <catch2/catch.hpp>
#include <map>

#include "support/failure.h"
#include "support/random_chat.h"

using namespace vsr::routing;

namespace {

std::optional<RequestIdentity> identity(const std::string& body) {
  const RequestJson json(body);
  return identity_of(ChatRequest::read(json), &json);
}

std::string with(const std::string& members, const std::string& messages = R"([{"role":"user","content":"q"}])") {
  return R"({"messages":)" + messages + (members.empty() ? "" : "," + members) + "}";
}

}  // namespace

TEST_CASE("request identity: spacing and escapes do not count, spelling of numbers and order do", "[routing][cache]") {
  const auto rest = [](const std::string& members) { return identity(with(members))->rest; };
  CHECK(rest(R"("a": [ 1 , {"b":"\u00e9\/"} ])") == rest("\"a\":[1,{\"b\":\"\u00E9/\"}]"));
  const std::string members[] = {"",
                                 R"("a":1)",
                                 R"("a":1.0)",
                                 R"("a":"1")",
                                 R"("a":[1])",
                                 R"("a":[[1]])",
                                 R"("a":[],"b":1)",
                                 R"("a":{})",
                                 R"("a":null)",
                                 R"("a":false)",
                                 R"("a":"")",
                                 R"("a":[""])",
                                 R"("a":["","" ])",
                                 R"("a":{"":""})",
                                 R"("":"a")",
                                 R"("ab":"c")",
                                 R"("a":"bc")",
                                 R"("a":1e999)",
                                 R"("a":1,"b":2)",
                                 R"("b":2,"a":1)",
                                 R"("a":1,"a":1)",
                                 R"("a":[1],"b":[2])",
                                 R"("a":[1,2],"b":[])",
                                 R"("a":[{"b":1}])",
                                 R"("a":[{},{"b":1}])",
                                 R"("a":{"b":{},"c":1})",
                                 R"("a":{"b":{"c":1}})"};
  std::map<std::string, std::string> seen;
  for (const std::string& each : members) {
    const auto [at, is_new] = seen.emplace(rest(each), each);
    INFO(each << " and " << at->second);
    CHECK(is_new);
  }
}

TEST_CASE("request identity: the question is the last text of the last user turn", "[routing][cache]") {
  const auto question = [](const std::string& messages) {
    const auto found = identity(with("", messages));
    return found ? found->question : "(none)";
  };
  CHECK(question(R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])") == "a");
  CHECK(question(R"([{"role":"user","content":"a"},{"role":"critic","content":"b"}])") == "b");
  CHECK(question(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])") == "b");
  CHECK(question(R"([{"role":"user","content":["a",{"type":"image_url","image_url":{}}]}])") == "a");
  CHECK(question(R"([{"role":"user","content":[{"type":"image_url","image_url":{}}]}])") == "(none)");
  CHECK(question(R"([{"role":"user","content":""}])") == "(none)");
  CHECK(question(R"([{"role":"user","content":null}])") == "(none)");
  CHECK(question(R"([{"role":"system","content":"s"}])") == "(none)");
}

TEST_CASE("request identity: what was repaired has none", "[routing][cache]") {
  CHECK(!identity(with("\"a\":\"\xE9\"")));
  CHECK(!identity(with("\"\xFF\":1")));
  CHECK(!identity(with(R"("a":"\ud800")")));
  CHECK(!identity_of(ChatRequest::of_text("caf\xE9"), nullptr));
  CHECK(identity_of(ChatRequest::of_text("plain"), nullptr)->question == "plain");
  CHECK(identity(with(R"("a":"\ud83d\ude42")")).has_value());
}

TEST_CASE("request identity: the wording of the question is all that it leaves out", "[routing][cache]") {
  vsr::test::RandomChat random(7);
  size_t tried = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string body = random.body().bytes;
    std::optional<RequestIdentity> one;
    if (vsr::test::failure_of([&] { one = identity(body); }).status || !one) continue;  // some are no chats
    const RequestJson json(body);
    // Every string value but the question, changed in place.
    const JsonNode* node = &json.root();
    size_t unchanged = 0;
    for (const JsonNode* end = node + node->nodes; node != end; ++node) {
      if (!node->is(JsonNode::Kind::kString)) continue;
      if (node->key == "role" || node->key == "model") continue;
      std::string changed = body;
      changed.insert(node->end - 1, "x");
      const auto other = identity(changed);
      REQUIRE(other);
      CAPTURE(body, changed);
      if (other->rest == one->rest) ++unchanged;
      if (other->rest == one->rest) CHECK(other->question == one->question + "x");
    }
    CHECK(unchanged == 1);
    ++tried;
  }
  CHECK(tried > 50);
}
