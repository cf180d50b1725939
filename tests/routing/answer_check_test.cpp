#include "routing/cache/answer_check.h"

#include <catch2/catch.hpp>
#include <string>

using vsr::routing::why_not_kept;

namespace {

constexpr const char* kSaid = R"(data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]})";
constexpr const char* kEnd = R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";

std::string stream_of(std::initializer_list<std::string> lines, const std::string& between = "\n\n") {
  std::string stream;
  for (const std::string& line : lines) stream += line + between;
  return stream;
}

std::string body_of(const std::string& choice) { return R"({"choices":[)" + choice + "]}"; }

}  // namespace

TEST_CASE("answer check: whole completions are kept", "[routing][cache]") {
  for (const char* choice :
       {R"({"message":{"content":"hi"},"finish_reason":"stop"})", R"({"message":{"content":"hi"}})",
        R"({"message":{"content":null,"tool_calls":[{}]},"finish_reason":"tool_calls"})",
        R"({"message":{"refusal":"no"},"finish_reason":"stop"})"}) {
    CAPTURE(choice);
    CHECK(why_not_kept(body_of(choice), false).empty());
  }
  CHECK(why_not_kept("an answer that is no JSON", false).empty());
  CHECK(why_not_kept(std::string("\0answer", 7), false).empty());
  CHECK(why_not_kept("\"To be\" is a quotation", false).empty());
  CHECK(why_not_kept("\xEF\xBB\xBF" + body_of(R"({"message":{"content":"hi"}})"), false).empty());
}

TEST_CASE("answer check: errors, empty and unfinished bodies are not", "[routing][cache]") {
  CHECK(why_not_kept(body_of(R"({"message":{"content":"hi"},"finish_reason":"length"})"), false) ==
        "a choice ends with \"length\"");
  CHECK(why_not_kept(body_of(R"({"message":{"content":" \u200b\n"},"finish_reason":"stop"})"), false) ==
        "it says nothing");
  CHECK(why_not_kept(R"({"object":"error","choices":[{"message":{"content":"x"}}]})", false) == "it is an error");
  CHECK(why_not_kept("", false) == "it is empty");
  CHECK(why_not_kept(" \r\n\t", false) == "it is empty");
  CHECK(why_not_kept(R"({"error":{"message":"m"}})", false) == "it is an error");
  CHECK(why_not_kept(R"({"error":"m","choices":[{"message":{"content":"x"}}]})", false) == "it is an error");
  for (const char* none :
       {R"({"detail":"Not Found"})", R"({"choices":[]})", R"({"choices":null})", R"({"choices":"x"})", "{}"}) {
    CAPTURE(none);
    CHECK(why_not_kept(none, false) == "it has no choices");
  }
  CHECK(why_not_kept(R"({"choices":[{"message":{"content":"hal)", false) == "it is JSON that is cut or broken");
  CHECK(why_not_kept(body_of(R"({"message":{"content":"x"},"finish_reason":null})"), false) ==
        "a choice has no finish_reason");
  CHECK(why_not_kept(body_of(R"({"message":{"content":"x"},"finish_reason":"content_filter"})"), false) ==
        "a choice ends with \"content_filter\"");
  for (const char* silent : {R"({"message":{"content":""},"finish_reason":"stop"})", R"({"finish_reason":"stop"})",
                             R"({"message":{"role":"assistant","content":[]},"finish_reason":"stop"})", "7"}) {
    CAPTURE(silent);
    CHECK(!why_not_kept(body_of(silent), false).empty());
  }
  CHECK(why_not_kept("\n<html>502</html>", false) == "it is markup");
  CHECK(why_not_kept("\xEF\xBB\xBF <html>502</html>", false) == "it is markup");
  for (const char* other : {R"([{"error":{"code":429}}])", R"("upstream failed")", "null", "true", " 503 ", "[]"}) {
    CAPTURE(other);
    CHECK(why_not_kept(other, false) == "it is JSON and no chat completion");
  }
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(why_not_kept(mark, false) == "it is empty");
  CHECK(why_not_kept(mark + R"({"error":{"message":"m"}})", false) == "it is an error");
  CHECK(why_not_kept(mark + R"({"choices":[{"index":0,"mess)", false) == "it is JSON that is cut or broken");
  CHECK(why_not_kept(R"([{"error":{"code":42)", false) == "it is JSON that is cut or broken");
  const std::string junk = body_of(R"({"message":{"content":"x"}})") + std::string("\0{}", 3);
  CHECK(why_not_kept(junk, false) == "it is JSON that is cut or broken");
  CHECK(why_not_kept(stream_of({kSaid, kEnd, "data: [DONE]"}), false) ==
        "it is a stream, and the request asked for none");
}

TEST_CASE("answer check: whole streams are kept, however their lines end", "[routing][cache]") {
  for (const char* between : {"\n\n", "\r\n\r\n", "\r\r"}) {
    CHECK(why_not_kept(stream_of({": ping", kSaid, "event: message", kEnd, "data: [DONE]"}, between), true).empty());
  }
  CHECK(
      why_not_kept(stream_of({kSaid, kEnd, R"(data: {"choices":[],"usage":{"total_tokens":3}})"}) + "data:[DONE]", true)
          .empty());
}

TEST_CASE("answer check: streams that are cut, empty or errors are not", "[routing][cache]") {
  CHECK(why_not_kept("", true) == "it is empty");
  CHECK(why_not_kept(stream_of({kSaid, kEnd}), true) == "it ends without [DONE]");
  CHECK(why_not_kept(stream_of({kSaid, "data: [DONE]"}), true) == "a choice has no finish_reason");
  CHECK(why_not_kept(stream_of({kEnd, "data: [DONE]"}), true) == "it says nothing");
  CHECK(why_not_kept(stream_of({"data: [DONE]"}), true) == "it has no choices");
  CHECK(why_not_kept(stream_of({kSaid, R"(data: {"error":{"message":"m"}})", "data: [DONE]"}), true) ==
        "it is an error");
  CHECK(why_not_kept(stream_of({kSaid, kEnd, "event: error", "data: [DONE]"}), true) == "it is an error");
  CHECK(why_not_kept(stream_of({kSaid, kEnd, "data: [DONE]", kSaid}), true) == "it goes on after [DONE]");
  CHECK(why_not_kept(stream_of({kSaid, "data: {\"cho", "data: [DONE]"}), true) == "a chunk is no JSON");
  CHECK(why_not_kept(body_of(R"({"message":{"content":"x"},"finish_reason":"stop"})"), true) ==
        "it is no stream of events");
  CHECK(why_not_kept("upstream connect error", true) == "it is no stream of events");
  const std::string two = R"(data: {"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":null}]})";
  CHECK(why_not_kept(stream_of({kSaid, two, kEnd, "data: [DONE]"}), true) == "a choice has no finish_reason");
}
