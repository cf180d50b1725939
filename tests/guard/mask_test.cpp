// Personal data out of texts and requests, and back into answers however they are cut.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "guard/fact_set.h"
#include "guard/mask/json_strings.h"
#include "guard/mask/mask.h"
#include "guard/stream/stream.h"
#include "support/streams.h"

using namespace vsr::guard;
using namespace vsr::test;
using Json = nlohmann::json;

namespace {

const std::string kMail = "jane.doe@example.com";
const std::string kCard = "4111 1111 1111 1111";

std::string masked(const Mask& mask, std::string_view text) { return mask.text(text, {}); }

Stream stream(const Mask& mask, StreamFormat format = StreamFormat::kAuto, bool fails = false) {
  StreamOptions options{.format = format, .closed = fails};
  options.grounding = false;
  options.hold_ms = 0;
  options.restoring = std::make_shared<const Restoring>(Restoring{mask.placeholders(), fails});
  return Stream(FactSet::make({}, nullptr, {}), options);
}

std::string restored(const Mask& mask, std::string_view body, size_t first, size_t rest = SIZE_MAX) {
  Stream restoring = stream(mask);
  std::string out = restoring.feed(body.substr(0, first)).forward;
  for (size_t at = first; at < body.size(); at += std::min(rest, body.size() - at)) {
    out += restoring.feed(body.substr(at, rest)).forward;
  }
  return out + restoring.finish().forward;
}

}  // namespace

TEST_CASE("mask: values give way to stable placeholders of their tenant and key", "[guard][mask]") {
  const Mask mask({.key = "k", .tenant = "t"});
  const std::string once = masked(mask, "Write to " + kMail + " or " + kMail + ", pay with " + kCard + ".");
  CHECK(once.find("jane") == std::string::npos);
  CHECK(once.find("4111") == std::string::npos);
  std::smatch found;
  REQUIRE(std::regex_match(
      once, found,
      std::regex(R"(Write to (\[EMAIL_ADDRESS_[a-p]{12}\]) or (\S+), pay with (\[CREDIT_CARD_[a-p]{12}\])\.)")));
  CHECK(found[1] == found[2]);
  CHECK(masked(Mask({.key = "k", .tenant = "t"}), kMail) == found[1]);
  CHECK(masked(Mask({.key = "k", .tenant = "u"}), kMail) != found[1]);
  CHECK(masked(Mask({.key = "l", .tenant = "t"}), kMail) != found[1]);
  CHECK(masked(Mask({}), kMail) != masked(Mask({}), kMail));
  CHECK(mask.restored(once) == "Write to " + kMail + " or " + kMail + ", pay with " + kCard + ".");
  CHECK(masked(mask, once) == once);
  CHECK(masked(mask, "nothing personal [here]") == "nothing personal [here]");
  CHECK(masked(Mask({.types = {"CREDIT_CARD"}}), kMail) == kMail);
  // In what only looks like a placeholder there may be a value.
  CHECK(masked(mask, "[A_" + kMail + "]").find("jane") == std::string::npos);
}

