#include "guard/stream/stream.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "guard/fact_set.h"
#include "guard/support/streams.h"

using namespace vsr::guard;
using namespace vsr::test;

namespace {

const std::vector<std::string_view> kLease = {"The monthly rent is GBP 1,350, payable on the first day of each month.",
                                              "The lease runs from 1 September 2024 to 31 August 2026."};
constexpr std::string_view kWrong =
    "The monthly rent is GBP 1,350. The deposit is GBP 9,975. The lease runs from 1 September 2024 to 31 August 2026.";
constexpr std::string_view kRight = "The monthly rent is GBP 1,350. The lease ends on 31 August 2026.";

std::shared_ptr<const FactSet> facts() {
  static const auto set = FactSet::make(kLease, nullptr, {});
  return set;
}

struct Ran {
  std::string bytes;
  std::vector<std::string> events;
  size_t checked = 0;
  bool ended = false, overloaded = false;
  bool operator==(const Ran&) const = default;
};

Ran run(std::string_view body, StreamOptions options, size_t piece, size_t first = 0) {
  Stream stream(facts(), options);
  Ran ran;
  const auto take = [&](const StreamStep& step) {
    ran.bytes += step.forward;
    for (const StreamEvent& event : step.events) {
      ran.events.push_back(std::to_string(event.lane.choice) + " " + std::to_string(event.begin) + "-" +
                           std::to_string(event.end) + " " + event.text + " | " + event.claim);
    }
    CHECK(step.checked >= ran.checked);
    ran.checked = step.checked;
    ran.ended = step.ended;
    ran.overloaded |= step.overloaded;
  };
  if (first > 0) take(stream.feed(body.substr(0, first)));
  for (size_t i = first; i < body.size(); i += piece) take(stream.feed(body.substr(i, piece)));
  take(stream.finish());
  return ran;
}

std::vector<std::string> all_formats(std::string_view text) {
  return {chat_stream(text),      chat_stream(text, "\r\n"), chat_stream(text, "\r"), completion_stream(text),
          responses_stream(text), anthropic_stream(text),    std::string(text)};
}

constexpr Policy kPolicies[] = {Policy::kObserve, Policy::kAnnotate, Policy::kWarn, Policy::kReplace,
                                Policy::kTerminate};

}  // namespace

TEST_CASE("stream: what no policy touches leaves as it came", "[guard]") {
  for (const std::string& body : all_formats(kRight)) {
    for (const Policy policy : kPolicies) {
      if (policy == Policy::kAnnotate) continue;  // adds its summary
      for (const bool hold : {false, true}) {
        const Ran ran = run(body, {.policy = policy, .hold = hold}, 5);
        CHECK(ran.bytes == body);
        CHECK(ran.events.empty());
        CHECK_FALSE(ran.overloaded);
        CHECK_FALSE(ran.ended);
        CHECK(ran.checked == kRight.size());
      }
    }
  }
}

TEST_CASE("stream: any cut gives the same bytes and events", "[guard]") {
  for (const std::string& body : all_formats(kWrong)) {
    for (const Policy policy : kPolicies) {
      for (const bool hold : {false, true}) {
        const StreamOptions options{.policy = policy, .hold = hold};
        const Ran whole = run(body, options, body.size());
        REQUIRE(whole.events.size() == 1);
        CHECK(whole.events[0].find("The deposit is GBP 9,975.") != std::string::npos);
        for (const size_t piece : {1, 2, 3, 7, 64}) CHECK(run(body, options, piece) == whole);
        const size_t stride = 1 + body.size() / 150;
        for (size_t first = 1; first < body.size(); first += stride)
          CHECK(run(body, options, body.size(), first) == whole);
        if (policy == Policy::kObserve) CHECK(whole.bytes == body);
      }
    }
  }
}

TEST_CASE("stream: cuts at every two neighbouring bytes change nothing", "[guard]") {
  for (const std::string& body : all_formats("The rent is GBP 9. Yes.")) {
    const StreamOptions options{.policy = Policy::kWarn, .hold = true};
    const Ran whole = run(body, options, body.size());
    REQUIRE(whole.events.size() == 1);
    for (size_t i = 1; i + 1 < body.size(); ++i) {
      Stream stream(facts(), options);
      std::string bytes = stream.feed(std::string_view(body).substr(0, i)).forward;
      bytes += stream.feed(std::string_view(body).substr(i, 1)).forward;
      bytes += stream.feed(std::string_view(body).substr(i + 1)).forward;
      bytes += stream.finish().forward;
      if (bytes != whole.bytes) FAIL("cut at " << i << " of: " << body);
    }
  }
}

