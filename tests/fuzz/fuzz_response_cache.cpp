// The response cache's key and what it keeps: two bodies with one key say the same to another parser too, and any bytes
// of an answer are kept or not. An input is two bodies with a byte 1 between them, and an answer all the same.
#include <nlohmann/json.hpp>

#include "fuzz_target.h"
#include "routing/cache/answer_check.h"
#include "routing/request/request_identity.h"

using namespace vsr;
using Json = nlohmann::ordered_json;
using routing::ChatRequest;
using routing::RequestIdentity;

namespace {

std::optional<RequestIdentity> identity(std::string_view body) {
  std::optional<RequestIdentity> found;
  fuzz::accept_errors([&] {
    if (!routing::is_json_request(body)) {
      found = routing::identity_of(ChatRequest::of_text(body), nullptr);
    } else {
      const routing::RequestJson json(body);
      found = routing::identity_of(ChatRequest::read(json), &json);
    }
  });
  return found;
}

void compare(std::string_view one, std::string_view other) {
  const auto mine = identity(one), theirs = identity(other);
  if (!mine || !theirs || mine->rest != theirs->rest || mine->question != theirs->question) return;
  const Json first = Json::parse(one, nullptr, false), second = Json::parse(other, nullptr, false);
  // Numbers beyond a double are no JSON to this parser; plain texts are none to any.
  fuzz::demand(first.is_discarded() == second.is_discarded(), "one key, one kind of body");
  fuzz::demand(first.is_discarded() || first == second, "one key, one body");
}

void check_answer(std::string_view answer) {
  const bool kept = routing::why_not_kept(answer, false).empty();
  const bool streamed = routing::why_not_kept(answer, true).empty();
  fuzz::demand(!kept || !streamed, "no answer has both shapes");
  const Json json = Json::parse(answer, nullptr, false);
  const bool error = json.is_object() && json.contains("error") && !json["error"].is_null();
  fuzz::demand(!kept || !error, "no error is kept");
  fuzz::demand(!streamed || answer.find("[DONE]") != answer.npos, "a stream that is kept has ended");
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  const std::string body =
      R"({"model":"auto","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text",)"
      R"("text":"q\u00e9"},{"type":"image_url","image_url":{"url":"u"}}]}],"n":1.5e2,"tools":[{"a":[]},null],"user":"u"})";
  return {body + "\1" + body, body + "\1 " + R"({ "messages":[{"role":"x","content":"a"}],"stop":["a","b"]})",
          "a text\1a text", R"({"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]})",
          "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: "
          "[DONE]\n\n"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const size_t between = std::min(bytes.find('\1'), bytes.size());
  compare(bytes.substr(0, between), bytes.substr(std::min(between + 1, bytes.size())));
  check_answer(bytes);
  return 0;
}
