#include "routing/request/chat_request.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "routing/request/request_json.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

vsr::test::Failure failure(const std::string& body) {
  return failure_of([&] { ChatRequest::parse(body); });
}

std::string with_content(const std::string& content) {
  return R"({"messages":[{"role":"user","content":)" + content + "}]}";
}

std::string content_read(const std::string& content) {
  return ChatRequest::parse(with_content(content)).messages.at(0).text;
}

}  // namespace

TEST_CASE("chat request: the fields that routing reads are read", "[routing]") {
  const ChatRequest request = ChatRequest::parse(R"( {
    "model": "auto", "stream": true, "user": "ann", "max_tokens": 8.0, "max_completion_tokens": 7,
    "metadata": {"team": "hr", "level": 3, "gone": null, "team": "it"},
    "tools": [{"type": "function"}, {"type": "function"}], "functions": [{"name": "f"}],
    "messages": [
      {"role": "developer", "content": "Be brief."},
      {"role": "user", "content": [{"type": "text", "text": "What is"}, {"type": "image_url", "image_url": {"url": "x"}},
                                   {"type": "input_audio", "input_audio": {}}, {"type": "text", "text": "this?"}]},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "1"}, {"id": "2"}]},
      {"role": "tool", "tool_call_id": "1", "content": "a cat"},
      {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}], "function_call": {"name": "f"}}]} )");
  CHECK_FALSE(request.plain);
  CHECK(request.model == "auto");
  CHECK(request.stream);
  CHECK(request.user == "ann");
  CHECK(request.max_tokens == 7);
  CHECK(request.metadata == std::map<std::string, std::string>{{"team", "it"}, {"level", "3"}});
  CHECK(request.tool_definitions == 3);
  REQUIRE(request.messages.size() == 5);
  CHECK(request.messages[0].role == "developer");
  CHECK(request.messages[1].text == "What is\nthis?");
  CHECK(request.messages[1].images == 2);
  CHECK(request.messages[2].text.empty());
  CHECK(request.messages[2].tool_calls == 2);
  CHECK(request.messages[3].tool_result);
  CHECK(request.messages[4].text == "No.");
  CHECK(request.messages[4].tool_calls == 1);
}

TEST_CASE("chat request: scopes give the last user turn, all of them, or everything", "[routing]") {
  const ChatRequest request = ChatRequest::parse(R"({"messages":[
    {"role":"system","content":"s"}, {"role":"user","content":"one"}, {"role":"assistant","content":"two"},
    {"role":"customer","content":"three"}, {"role":"user","content":"four"}, {"role":"tool","content":"five"},
    {"role":"assistant","content":null}]})");
  CHECK(request.text(TextScope::kLastUser) == "four");
  CHECK(request.text(TextScope::kUserTurns) == "one\nthree\nfour");
  CHECK(request.text(TextScope::kHistory) == "s\none\ntwo\nthree\nfour\nfive");
  CHECK(request.turns(TextScope::kUserTurns) == std::vector<std::string_view>{"one", "three", "four"});
  const ChatRequest image = ChatRequest::parse(
      R"({"messages":[{"role":"user","content":"old"},{"role":"user","content":[{"type":"image_url"}]}]})");
  CHECK(image.turns(TextScope::kLastUser).empty());
}

TEST_CASE("chat request: what does not begin with a brace is one user message", "[routing]") {
  const ChatRequest request = ChatRequest::parse("[INST] hi \xFF there");
  CHECK(request.plain);
  REQUIRE(request.messages.size() == 1);
  CHECK(request.messages[0].role == "user");
  CHECK(request.messages[0].text == "[INST] hi \uFFFD there");
  CHECK(request.replaced_bytes == 1);
  CHECK(ChatRequest::parse("").text(TextScope::kLastUser).empty());
}

TEST_CASE("chat request: escapes are read as what they stand for", "[routing]") {
  CHECK(content_read(R"("a\n\"\\\/\u00e9\ud83d\ude42\u0000b")") == std::string("a\n\"\\/\u00e9\U0001F642\0b", 13));
  CHECK(ChatRequest::parse(R"({"mess\u0061ges":[{"\u0072ole":"user","content":"x"}]})").messages[0].text == "x");
}