TEST_CASE("stream: nothing is told of claims after the end of an answer", "[guard]") {
  const std::string body =
      "The rent is GBP 9. The deposit is GBP 7. The lease ends in 2031. That is all there is to say about it.";
  for (const bool hold : {false, true}) {
    const StreamOptions options{.policy = Policy::kTerminate, .hold = hold};
    const Ran whole = run(body, options, body.size());
    CHECK(whole.events.size() == 1);
    CHECK(run(body, options, 3) == whole);
  }
}

TEST_CASE("stream: warn puts a marker after the claim, replace another text in its place", "[guard]") {
  const std::string marked =
      "The monthly rent is GBP 1,350. The deposit is GBP 9,975. [!] The lease runs from 1 September 2024 to 31 August "
      "2026.";
  const std::string replaced =
      "The monthly rent is GBP 1,350. [gone] The lease runs from 1 September 2024 to 31 August 2026.";
  for (const std::string& body : all_formats(kWrong)) {
    const bool plain = body == kWrong;
    const auto text = [&](const Ran& ran) { return plain ? ran.bytes : text_of(ran.bytes); };
    CHECK(text(run(body, {.policy = Policy::kWarn, .hold = true, .marker = " [!]"}, 9)) == marked);
    CHECK(text(run(body, {.policy = Policy::kReplace, .replacement = "[gone]"}, 9)) == replaced);
    const std::string late = text(run(body, {.policy = Policy::kWarn, .marker = " [!]"}, 9));
    CHECK(late.size() == marked.size());
    CHECK(late.find("[!]") >= marked.find("[!]"));
  }
}

TEST_CASE("stream: every place where a Response repeats its text says the same", "[guard]") {
  for (const Policy policy : {Policy::kWarn, Policy::kReplace}) {
    const std::string last = "The rent is GBP 1,350. The deposit is GBP 9,975.";  // found at the very end
    for (const std::string& answer : {std::string(kWrong), last}) {
      const Ran ran = run(responses_stream(answer), {.policy = policy}, 11);
      const std::string text = text_of(ran.bytes);
      CHECK(text != answer);
      int number = 0;
      for (const ReadEvent& event : events_of(ran.bytes)) {
        CHECK(event.data["sequence_number"] == number++);
        CHECK(event.type == event.data["type"]);
        if (event.type == "response.output_text.done") CHECK(event.data["text"] == text);
        if (event.type == "response.content_part.done") CHECK(event.data["part"]["text"] == text);
        if (event.type == "response.output_item.done") CHECK(event.data["item"]["content"][0]["text"] == text);
        if (event.type == "response.completed")
          CHECK(event.data["response"]["output"][0]["content"][0]["text"] == text);
      }
    }
  }
}

TEST_CASE("stream: terminate ends an answer as its format does", "[guard]") {
  for (const bool hold : {false, true}) {
    for (const std::string& body : all_formats(kWrong)) {
      const Ran ran = run(body, {.policy = Policy::kTerminate, .hold = hold}, 13);
      CHECK(ran.ended);
      const std::string text = body == kWrong ? ran.bytes : text_of(ran.bytes);
      CHECK(kWrong.starts_with(text));
      CHECK(text.find("31 August") == std::string::npos);
      if (hold) CHECK(text == "The monthly rent is GBP 1,350. ");
      if (body == kWrong) continue;
      const auto events = events_of(ran.bytes);
      const auto& last = events.back();
      if (last.data == "[DONE]") {
        CHECK(events[events.size() - 2].data["choices"][0]["finish_reason"] == "content_filter");
      } else if (last.type == "message_stop") {
        CHECK(events[events.size() - 3].type == "content_block_stop");
        CHECK(events[events.size() - 2].data["delta"]["stop_reason"] == "refusal");
      } else {
        REQUIRE(last.type == "response.incomplete");
        CHECK(last.data["response"]["incomplete_details"]["reason"] == "content_filter");
        CHECK(last.data["response"]["output"][0]["content"][0]["text"] == text);
        CHECK(last.data["response"]["output"][0]["status"] == "incomplete");
      }
    }
  }
}

