// Answers that are no streams: one JSON object, checked when it is whole.
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "chat/answers/answer_body.h"
#include "chat/answers/json_members.h"
#include "chat/answers/unread_text.h"
#include "guard/stream/source.h"

namespace vsr::guard {
namespace {

class BodySource : public Source {
 public:
  explicit BodySource(size_t most_bytes) : most_bytes_(most_bytes) {}

  void feed(PolicyRun& run, std::string_view bytes) override {
    if (run.observes()) run.forward(bytes);
    if (passed_over_) {
      if (!run.observes()) run.forward(bytes);
      return mark(run);
    }
    body_ += bytes;
    if (body_.size() <= most_bytes_) return;
    passed_over_ = true;
    if (!run.observes()) run.hold({.raw = std::exchange(body_, {})});
    body_ = {};
    mark(run);
  }

  void finish(PolicyRun& run) override {
    if (passed_over_) return;
    const std::string body = std::exchange(body_, {});
    std::optional<base::JsonValue> value;
    const base::CleanText clean(body);
    std::vector<chat::TextDelta> texts;
    try {
      value = base::parse_json(clean.view(), "answer");
    } catch (const base::Error&) {
    }
    if (!value || !value->node().is_object()) return finish_as_text(run, body);
    if (!chat::read_answer_body(value->node(), texts)) return pass_over(run, body, chat::is_error(value->node()));
    if (holds_more(value->node(), texts)) run.overload("the answer has text in a member that is not read");
    if (run.ended()) return;
    Held part{.raw = body, .data = std::string(clean.view()), .whole_body = true};
    for (const chat::TextDelta& text : texts) part.spans.push_back({text.lane, 0, text.text.size(), text.place});
    place_again(part.spans);
    if (!run.observes()) run.hold(std::move(part));
    for (const chat::TextDelta& text : texts) {
      if (!run.ended()) run.feed(text.lane, text.text);
    }
    if (run.ended()) return;
    run.finish_all();
    run.act();
    if (!run.ended()) run.settle(true);
  }

  std::string text_event(const chat::LaneKey&, std::string_view text) override {
    return is_text_ ? std::string(text) : std::string();
  }
  std::string note_event(const chat::Json&) override { return {}; }
  // What an ended body was is not known.
  std::string ending(const chat::Sent&) override {
    if (is_text_) return {};
    return R"({"error":{"message":"the answer cannot be checked","type":"content_filter","code":"content_filter"}})";
  }
  bool keeps_text() const override { return false; }

 private:
  static void mark(PolicyRun& run) {
    if (!run.ended()) run.overload("an answer is longer than what is read");
  }

  static bool holds_more(const chat::Json& body, const std::vector<chat::TextDelta>& texts) {
    std::vector<std::string_view> read;
    for (const chat::TextDelta& text : texts) read.push_back(text.text);
    return chat::holds_unread_text(body, read);
  }

  // An object of another form is no text either: a marker would break it. A server's error says nothing to check.
  void pass_over(PolicyRun& run, const std::string& body, bool is_error) {
    passed_over_ = true;
    if (!is_error) {
      if (!run.observes()) run.hold({.raw = body});
      run.overload("JSON of a form that is not known");
      if (!run.ended()) run.settle(true);
      return;
    }
    if (!run.observes()) run.forward(body);
  }

  // Texts of one lane follow each other.
  static void place_again(std::vector<HeldText>& spans) {
    std::map<chat::LaneKey, size_t> lengths;
    for (HeldText& span : spans) {
      size_t& length = lengths[span.lane];
      span.begin += length;
      span.end += length;
      length = span.end;
    }
  }

  void finish_as_text(PolicyRun& run, const std::string& body) {
    is_text_ = true;
    if (run.observes()) {  // it has left
      run.feed({}, body);
      run.finish_all();
      return run.act();
    }
    const auto text = make_text_source();
    text->feed(run, body);
    if (!run.ended()) text->finish(run);
  }

  size_t most_bytes_;
  std::string body_;
  bool passed_over_ = false;
  bool is_text_ = false;
};

}  // namespace

std::unique_ptr<Source> make_body_source(size_t most_bytes) { return std::make_unique<BodySource>(most_bytes); }

}  // namespace vsr::guard