TEST_CASE("chat request: bytes that are not UTF-8 and halves of surrogate pairs are replaced and counted",
          "[routing]") {
  const ChatRequest request = ChatRequest::parse(with_content("\"a\xF0\x9F\x99 b\xC0\" "));
  CHECK(request.messages[0].text == "a\uFFFD b\uFFFD");
  CHECK(request.replaced_bytes == 4);
  CHECK(content_read(R"("cut \ud83d")") == "cut \uFFFD");
  CHECK(content_read(R"("\ude42\ud83d\ud83d\ude42")") == "\uFFFD\uFFFD\U0001F642");
  CHECK(content_read(R"("\\ud83d")") == "\\ud83d");
  CHECK(ChatRequest::parse(with_content(R"("\ud83d")")).replaced_bytes == 6);
}

TEST_CASE("chat request: wrong types are named by their path", "[routing]") {
  const auto message = [](const std::string& body) {
    const auto failed = failure(body);
    CHECK(failed.status == Status::kParse);
    return failed.message;
  };
  CHECK(message(R"({"messages":[{"role":"user","content":"a"},{"role":"user","content":3}]})") ==
        "request: messages[1].content is a number, expected a string, an array of parts or null");
  CHECK(message(with_content(R"([{"type":"text","text":[]}])")) ==
        "request: messages[0].content[0].text is an array, expected a string");
  CHECK(message(with_content(R"([{"type":"text"}])")) == "request: messages[0].content[0].text is missing");
  CHECK(message(with_content("[7]")) == "request: messages[0].content[0] is a number, expected an object");
  CHECK(message(R"({"messages":[{"content":"a"}]})") == "request: messages[0].role is missing");
  CHECK(message(R"({"messages":["a"]})") == "request: messages[0] is a string, expected an object");
  CHECK(message(R"({"messages":{}})") == "request: messages is an object, expected an array");
  CHECK(message(R"({"messages":[]})") == "request: messages is empty, expected at least one");
  CHECK(message(R"({"model":"m"})") == "request: messages is missing");
  const std::string rest = R"(,"messages":[{"role":"user","content":"a"}]})";
  CHECK(message(R"({"stream":"yes")" + rest) == "request: stream is a string, expected true or false");
  CHECK(message(R"({"max_tokens":"8")" + rest) == "request: max_tokens is a string, expected an integer");
  CHECK(message(R"({"max_tokens":1.5)" + rest) == "request: max_tokens is 1.5, expected an integer");
  CHECK(message(R"({"max_tokens":1e999)" + rest) == "request: max_tokens is 1e999, out of range");
  CHECK(message(R"({"tools":{})" + rest) == "request: tools is an object, expected an array");
  CHECK(message(R"({"model":7)" + rest) == "request: model is a number, expected a string");
}

TEST_CASE("chat request: bodies of other APIs are refused as such", "[routing]") {
  CHECK(failure(R"({"model":"m","input":"hi"})").status == Status::kUnsupported);
  CHECK(failure(R"({"model":"m","prompt":"hi"})").status == Status::kUnsupported);
}

TEST_CASE("chat request: a key that is read and given twice, or in another case, is refused", "[routing]") {
  const std::string one = R"("messages":[{"role":"user","content":"a"}])";
  CHECK(failure("{" + one + "," + one + "}").message == "request: messages is given twice");
  CHECK(failure(R"({"messages":[{"role":"user","content":"a","content":"b"}]})").message ==
        "request: messages[0].content is given twice");
  CHECK(failure(R"({"messages":[{"role":"user","content":"a","c\u006fntent":"b"}]})").message ==
        "request: messages[0].content is given twice");
  CHECK(failure(with_content(R"([{"type":"text","text":"a","text":"b"}])")).message ==
        "request: messages[0].content[0].text is given twice");
  CHECK(failure("{" + one + R"(,"Messages":[]})").message ==
        "request: Messages differs from \"messages\" only in case");
  CHECK(failure("{" + one + R"(,"me\u017fsages":[]})").status == Status::kParse);
  CHECK(failure("{" + one + R"(,"unknown":1,"unknown":2})").status == std::nullopt);
}