TEST_CASE("stream: what ends a part is not taken for sent while it is held", "[guard]") {
  const std::string right = "The rent is GBP 1,350. ",
                    wrong = "The deposit is GBP 9,975.";  // found where the text ends
  for (const std::string& body :
       {chat_stream(right + wrong), anthropic_stream(right + wrong), responses_stream(right + wrong)}) {
    for (const size_t cut : {size_t{17}, body.size()}) {
      const Ran ran = run(body, {.policy = Policy::kTerminate, .hold = true}, cut);
      CHECK(ran.ended);
      CHECK(text_of(ran.bytes) == right);
      CHECK(ran.bytes.find("9,975") == std::string::npos);
      const auto events = events_of(ran.bytes);
      const auto& last = events.back();
      if (last.data == "[DONE]") {
        CHECK(events[events.size() - 2].data["choices"][0]["finish_reason"] == "content_filter");
      } else if (last.type == "message_stop") {
        CHECK(events[events.size() - 3].type == "content_block_stop");
      } else {
        CHECK(last.data["response"]["output"][0]["content"][0]["text"] == right);
        CHECK(last.data["response"]["output"][0]["status"] == "incomplete");
      }
    }
  }
}

TEST_CASE("stream: an event that brings text and its end does not call a cut text whole", "[guard]") {
  const std::string body =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"The rent is GBP 1,350. The deposit is GBP 9,975."},"finish_reason":"stop"}]})"
      "\n\ndata: [DONE]\n\n";
  for (const bool hold : {false, true}) {
    const Ran ran = run(body, {.policy = Policy::kTerminate, .hold = hold}, body.size());
    CHECK(text_of(ran.bytes) == "The rent is GBP 1,350. ");
    CHECK(ran.bytes.find("\"stop\"") == std::string::npos);
    CHECK(ran.bytes.find("\"content_filter\"") != std::string::npos);
  }
}

TEST_CASE("stream: an error beside a text is no error alone", "[guard]") {
  const StreamOptions closed{.policy = Policy::kTerminate, .hold = true, .closed = true};
  for (const char* body :
       {R"({"message":{"content":"The deposit is GBP 9,975."},"error":null})", R"({"error":{},"content":"GBP 9,975"})",
        "data: {\"error\":null,\"response\":\"GBP 9,975\"}\n\n", "data: {\"error\":{\"code\":1},\"text\":\"a\"}\n\n"}) {
    CAPTURE(body);
    CHECK(run(body, closed, 9).ended);
  }
  for (const std::string error : {R"({"error":{"message":"busy","type":"server_error"}})",
                                  "data: {\"type\":\"error\",\"error\":{\"message\":\"busy\"}}\n\n"}) {
    CAPTURE(error);
    const Ran ran = run(error, closed, 9);
    CHECK_FALSE(ran.ended);
    CHECK(ran.bytes == error);
  }
}

TEST_CASE("stream: annotate adds events that clients pass over, and a summary before the end", "[guard]") {
  for (const std::string& body : {chat_stream(kWrong), responses_stream(kWrong), anthropic_stream(kWrong)}) {
    const Ran ran = run(body, {.policy = Policy::kAnnotate}, 13);
    CHECK(text_of(ran.bytes) == kWrong);
    size_t notes = 0, summaries = 0;
    for (const ReadEvent& event : events_of(ran.bytes)) {
      if (event.type != "vsr.guard") continue;
      const auto& note = event.data.contains("vsr_guard") ? event.data["vsr_guard"] : event.data;
      if (note.contains("summary")) {
        ++summaries;
        CHECK(note["summary"]["events"].size() == 1);
      } else {
        ++notes;
        CHECK(note["events"][0]["claim"] == "The deposit is GBP 9,975.");
      }
      if (event.data.contains("choices")) CHECK(event.data["choices"].empty());
    }
    CHECK(notes == 1);
    CHECK(summaries == 1);
  }
}

TEST_CASE("stream: an answer that is no stream is checked whole", "[guard]") {
  const nlohmann::json body{
      {"object", "chat.completion"},
      {"choices",
       {{{"index", 0}, {"message", {{"role", "assistant"}, {"content", kWrong}}}, {"finish_reason", "stop"}}}}};
  const std::string raw = body.dump(1);
  CHECK(run(raw, {.policy = Policy::kObserve}, 3).bytes == raw);
  CHECK(run(raw, {.policy = Policy::kAnnotate}, 3).bytes == raw);
  const auto read = [&](const StreamOptions& options) {
    return nlohmann::json::parse(run(raw, options, 10).bytes)["choices"][0];
  };
  CHECK(read({.policy = Policy::kReplace, .replacement = "X"})["message"]["content"] ==
        "The monthly rent is GBP 1,350. X The lease runs from 1 September 2024 to 31 August 2026.");
  const auto ended = read({.policy = Policy::kTerminate});
  CHECK(ended["message"]["content"] == "The monthly rent is GBP 1,350. ");
  CHECK(ended["finish_reason"] == "content_filter");
}

