// What the events of a streamed answer say: pieces of text, each of one lane, and which lanes are finished.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace vsr::chat {

using Json = base::JsonValue::Node;

enum class LaneField : uint8_t { kText, kRefusal, kReasoning, kTool };
// The name for users: text, refusal, reasoning, tool.
std::string_view lane_field_name(LaneField field);

// One running text of an answer. `choice`: the choice, content block or output item; `index`: of tool calls or parts.
struct LaneKey {
  int32_t choice = 0;
  LaneField field = LaneField::kText;
  int32_t index = 0;
  auto operator<=>(const LaneKey&) const = default;
};

struct TextDelta {
  LaneKey lane;
  std::string text;   // well-formed
  std::string place;  // JSON pointer to the string
};

// A string that holds the whole text of a lane again.
struct TextRepeat {
  LaneKey lane;
  std::string place;
};

struct Reading {
  std::vector<TextDelta> deltas = {};
  std::vector<TextRepeat> repeats = {};
  std::vector<LaneKey> finished = {};          // after the deltas
  std::vector<int32_t> finished_choices = {};  // all lanes of these
  bool all_finished = false;
  bool ends = false;     // the last that says anything: what a summary must come before
  bool unknown = false;  // may hold text that nobody reads
};

// What of a lane was sent on.
struct SentText {
  LaneKey lane;
  std::string text;
};

// What a client has when an answer is ended.
struct Sent {
  std::vector<SentText> texts = {};    // as keeps_text() asks
  std::vector<int32_t> unclosed = {};  // of Reading::finished_choices those whose event was read and not sent
};

// The events of one stream in one format. It remembers what own events need: names, which parts are open. What it
// makes are whole events as bytes. One thread at a time.
class AnswerFormat {
 public:
  virtual ~AnswerFormat() = default;
  // `type`: of the event's line, may be empty. Takes any JSON.
  virtual void read(const Json& data, std::string_view type, Reading& reading) = 0;
  virtual std::string text_event(const LaneKey& lane, std::string_view text) = 0;
  // `note`, an object, in an event that clients of the format pass over.
  virtual std::string note_event(const Json& note) = 0;
  // What ends an answer that a filter stopped, so that clients take it for a whole one.
  virtual std::string ending(const Sent& sent) = 0;
  // Whether ending() must repeat what was sent.
  virtual bool keeps_text() const { return false; }
  // By how much own events, so far, move the "sequence_number" of what was read last.
  virtual int64_t number_shift() const { return 0; }
};

// As bytes of an event; `type` may be empty.
std::string sse_event(std::string_view type, const Json& data);
std::string dump_json(const Json& data);

}  // namespace vsr::chat