TEST_CASE("chat request: what is not JSON is refused with the byte", "[routing]") {
  const auto [body, byte] = GENERATE(table<std::string, int>({
      {"{", 1},
      {R"({"a":1,})", 7},
      {R"({"a":tru})", 8},
      {R"({"a":01})", 6},
      {R"({"a":1.})", 7},
      {R"({"a":-})", 6},
      {R"({"a":"b":1})", 8},
      {R"({"a":["b":1]})", 9},
      {R"({"a":1:1})", 6},
      {R"({"a":{}:1})", 7},
      {R"({"a":"b" "c"})", 11},
      {R"({"a":"b)", 7},
      {R"({"a":1}x)", 7},
      {R"({"a":1} {})", 8},
      {R"({"a" 1})", 5},
      {R"({"a":[1 2]})", 8},
      {R"({"a":[1}})", 7},
      {"{\"a\":\"\n\"}", 6},
      {R"({"a":"\x"})", 7},
      {R"({"a":"\u12g4"})", 10},
      {R"({a:1})", 1},
      {R"({"a":NaN})", 5},
      {R"({"a":nul})", 8},
  }));
  CAPTURE(body);
  const auto failed = failure(body);
  CHECK(failed.status == Status::kParse);
  CHECK(failed.message.starts_with("request: not valid JSON at byte "));
  CHECK_FALSE(nlohmann::json::accept(body));
  CHECK_THAT(failed.message, Catch::StartsWith("request: not valid JSON at byte " + std::to_string(byte) + " "));
}

TEST_CASE("chat request: a NUL after the body is refused at its byte", "[routing]") {
  CHECK(failure(std::string("{}\0", 3)).message == "request: not valid JSON at byte 2 (line 1, column 3)");
}

TEST_CASE("chat request: a byte order mark before JSON is named", "[routing]") {
  CHECK(failure("\xEF\xBB\xBF{}").message == "request: begins with a byte order mark, which JSON does not allow");
}

TEST_CASE("chat request: numbers of any size pass where nobody reads them", "[routing]") {
  const std::string digits(400, '9');
  CHECK(failure(R"({"seed":)" + digits + R"(,"x":1e999,"y":-0.0E-7,"messages":[{"role":"user","content":"a"}]})")
            .status == std::nullopt);
  CHECK(failure(R"({"max_tokens":99999999999999999999,"messages":[{"role":"user","content":"a"}]})").status ==
        std::nullopt);
}

TEST_CASE("chat request: nesting, size and number of values are limited", "[routing]") {
  const auto nested = [](size_t levels) {
    return R"({"x":)" + std::string(levels, '[') + std::string(levels, ']') +
           R"(,"messages":[{"role":"user","content":"a"}]})";
  };
  CHECK(failure(nested(RequestJson::kMaxDepth - 1)).status == std::nullopt);
  CHECK(failure(nested(RequestJson::kMaxDepth)).status == Status::kLimit);
  CHECK(failure("{\"x\":" + std::string(1000000, '[') + "}").status == Status::kLimit);
  std::string many = "{\"x\":[0";
  for (size_t i = 0; i < RequestJson::most_values(1 << 20) + 64; ++i) many += ",0";
  CHECK(failure(many + "]}").status == Status::kLimit);
  CHECK(failure("{\"x\":\"" + std::string(RequestJson::kMaxBytes, 'a') + "\"}").status == Status::kLimit);
  CHECK(failure(std::string(RequestJson::kMaxBytes + 1, 'a')).status == Status::kLimit);
}

TEST_CASE("request json: values know their bytes, also after bytes that are not UTF-8", "[routing]") {
  const std::string body = "{ \"a\\n\" : \"\xFF\xFE\" , \"b\":[ 1.0e2 ,true ] ,\"c\" : {\"d\":null }\t}\n";
  const RequestJson json(body);
  const auto bytes = [&](const JsonNode& node) { return body.substr(node.begin, node.end - node.begin); };
  CHECK(bytes(json.root()) == body.substr(0, body.size() - 1));
  const JsonNode* a = json.root().find("a\n");
  REQUIRE(a);
  CHECK(bytes(*a) == "\"\xFF\xFE\"");
  CHECK(a->key_begin == 2);
  const JsonNode* b = json.root().find("b");
  REQUIRE(b);
  CHECK(bytes(*b) == "[ 1.0e2 ,true ]");
  CHECK(bytes(*b->children().begin()) == "1.0e2");
  const JsonNode* c = json.root().find("c");
  REQUIRE(c);
  CHECK(bytes(*c) == "{\"d\":null }");
  REQUIRE(c->find("d"));
  CHECK(bytes(*c->find("d")) == "null");
  CHECK(c->find("e") == nullptr);
}