TEST_CASE("stream: choices are lanes of their own", "[guard]") {
  std::string body;
  const auto words = pieces_of(kWrong);
  for (const std::string& word : words) {
    nlohmann::json chunk{{"object", "chat.completion.chunk"}, {"choices", nlohmann::json::array()}};
    for (int choice = 0; choice < 3; ++choice) {
      chunk["choices"].push_back(
          {{"index", choice}, {"delta", {{"content", choice == 1 ? std::string("yes ") : word}}}});
    }
    body += "data: " + chunk.dump() + "\n\n";
  }
  const Ran ran = run(body + "data: [DONE]\n\n", {}, 17);
  REQUIRE(ran.events.size() == 2);
  CHECK(ran.events[0][0] == '0');
  CHECK(ran.events[1][0] == '2');
}

TEST_CASE("stream: what cannot be read passes flagged, or ends the answer", "[guard]") {
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes\"}}]}\n\ndata: {broken\n\ndata: [DONE]\n\n";
  const Ran open = run(body, {.policy = Policy::kWarn}, 4);
  CHECK(open.bytes == body);
  CHECK(open.overloaded);
  const Ran closed = run(body, {.policy = Policy::kWarn, .closed = true}, 4);
  CHECK(closed.ended);
  CHECK(closed.bytes.find("broken") == std::string::npos);
  CHECK(closed.bytes.ends_with("data: [DONE]\n\n"));
  const std::string huge = "data: " + std::string(100'000, 'x') + "\n\n";
  CHECK(run(huge, {.policy = Policy::kWarn, .event_bytes = 4096}, 999).bytes == huge);
}

TEST_CASE("stream: text in members that are not read is flagged, or ends the answer", "[guard]") {
  for (
      const std::string& body : {
          std::string(R"(data: {"choices":[{"index":0,"delta":{"content":"Yes. ","aside":"The rent is GBP 9,975."}}]})"
                      "\n\ndata: [DONE]\n\n"),
          std::string(
              "event: content_block_start\ndata: "
              R"({"type":"content_block_start","index":0,"content_block":{"type":"new","words":"GBP 9,975 it is."}})"
              "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"),
          std::string(
              "event: content_block_start\ndata: "
              R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","input":{"rent":"GBP 9"}}})"
              "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"),
          std::string(R"({"choices":[{"message":{"content":"Yes.","aside":"The rent is GBP 9,975."}}]})"),
      }) {
    CAPTURE(body);
    const Ran open = run(body, {.policy = Policy::kWarn}, 7);
    CHECK(open.bytes == body);
    CHECK(open.overloaded);
    const Ran closed = run(body, {.policy = Policy::kTerminate, .closed = true}, 7);
    CHECK(closed.ended);
    CHECK(closed.bytes.find("9,975") == std::string::npos);
  }
}

TEST_CASE("stream: an error of the server passes", "[guard]") {
  const std::string body = "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n";
  CHECK(run(body, {.policy = Policy::kTerminate, .closed = true}, 3).bytes == body);
}

TEST_CASE("stream: a JSON body that is no answer is never edited", "[guard]") {
  const std::string error =
      R"({"error":{"message":"The rent is GBP 9,975. Rate limit: 512 a minute.","type":"rate_limit"}})";
  const std::string other = R"({"rent":"The rent is GBP 9,975. It is due on 3 May.","n":512})";
  for (const Policy policy : kPolicies) {
    CAPTURE(static_cast<int>(policy));
    const Ran failed = run(error, {.policy = policy, .closed = true}, 11);
    CHECK(failed.bytes == error);
    CHECK_FALSE(failed.overloaded);
    const Ran unknown = run(other, {.policy = policy}, 11);
    CHECK(unknown.bytes == other);
    CHECK(unknown.overloaded);
  }
}

TEST_CASE("stream: an event that is rewritten keeps its id, its time to wait and its comments", "[guard]") {
  const std::string body = "id: 7\nretry: 100\n: note\ndata: " +
                           nlohmann::json{{"object", "chat.completion.chunk"},
                                          {"choices", {{{"index", 0}, {"delta", {{"content", kWrong}}}}}}}
                               .dump() +
                           "\n\ndata: [DONE]\n\n";
  const Ran ran = run(body, {.policy = Policy::kReplace, .replacement = "X"}, 13);
  CHECK(ran.bytes.starts_with("id: 7\nretry: 100\n: note\ndata: "));
  CHECK(ran.bytes.find(" X ") != std::string::npos);
}

TEST_CASE("stream: in plain text a late marker is never inside a word", "[guard]") {
  const std::string text = "The monthly rent is GBP 1,350. The deposit is GBP 9,975. Furthermore the lease goes on. " +
                           std::string(200, 'x') + " The deposit is GBP 8,888. Notwithstanding. ";
  const Ran whole = run(text, {.policy = Policy::kWarn, .marker = "[!]"}, text.size());
  REQUIRE(whole.events.size() == 2);
  for (size_t at = whole.bytes.find("[!]"); at != std::string::npos; at = whole.bytes.find("[!]", at + 1)) {
    const bool before = std::isalnum(static_cast<unsigned char>(whole.bytes[at - 1])) != 0;
    const bool after = std::isalnum(static_cast<unsigned char>(whole.bytes[at + 3])) != 0;
    CHECK_FALSE((before && after));
  }
  for (const size_t piece : {1, 2, 5}) CHECK(run(text, {.policy = Policy::kWarn, .marker = "[!]"}, piece) == whole);
}

TEST_CASE("stream: what is held for too long goes, flagged, when nothing is fed", "[guard]") {
  for (const bool closed : {false, true}) {
    Stream stream(facts(), {.policy = Policy::kWarn, .hold = true, .closed = closed, .hold_ms = 1});
    const std::string part = "The monthly rent is";
    StreamStep step = stream.feed(part);
    CHECK(step.forward.empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    step = stream.feed("");
    CHECK(step.overloaded);
    CHECK(step.forward == (closed ? "" : part));
    CHECK(step.ended == closed);
  }
}

TEST_CASE("stream: personal data is found in the arguments of tool calls, whose claims are not held against facts",
          "[guard]") {
  std::string body;
  for (const char* part : {"{\"to\":\"jane.", "doe@example", ".com\",\"rent\":\"", "The rent is GBP 9.\"}"}) {
    body +=
        "data: " +
        nlohmann::json{
            {"object", "chat.completion.chunk"},
            {"choices",
             {{{"index", 0},
               {"delta", {{"tool_calls", {{{"index", 1}, {"function", {{"name", "mail"}, {"arguments", part}}}}}}}}}}}}
            .dump() +
        "\n\n";
  }
  body += "data: [DONE]\n\n";
  for (const size_t piece : {size_t{3}, body.size()}) {
    Stream stream(facts(), {.pii = true});
    std::vector<StreamEvent> events;
    const auto take = [&](const StreamStep& step) {
      events.insert(events.end(), step.events.begin(), step.events.end());
    };
    for (size_t i = 0; i < body.size(); i += piece) take(stream.feed(std::string_view(body).substr(i, piece)));
    take(stream.finish());
    REQUIRE(events.size() == 1);
    CHECK(events[0].text == "jane.doe@example.com");
    CHECK(events[0].lane.field == vsr::chat::LaneField::kTool);
    CHECK(events[0].lane.index == 1);
  }
  CHECK(run(body, {.policy = Policy::kReplace, .pii = true}, 5).ended);  // arguments are not rewritten
}

TEST_CASE("stream: personal data is found by its form", "[guard]") {
  const std::string text = "Write to jane.doe@example.com about it. Thank you.";
  const Ran ran = run(text, {.policy = Policy::kReplace, .grounding = false, .pii = true, .replacement = "[x]"}, 4);
  CHECK(ran.bytes == "Write to [x] about it. Thank you.");
}

TEST_CASE("stream: many streams share one set of facts", "[guard]") {
  const std::string body = chat_stream(kWrong);
  const Ran expected = run(body, {.policy = Policy::kWarn}, 50);
  std::vector<std::thread> threads;
  struct Found {
    std::string bytes;
    size_t events = 0;
  };
  std::vector<Found> found(8);
  const auto set = FactSet::make(kLease, nullptr, {});  // new, so that whatever is made late is made by all at once
  for (size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        found[i] = {};
        Stream stream(set, {.policy = Policy::kWarn, .pii = i % 2 == 0});
        const auto take = [&](const StreamStep& step) {
          found[i].bytes += step.forward;
          found[i].events += step.events.size();
        };
        for (size_t at = 0; at < body.size(); at += 50) take(stream.feed(std::string_view(body).substr(at, 50)));
        take(stream.finish());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Found& one : found) {
    CHECK(one.bytes == expected.bytes);
    CHECK(one.events == expected.events.size());
  }
}

TEST_CASE("stream: after its end nothing may be fed", "[guard]") {
  Stream stream(facts(), {});
  stream.finish();
  CHECK_THROWS_AS(stream.feed("x"), vsr::base::Error);
}
