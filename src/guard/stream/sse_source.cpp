// Server-sent events of the formats of chat/answers.
#include <set>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "chat/answers/answer_formats.h"
#include "chat/answers/json_members.h"
#include "chat/answers/unread_text.h"
#include "chat/sse_reader.h"
#include "guard/stream/source.h"

namespace vsr::guard {
namespace {

using chat::Json;
using chat::LaneKey;

class SseSource : public Source {
 public:
  explicit SseSource(size_t most_event_bytes) : reader_(most_event_bytes) {}

  void feed(PolicyRun& run, std::string_view bytes) override {
    if (run.observes()) run.forward(bytes);
    chat::SseFrame frame;
    while (!run.ended() && reader_.next(bytes, frame)) read(run, frame);
  }

  void finish(PolicyRun& run) override {
    chat::SseFrame frame;
    if (!run.ended() && reader_.finish(frame)) read(run, frame);
    if (run.ended()) return;
    run.finish_all();
    run.act();
    run.add_summary();
    run.settle(true);
  }

  std::string text_event(const LaneKey& lane, std::string_view text) override {
    return format_ == nullptr ? std::string() : format_->text_event(lane, text);
  }
  std::string note_event(const Json& note) override {
    return format_ == nullptr ? std::string() : format_->note_event(note);
  }
  std::string ending(const chat::Sent& sent) override {
    return format_ == nullptr ? "data: [DONE]\n\n" : format_->ending(sent);
  }
  bool keeps_text() const override { return format_ == nullptr || format_->keeps_text(); }

 private:
  void read(PolicyRun& run, chat::SseFrame& frame) {
    if (!run.observes()) {
      run.hold({.raw = std::move(frame.raw), .type = frame.type});
    }
    if (frame.kind == chat::SseFrame::Kind::kOversized) {
      run.overload("an event is longer than what is read");
    } else if (frame.has_data) {
      read_data(run, frame);
    }
    if (!run.ended()) run.settle(false);
  }

  void read_data(PolicyRun& run, const chat::SseFrame& frame) {
    if (frame.data == "[DONE]") {
      run.finish_all();
      run.act();
      run.add_summary();
      return;
    }
    std::optional<base::JsonValue> value;
    const base::CleanText clean(frame.data);
    try {
      value = base::parse_json(clean.view(), "event");
    } catch (const base::Error&) {
      return run.overload("an event is no JSON that can be read");
    }
    const Json& data = value->node();
    if (!choose_format(data, frame.type)) {
      if (!chat::is_error(data) && !known_without_text(data, frame.type)) {
        run.overload("an event of a kind that is not read");
      }
      return;
    }
    chat::Reading reading;
    format_->read(data, frame.type, reading);
    read_texts(run, data, clean.view(), reading);
    if (run.ended()) return;
    if (reading.unknown) return run.overload("an event of a kind that is not read");
    if (holds_more(data, reading)) run.overload("an event has text in a member that is not read");
  }

  // Whether there are words in the event beside those that were read.
  static bool holds_more(const Json& data, const chat::Reading& reading) {
    std::vector<std::string_view> read;
    for (const chat::TextDelta& delta : reading.deltas) read.push_back(delta.text);
    for (const chat::TextRepeat& repeat : reading.repeats)
      read.push_back(data[Json::json_pointer(repeat.place)].get_ref<const std::string&>());
    return chat::holds_unread_text(data, read);
  }

  // A stream stays in its format.
  bool choose_format(const Json& data, std::string_view type) {
    for (const chat::AnswerFormatKind& kind : chat::answer_formats()) {
      if (!kind.recognises(data, type)) continue;
      if (format_ == nullptr || kind.name != name_) {
        format_ = kind.make();
        name_ = kind.name;
      }
      return true;
    }
    return false;
  }

  // Objects without any text, as keepalives of proxies are.
  static bool known_without_text(const Json& data, std::string_view) {
    return data.is_null() || ((data.is_object() || data.is_array()) && data.empty());
  }

  void read_texts(PolicyRun& run, const Json& data, std::string_view json, const chat::Reading& reading) {
    std::vector<const chat::TextRepeat*> repeats;
    std::vector<HeldText> spans;
    std::vector<std::pair<LaneKey, std::string_view>> texts;
    std::set<LaneKey> in_this;
    const auto add = [&](const LaneKey& lane, std::string_view text, const std::string& place) {
      size_t begin = run.length(lane);
      for (const auto& [other, before] : texts) {
        if (other == lane) begin += before.size();
      }
      texts.emplace_back(lane, text);
      spans.push_back({lane, begin, begin + text.size(), place});
      in_this.insert(lane);
    };
    for (const chat::TextDelta& delta : reading.deltas) add(delta.lane, delta.text, delta.place);
    for (const chat::TextRepeat& repeat : reading.repeats) {
      const std::string& text = data[Json::json_pointer(repeat.place)].get_ref<const std::string&>();
      if (text.empty()) continue;
      const Lane* lane = run.find(repeat.lane);
      if (lane == nullptr || (lane->length() == 0 && !in_this.contains(repeat.lane))) {
        add(repeat.lane, text, repeat.place);
      } else if (!lane->is_whole_text(text)) {
        unequal_ = true;
      } else {
        repeats.push_back(&repeat);
      }
    }
    if (!run.observes()) {
      Held& part = run.held().last();
      if (!spans.empty() || !repeats.empty() || format_->number_shift() != 0) part.data = json;
      part.spans = std::move(spans);
      part.closes = reading.finished_choices;
    }
    for (const auto& [lane, text] : texts) {
      if (run.ended()) return;
      run.feed(lane, text);
    }
    finish(run, reading, repeats);
    if (run.ended()) return;
    run.act();
    if (run.ended() || run.observes()) return;
    if (reading.ends) run.add_summary();
    if (run.held().empty()) return;
    Held& part = run.held().last();
    for (const chat::TextRepeat* repeat : repeats) {
      const Lane* lane = run.find(repeat->lane);
      // Held until all of it is judged, as its deltas are.
      part.repeats.push_back({repeat->lane, 0, lane->length(), repeat->place, lane->edits});
    }
    part.number_shift = format_->number_shift();
    if (part.number_shift != 0 && part.data.empty()) part.data = json;
    if (std::exchange(unequal_, false)) run.overload("a text is repeated otherwise than it was streamed");
  }

  static void finish(PolicyRun& run, const chat::Reading& reading,
                     const std::vector<const chat::TextRepeat*>& repeats) {
    std::set<LaneKey> lanes(reading.finished.begin(), reading.finished.end());
    for (const chat::TextRepeat* repeat : repeats) lanes.insert(repeat->lane);
    const std::set<int32_t> choices(reading.finished_choices.begin(), reading.finished_choices.end());
    if (!reading.all_finished && lanes.empty() && choices.empty()) return;
    run.finish([&](const LaneKey& lane) {
      return reading.all_finished || lanes.contains(lane) || choices.contains(lane.choice);
    });
  }

  chat::SseReader reader_;
  std::unique_ptr<chat::AnswerFormat> format_;
  std::string_view name_;
  bool unequal_ = false;
};

}  // namespace

std::unique_ptr<Source> make_sse_source(size_t most_event_bytes) {
  return std::make_unique<SseSource>(most_event_bytes);
}

}  // namespace vsr::guard