TEST_CASE("mask: no value of thousands is left", "[guard][mask]") {
  const Mask mask({.key = "k"});
  std::string text;
  for (int i = 0; i < 12'000; ++i) text += "a" + std::to_string(i) + "@example.com ";
  const std::string out = masked(mask, text);
  CHECK(out.find('@') == std::string::npos);
  CHECK(mask.placeholders()->size() == 12'000);
  CHECK(mask.restored(out) == text);
}

TEST_CASE("mask: of a request all strings are masked, and the rest stays byte for byte", "[guard][mask]") {
  const Mask mask({.key = "k"});
  const std::string body =
      R"({ "model":"auto", "temperature" : 1.0e0,"messages":[{"role":"user","content":"I am )" + kMail +
      R"( \u00e9"},{"role":"user","content":[{"type":"text","text":")" + kCard +
      R"("},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},)"
      R"({"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"to\":\")" +
      kMail + R"(\",\"card\":4111111111111111}"}}]}],"user":")" + kMail + R"(","n":4111111111111111})";
  const std::string out = mask.request(body, {});
  CHECK(out.find("jane") == std::string::npos);
  CHECK(out.find("4111") == std::string::npos);
  CHECK(
      out.starts_with(R"({ "model":"auto", "temperature" : 1.0e0,"messages":[{"role":"user","content":"I am [EMAIL)"));
  CHECK(out.find("AAAA") != std::string::npos);
  const Json json = Json::parse(out);
  const std::string mail = json["user"];
  CHECK(mask.restored(mail) == kMail);
  const Json arguments = Json::parse(json["messages"][2]["tool_calls"][0]["function"]["arguments"].get<std::string>());
  CHECK(arguments["to"] == mail);
  CHECK(mask.restored(arguments["card"].get<std::string>()) == "4111111111111111");
  CHECK(mask.restored(json["n"].get<std::string>()) == "4111111111111111");
  const std::string plain = R"({"messages" : [ {"content":"hi \ud83d\ude00","x":[1,2.50,null]} ] })";
  CHECK(mask.request(plain, {}) == plain);
  CHECK_THROWS(mask.request("{", {}));
  CHECK_THROWS(mask.request("{\"a\":\"\xff\"}", {}));
}

TEST_CASE("mask: streams of every format are restored at every cut, and other events stay as they are",
          "[guard][mask]") {
  const Mask mask({.key = "k"});
  const std::string value = masked(mask, kMail);
  const std::string text = "Ask " + value + ", then [EMAIL_ADDRESS_unknownunkn] or [A] " + value + value + "!";
  std::string want = text;
  for (size_t at; (at = want.find(value)) != std::string::npos;) want.replace(at, value.size(), kMail);
  for (const std::string& body : {chat_stream(text), completion_stream(text), responses_stream(text),
                                  anthropic_stream(text), chat_stream(text, "\r\n")}) {
    const std::string whole = restored(mask, body, body.size());
    CHECK(text_of(whole) == want);
    for (size_t first = 1; first < body.size(); ++first) {
      if (restored(mask, body, first) != whole) FAIL("cut at " << first);
    }
    CHECK(restored(mask, body, 1, 1) == whole);
  }
  const std::string clean = chat_stream("No [placeholder] here, [EMAIL_ADDRESS_] nor [");
  CHECK(restored(mask, clean, 1, 1) == clean);
  CHECK(restored(mask, text, 1, 1) == want);
}

TEST_CASE("mask: arguments of calls and whole bodies get values as their JSON needs them", "[guard][mask]") {
  const Mask mask({.key = "k"});
  const std::string value = masked(mask, kMail);
  Json delta = {{"object", "chat.completion.chunk"},
                {"choices", {{{"index", 0}, {"delta", {}}, {"finish_reason", nullptr}}}}};
  std::string body;
  const std::string arguments = R"({"to":")" + value + R"("})";
  for (const char& c : arguments) {
    delta["choices"][0]["delta"] = {{"tool_calls", {{{"index", 0}, {"function", {{"arguments", std::string(1, c)}}}}}}};
    body += "data: " + delta.dump() + "\n\n";
  }
  body += "data: [DONE]\n\n";
  const std::string out = restored(mask, body, 1, 1);
  std::string joined;
  for (const ReadEvent& event : events_of(out)) {
    if (event.data.is_object()) joined += event.data["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"];
  }
  CHECK(joined == R"({"to":")" + kMail + R"("})");
  const Json whole = {
      {"id", "x"},
      {"choices",
       {{{"message", {{"content", "to " + value}, {"tool_calls", {{{"function", {{"arguments", arguments}}}}}}}}}}}};
  const Json back = Json::parse(restored(mask, whole.dump(), 7, 3));
  CHECK(back["choices"][0]["message"]["content"] == "to " + kMail);
  CHECK(Json::parse(back["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"].get<std::string>())["to"] ==
        kMail);
}

TEST_CASE("mask: a placeholder that is not known ends the answer where that is asked for", "[guard][mask]") {
  const Mask mask({.key = "k"});
  const std::string value = masked(mask, kMail);
  const std::string text = "Hello " + value + " and [PERSON_aaaaaaaaaaaa] too";
  Stream restoring = stream(mask, StreamFormat::kAuto, true);
  std::string out;
  bool ended = false;
  for (const char& c : chat_stream(text)) {
    const StreamStep step = restoring.feed({&c, 1});
    out += step.forward;
    ended = ended || step.ended;
  }
  CHECK(ended);
  CHECK(text_of(out) == "Hello " + kMail + " and ");
  CHECK(out.find("content_filter") != std::string::npos);
  CHECK(text_of(restored(mask, chat_stream(text), 1, 1)) == "Hello " + kMail + " and [PERSON_aaaaaaaaaaaa] too");
}

TEST_CASE("mask: pieces of JSON are found with their keys", "[guard][mask]") {
  const std::string json = R"({"a":"x\"y","b":[1,-2.5e3,{"c":"d"}],"e":{}})";
  std::string seen;
  for (const JsonPiece& piece : json_pieces(json)) seen += piece.key + "=" + piece.text + ";";
  CHECK(seen == "a=a;a=x\"y;b=b;b=1;b=-2.5e3;c=c;c=d;e=e;");
  CHECK(with_pieces(json, json_pieces(json), std::vector<std::optional<std::string>>(json_pieces(json).size())) ==
        json);
}
